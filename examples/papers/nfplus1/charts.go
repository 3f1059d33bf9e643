package nfplus1

import (
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// requestCharts draws throughput over requested load, a chart for each reading.
func requestCharts(rows []paper.Row) (charts []sheet.Chart) {
	for _, reading := range paper.Readings(rows) {
		c := &sheet.Lines{Title: reading, XTitle: "requested load (flits/clock/PE)", YTitle: "throughput (flits/clock/PE)", Ideal: "all that is requested"}
		for _, routing := range routings {
			c.Names, c.Points = append(c.Names, routing.name), append(c.Points, paper.Curve(rows, reading, func(x *paper.Row) (float64, bool) {
				text, ok := strings.CutPrefix(x.Quantity, "throughput at requested load ")
				at, err := strconv.ParseFloat(text, 64)
				return at, ok && err == nil && x.Item == routing.name
			}))
		}
		charts = append(charts, c)
	}
	return charts
}
