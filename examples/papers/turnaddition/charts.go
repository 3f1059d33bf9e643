package turnaddition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// sizeCharts draws throughput over the number of switches, a chart for each reading.
func sizeCharts(r *paper.Result) []sheet.Chart {
	return paper.ByReading(func(_ *paper.Result, reading string, rows []paper.Row) []sheet.Chart {
		c := &sheet.Lines{Title: "random networks, " + reading, XTitle: "switches", YTitle: "throughput"}
		for _, m := range methods {
			c.Names, c.Points = append(c.Names, m.name), append(c.Points, paper.Curve(rows, func(x *paper.Row) (float64, bool) {
				size, ok := strings.CutSuffix(x.Item, " switches")
				at, err := strconv.ParseFloat(size, 64)
				return at, ok && err == nil && x.Quantity == m.name
			}))
		}
		return []sheet.Chart{c}
	})(r)
}

// joinCharts draws bars of the throughput inside and between joined trees, for each reading that is judged side by side. It leaves
// out bars that are equal to earlier ones.
func joinCharts(r *paper.Result) (charts []sheet.Chart) {
	for _, where := range []string{"inside", "between"} {
		var drawn [][][]float64
		for _, t := range r.Tables() {
			bars := joinBars(t.Rows, where)
			if slices.ContainsFunc(drawn, func(v [][]float64) bool { return fmt.Sprint(v) == fmt.Sprint(bars.Values) }) {
				continue
			}
			drawn = append(drawn, bars.Values)
			if letter, _, ok := strings.Cut(t.Title, " "); ok {
				bars.Title = letter + " " + bars.Title
			}
			charts = append(charts, bars)
		}
	}
	return charts
}

// joinBars draws the throughput of each method, inside or between trees.
func joinBars(rows []paper.Row, where string) *sheet.Bars {
	b := &sheet.Bars{Title: where + " the trees", YTitle: "throughput"}
	for _, x := range rows {
		if group := strings.TrimSuffix(x.Item, " servers a tree"); !slices.Contains(b.Groups, group) {
			b.Groups = append(b.Groups, group)
		}
	}
	for _, m := range methods {
		var values []float64
		for _, x := range rows {
			if x.Quantity == m.name+" "+where {
				values = append(values, x.Ours)
			}
		}
		b.Names, b.Values = append(b.Names, m.name), append(b.Values, values)
	}
	return b
}
