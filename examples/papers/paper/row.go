package paper

import (
	"fmt"
	"math"
	"slices"
)

// Row has a published value and the computed one.
type Row struct {
	Item      string   `json:"item"`
	Quantity  string   `json:"quantity"`
	Published *float64 `json:"published"` // null if the paper has no value there
	Ours      float64  `json:"ours"`      // computed value, average over the networks
	Spread    float64  `json:"spread"`    // sample standard deviation over the networks, or 0 for one network
	Networks  int      `json:"networks"`
	Ratio     *float64 `json:"ratio"` // Ours divided by Published
	Reading   string   `json:"reading"`
	Text      string   `json:"text,omitempty"` // shown in place of Ours, if not empty
}

// AddRow adds a row with the average of values. published is NaN if the paper has no value. AddRow
// adds no row if a value is NaN, for example the latency if no packet arrived.
func (r *Result) AddRow(item, quantity, reading string, published float64, values ...float64) {
	if slices.ContainsFunc(values, math.IsNaN) {
		return
	}
	x := Row{Item: item, Quantity: quantity, Reading: reading, Networks: len(values), Ours: Mean(values)}
	for _, v := range values {
		if len(values) > 1 {
			x.Spread += (v - x.Ours) * (v - x.Ours) / float64(len(values)-1)
		}
	}
	if x.Spread = math.Sqrt(x.Spread); x.Spread < 1e-9*math.Abs(x.Ours) {
		x.Spread = 0 // the difference is a rounding error
	}
	if !math.IsNaN(published) {
		x.Published = &published
		if ratio := x.Ours / published; published != 0 {
			x.Ratio = &ratio
		}
	}
	r.Rows = append(r.Rows, x)
	if r.Progress.Rows != nil {
		r.Progress.Rows(len(r.Rows))
	}
}

// AddText adds a row whose value is a word. The number stands for the word in computations. As AddRow, it
// adds none for NaN.
func (r *Result) AddText(item, quantity, reading, text string, number float64) {
	before := len(r.Rows)
	r.AddRow(item, quantity, reading, math.NaN(), number)
	if len(r.Rows) > before {
		r.Rows[before].Text = text
	}
}

// AddNote adds a sentence about the rows.
func (r *Result) AddNote(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// Mean returns the average of values, or 0 without values.
func Mean(values []float64) (m float64) {
	for _, v := range values {
		m += v / float64(len(values))
	}
	return m
}

// Head returns the titles of Cells.
func Head() []string {
	return []string{"item", "quantity", "published", "ours", "spread", "networks", "ratio", "reading"}
}

// Cells returns the row as texts, in the order of Head. Numbers that a row does not have are empty.
func (x *Row) Cells() []string {
	published, ratio, spread := "", "", ""
	if x.Published != nil {
		published = fmt.Sprintf("%.6g", *x.Published)
	}
	if x.Ratio != nil {
		ratio = fmt.Sprintf("%.4g", *x.Ratio)
	}
	if x.Networks > 1 {
		spread = fmt.Sprintf("%.3g", x.Spread)
	}
	ours := fmt.Sprintf("%.6g", x.Ours)
	if x.Text != "" {
		ours = x.Text
	}
	return []string{x.Item, x.Quantity, published, ours, spread, fmt.Sprint(x.Networks), ratio, x.Reading}
}
