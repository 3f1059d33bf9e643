package paper

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model/view/sheet"
)

// Reproduction is a table or figure of a paper that a function computes.
type Reproduction struct {
	Name, About, Source string
	Seeds               int  // number of random networks in the paper, or 0 if it has none
	HasJournal          bool // whether Options.Journal applies
	HasReadings         bool // whether Options.Readings applies
	HasFigure           bool // whether Result.Charts is set; true if RowCharts is not nil
	// RowCharts draws the figure from rows, which may come from an earlier run. It may be nil.
	RowCharts func(rows []Row) []sheet.Chart
	// Compute fills the result.
	Compute func(ctx context.Context, r *Result) error
}

// Options are the options of a reproduction.
type Options struct {
	Seeds int  // random networks of each kind; defaults to Reproduction.Seeds
	Quick bool // leave out the largest networks
	// Journal, if not empty, is a file that keeps the results of long runs.
	Journal string
	// Readings selects the readings of what the paper leaves open. If nil, all.
	Readings []string
	Progress Progress
}

// Progress holds functions that a running reproduction calls. Each may be nil.
type Progress struct {
	Rows     func(rows int)                                   // after each row
	Points   func(done, total int, left time.Duration)        // after each simulation of a long run
	Estimate func(simulations, rounds int, all time.Duration) // before a long run
}

// Result has the rows, notes and charts of a reproduction.
type Result struct {
	Options
	Rows   []Row
	Notes  []string
	Charts []sheet.Chart
}

// Run computes the reproduction. Its charts leave out the rows of readings that o does not select.
func (p *Reproduction) Run(ctx context.Context, o Options) (*Result, error) {
	if o.Seeds == 0 {
		o.Seeds = p.Seeds
	}
	r := &Result{Options: o}
	if err := p.Compute(ctx, r); err != nil {
		return nil, err
	}
	if p.RowCharts != nil {
		r.Charts = p.ChartsOf(r.Rows, o)
	}
	return r, nil
}

// ChartsOf draws rows of this run or of an earlier one. RowCharts must not be nil.
func (p *Reproduction) ChartsOf(rows []Row, o Options) []sheet.Chart {
	return p.RowCharts(slices.DeleteFunc(slices.Clone(rows), func(x Row) bool { return !o.Selects(x.Reading) }))
}

// Selects reports whether each text of o.Readings is a suffix of reading or of one of its parts,
// which commas separate.
func (o *Options) Selects(reading string) bool {
	return !slices.ContainsFunc(o.Readings, func(part string) bool {
		return !strings.HasSuffix(reading, part) && !strings.Contains(reading, part+",")
	})
}
