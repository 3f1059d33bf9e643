package paper

import (
	"slices"

	"github.com/turnproof/turnproof/model/view/sheet"
)

// Curve returns the points of a curve: those rows for which at returns an x value and true.
func Curve(rows []Row, at func(*Row) (float64, bool)) (list []sheet.Point) {
	for i := range rows {
		if x, ok := at(&rows[i]); ok {
			list = append(list, sheet.Point{X: x, Y: rows[i].Ours, Error: rows[i].Spread})
		}
	}
	return list
}

// ByReading returns the charts of each reading of a result.
func ByReading(draw func(r *Result, reading string, rows []Row) []sheet.Chart) func(r *Result) []sheet.Chart {
	return func(r *Result) (charts []sheet.Chart) {
		for _, reading := range Readings(r.Rows) {
			rows := slices.DeleteFunc(slices.Clone(r.Rows), func(x Row) bool { return x.Reading != reading })
			charts = append(charts, draw(r, reading, rows)...)
		}
		return charts
	}
}

// Drawn returns the charts that Compute set. It is Item.Charts of items whose rows are not enough.
func Drawn(r *Result) []sheet.Chart { return r.Charts }

// Readings returns the readings of rows, each once, in order.
func Readings(rows []Row) (list []string) {
	for _, x := range rows {
		if !slices.Contains(list, x.Reading) {
			list = append(list, x.Reading)
		}
	}
	return list
}

// Charts returns charts of one kind as a list of charts.
func Charts[C sheet.Chart](list []C) []sheet.Chart {
	charts := make([]sheet.Chart, len(list))
	for i, c := range list {
		charts[i] = c
	}
	return charts
}
