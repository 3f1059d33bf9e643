package reproduce

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file draws what reproduce found, also from rows that an earlier run wrote.

// rowCharts draw the reproductions whose rows hold all that there is to draw.
var rowCharts = map[string]func(rows []reproducedRow) []sheet.Chart{
	"nf1/figure-15":           requestCharts,
	"turn-addition/figure-21": sizeCharts,
	"turn-addition/figure-22": joinCharts("two joined fat trees", "wires crossed"),
	"turn-addition/figure-25": joinCharts("fat trees joined in the middle, by servers a tree", "wires crossed"),
}

// hasFigure reports whether a reproduction can be drawn.
func hasFigure(name string) bool {
	return rowCharts[name] != nil || strings.HasPrefix(name, "flow-limiting/") || strings.HasPrefix(name, "nf1/")
}

// drawRows draws a reproduction, but for those that draw themselves.
func (r *reproducer) drawRows(name string) error {
	if r.figure == "" || strings.HasPrefix(name, "flow-limiting/") {
		return nil
	}
	charts := r.charts
	if of := rowCharts[name]; of != nil {
		charts = of(slices.DeleteFunc(slices.Clone(r.rows), func(x reproducedRow) bool { return !r.wants(x.Reading) }))
	}
	if len(charts) == 0 {
		return fmt.Errorf("--figure: there is nothing to draw of %s", name)
	}
	return r.draw(func(w io.Writer, format string) error {
		return sheet.WriteCharts(w, format, sheet.Layout{Width: r.width}, charts)
	})
}

// draw writes the figure, if one was asked for.
func (r *reproducer) draw(write func(w io.Writer, format string) error) error {
	if r.figure == "" {
		return nil
	}
	return sheet.ToFile(r.figure, write)
}

// requestCharts are throughput over requested load, a chart for each reading.
func requestCharts(rows []reproducedRow) (charts []sheet.Chart) {
	for _, reading := range readingsOf(rows) {
		c := &sheet.Lines{Title: reading, XTitle: "requested load (flits/clock/PE)", YTitle: "throughput (flits/clock/PE)", Ideal: "all that is requested"}
		for _, routing := range nfRoutings {
			c.Names, c.Points = append(c.Names, routing.name), append(c.Points, curveOf(rows, reading, func(x *reproducedRow) (float64, bool) {
				text, ok := strings.CutPrefix(x.Quantity, "throughput at requested load ")
				at, err := strconv.ParseFloat(text, 64)
				return at, ok && err == nil && x.Item == routing.name
			}))
		}
		charts = append(charts, c)
	}
	return charts
}

// sizeCharts are throughput over the number of switches.
func sizeCharts(rows []reproducedRow) (charts []sheet.Chart) {
	for _, reading := range readingsOf(rows) {
		c := &sheet.Lines{Title: "random networks, " + reading, XTitle: "switches", YTitle: "throughput"}
		for _, m := range additionMethods {
			c.Names, c.Points = append(c.Names, m.name), append(c.Points, curveOf(rows, reading, func(x *reproducedRow) (float64, bool) {
				size, ok := strings.CutSuffix(x.Item, " switches")
				at, err := strconv.ParseFloat(size, 64)
				return at, ok && err == nil && x.Quantity == m.name
			}))
		}
		charts = append(charts, c)
	}
	return charts
}

// joinCharts are bars of the throughput inside and between joined trees, under one reading.
func joinCharts(title, reading string) func([]reproducedRow) []sheet.Chart {
	return func(rows []reproducedRow) (charts []sheet.Chart) {
		rows = slices.DeleteFunc(slices.Clone(rows), func(x reproducedRow) bool { return !strings.Contains(x.Reading, reading) })
		for _, where := range []string{"inside", "between"} {
			b := &sheet.Bars{Title: title + ": " + where, YTitle: "throughput"}
			for _, x := range rows {
				if group := strings.TrimSuffix(x.Item, " servers a tree"); !slices.Contains(b.Groups, group) {
					b.Groups = append(b.Groups, group)
				}
			}
			for _, m := range additionMethods {
				var values []float64
				for _, x := range rows {
					if x.Quantity == m.name+" "+where {
						values = append(values, x.Ours)
					}
				}
				b.Names, b.Values = append(b.Names, m.name), append(b.Values, values)
			}
			charts = append(charts, b)
		}
		return charts
	}
}

// curveOf gathers the points of a curve: at gives the place of a row on it, if it has one.
func curveOf(rows []reproducedRow, reading string, at func(*reproducedRow) (float64, bool)) (list []sheet.Point) {
	for i := range rows {
		if x, ok := at(&rows[i]); ok && rows[i].Reading == reading {
			list = append(list, sheet.Point{X: x, Y: rows[i].Ours, Error: rows[i].Spread})
		}
	}
	return list
}

func readingsOf(rows []reproducedRow) (list []string) {
	for _, x := range rows {
		if !slices.Contains(list, x.Reading) {
			list = append(list, x.Reading)
		}
	}
	return list
}

// recordedRows reads the rows of a reproduction from what --format markdown wrote.
func recordedRows(file, name string) ([]reproducedRow, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--recorded: %w", err)
	}
	var rows []reproducedRow
	within := false
	for k, line := range strings.Split(string(text), "\n") {
		if head, ok := strings.CutPrefix(line, "## "); ok {
			within = head == name
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
		if !within || len(cells) != len(reproducedHead) || cells[0] == reproducedHead[0] || strings.HasPrefix(cells[0], "---") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		x := reproducedRow{Item: cells[0], Quantity: cells[1], Reading: cells[6]}
		if x.Ours, err = strconv.ParseFloat(cells[3], 64); err != nil || math.IsNaN(x.Ours) {
			return nil, fmt.Errorf("--recorded: %s:%d: %q is no number", file, k+1, cells[3])
		}
		if spread, ok := strings.CutPrefix(cells[4], "± "); ok {
			if x.Spread, err = strconv.ParseFloat(spread, 64); err != nil {
				return nil, fmt.Errorf("--recorded: %s:%d: %q is no number", file, k+1, spread)
			}
		}
		rows = append(rows, x)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("--recorded: %s has no rows of %s, as reproduce --format markdown writes them", file, name)
	}
	return rows, nil
}
