package paper

import (
	"slices"

	"github.com/turnproof/turnproof/model/view/sheet"
)

// Curve returns the points of a curve under one reading. at returns the x value of a row, and false
// if the row is not on the curve.
func Curve(rows []Row, reading string, at func(*Row) (float64, bool)) (list []sheet.Point) {
	for i := range rows {
		if x, ok := at(&rows[i]); ok && rows[i].Reading == reading {
			list = append(list, sheet.Point{X: x, Y: rows[i].Ours, Error: rows[i].Spread})
		}
	}
	return list
}

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
