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
	HasJournal          bool // Options.Journal applies
	HasReadings         bool // Options.Readings applies
	HasFigure           bool // Result.Charts is set; true for those with RowCharts
	// RowCharts draws the figure from rows alone, also from recorded ones. It may be nil.
	RowCharts func(rows []Row) []sheet.Chart
	// Compute fills the result.
	Compute func(ctx context.Context, r *Result) error
}

// Options say how a reproduction runs.
type Options struct {
	Seeds int  // random networks of each kind; defaults to Reproduction.Seeds
	Quick bool // leave out the largest networks
	// Journal names a file that keeps the results of long runs, or is empty.
	Journal string
	// Readings choose how to read what the paper leaves open.
	Readings []string
	Progress Progress
}

// Progress holds functions that a running reproduction calls. Each may be nil.
type Progress struct {
	Rows     func(rows int)                                   // after each row
	Points   func(done, total int, left time.Duration)        // after each simulation of a long run
	Estimate func(simulations, rounds int, all time.Duration) // before a long run
}

// Result is what a reproduction computed.
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

// ChartsOf draws rows that this run or an earlier one computed. RowCharts must not be nil.
func (p *Reproduction) ChartsOf(rows []Row, o Options) []sheet.Chart {
	return p.RowCharts(slices.DeleteFunc(slices.Clone(rows), func(x Row) bool { return !o.Selects(x.Reading) }))
}

// Selects reports whether each text of o.Readings ends reading or one of its parts, which commas separate.
func (o *Options) Selects(reading string) bool {
	return !slices.ContainsFunc(o.Readings, func(part string) bool {
		return !strings.HasSuffix(reading, part) && !strings.Contains(reading, part+",")
	})
}
