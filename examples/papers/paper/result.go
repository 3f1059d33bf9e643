package paper

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model/view/sheet"
)

// AllReadings selects all readings in Options.Readings.
const AllReadings = "all"

// Options are the options of a run.
type Options struct {
	Seeds int  // random networks of each kind; defaults to Item.Seeds
	Quick bool // shorter simulations, without the largest networks
	// Readings selects the readings of what the paper leaves open: nil only the default one, AllReadings
	// all, otherwise those that contain each of the texts.
	Readings []string
	// Store keeps the results of points. It may be nil.
	Store    *Store
	Progress Progress

	offered []string // the readings that an item has asked about, and whether one is wanted
	wanted  bool
}

// Progress holds functions that a running item calls. Each may be nil.
type Progress struct {
	Rows   func(rows int)                            // after each row
	Points func(done, total int, left time.Duration) // after each point of Result.Points; left is negative if unknown
}

// Result has the rows and notes of an item.
type Result struct {
	Options
	Item    *Item
	Rows    []Row
	Notes   []string
	Charts  []sheet.Chart
	Seconds float64 // time of this run

	plan *pass // if not nil, Points computes nothing
}

// Run computes an item. If the item has no Compute, the result is empty.
func (x *Item) Run(ctx context.Context, o Options) (*Result, error) {
	if o.Seeds == 0 {
		o.Seeds = x.Seeds
	}
	r := &Result{Options: o, Item: x}
	began := time.Now()
	if x.Compute != nil {
		if err := x.Compute(ctx, r); err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	if len(r.Readings) > 0 && len(r.offered) > 0 && !r.wanted {
		return nil, fmt.Errorf("%s: no reading has the words %q; there are: %s", x.Name, r.Readings, strings.Join(r.offered, "; "))
	}
	if x.Charts != nil {
		r.Charts = x.Charts(r)
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// Wants reports whether the options select the reading with the given place in the item's list of
// readings. The first reading of a list is the default one. Readings of Item.Beside are default ones, too.
func (r *Result) Wants(i int, reading string) bool {
	if !slices.Contains(r.offered, reading) {
		r.offered = append(r.offered, reading)
	}
	if len(r.Readings) == 0 {
		return i == 0 || slices.Contains(r.Item.Beside, reading)
	}
	is := !slices.ContainsFunc(r.Readings, func(part string) bool { return part != AllReadings && !strings.Contains(reading, part) })
	r.wanted = r.wanted || is
	return is
}

// Others returns how many readings the item has that are not in its rows, or -1 if they have no list.
func (r *Result) Others() int {
	if len(r.offered) == 0 {
		return -1
	}
	has := Readings(r.Rows)
	return len(slices.DeleteFunc(slices.Clone(r.offered), func(reading string) bool { return slices.Contains(has, reading) }))
}

// Default returns the default reading: that of the first row which has one.
func (r *Result) Default() string {
	for i := range r.Rows {
		if r.Rows[i].Reading != "" {
			return r.Rows[i].Reading
		}
	}
	return ""
}

// DefaultRows returns the rows of the default reading, and those without a reading.
func (r *Result) DefaultRows() (list []Row) {
	reading := r.Default()
	for _, x := range r.Rows {
		if x.Reading == reading || x.Reading == "" {
			list = append(list, x)
		}
	}
	return list
}

// Row returns the row of the default reading with the given item and quantity, or nil.
func (r *Result) Row(item, quantity string) *Row { return r.RowBy(r.Default(), item, quantity) }

// RowBy returns the row of a reading, or nil. A row without a reading belongs to every reading.
func (r *Result) RowBy(reading, item, quantity string) *Row {
	for i := range r.Rows {
		if x := &r.Rows[i]; x.Item == item && x.Quantity == quantity && (x.Reading == reading || x.Reading == "") {
			return x
		}
	}
	return nil
}
