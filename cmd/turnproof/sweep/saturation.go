package sweep

import (
	"fmt"
	"math"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/cmd/turnproof/rows"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file runs searches for the load at which networks saturate.

func runSaturation(c *cli.Context, arg string, e *sweep.Experiment, w *simrun.Sweeper, o machines.Options) error {
	began := time.Now()
	names, err := rows.Columns(c, saturationColumns(true))
	if err != nil {
		return err
	}
	work, err := e.Saturations(c.App.Version, c.Float64("saturation"), w.Point, w.Bound)
	if err != nil {
		return err
	}
	found, done, err := machines.Run(c, work, o)
	if err != nil || !done {
		return err
	}
	var results []sweep.Result
	for i := range found {
		results = append(results, found[i].Results...)
	}
	if err := writeSweep(c, results); err != nil {
		return err
	}
	return printSaturation(c, arg, results, found, names, time.Since(began).Seconds())
}

// saturationColumns returns the columns of the table. Those of the mean over the seeds are left out for one seed.
func saturationColumns(seeds bool) []tables.Column {
	columns := append(pointColumns(), tables.Column{Name: "saturation", Type: tables.Decimal, Digits: 4})
	if seeds {
		columns = append(columns, tables.Column{Name: "mean", Type: tables.Decimal, Digits: 4},
			tables.Column{Name: "mean_error", Head: "±", Type: tables.Decimal, Digits: 4})
	}
	return append(columns, tables.Column{Name: "bound", Type: tables.Decimal, Digits: 4}, tables.Column{Name: "latency", Type: tables.Decimal, Digits: 2},
		tables.Column{Name: "runs", Type: tables.Integer}, tables.Column{Name: "clocks", Type: tables.Integer}, tables.Column{Name: "remark"})
}

func printSaturation(c *cli.Context, arg string, results []sweep.Result, found []sweep.Saturation, names []string, seconds float64) error {
	if c.Bool("json") {
		return printJSON(c, arg, results, found, seconds)
	}
	format, err := rows.ResultFormat(c)
	if err != nil {
		return err
	}
	means, several := sweep.SaturationMeans(found)
	several = several || len(names) > 0
	var list [][]any
	for i := range found {
		s := &found[i]
		p := s.Results[0].Point
		row := []any{p.Network, p.Routing, p.Traffic, p.Seed, s.Load}
		if several {
			row = append(row, means[i].Load, means[i].Error)
		}
		list = append(list, append(row, known(s.Bound), s.Results[0].MeanLatency, len(s.Results), s.Clocks, remark(s)))
	}
	return rows.Print(c.App.Writer, format, tables.Schema{Caption: "Saturation of " + resolve.Title(arg), Columns: saturationColumns(several)}, list, names)
}

// known returns x, or nil if x is 0.
func known(x float64) any {
	if x == 0 {
		return nil
	}
	return x
}

// remark says what limits the meaning of a result.
func remark(s *sweep.Saturation) string {
	for _, r := range s.Results {
		if r.Deadlock {
			return fmt.Sprintf("deadlock at load %s", wording.Decimal(r.Point.Load, 4))
		}
	}
	switch {
	case s.Load == 0:
		return "follows no load"
	case s.Above == 0:
		return "follows every load"
	}
	return "-"
}

// saturationJSON is a Saturation without its runs.
type saturationJSON struct {
	Network string       `json:"network"`
	Routing string       `json:"routing"`
	Traffic string       `json:"traffic"`
	Seed    uint64       `json:"seed"`
	Load    float64      `json:"load"`
	Mean    float64      `json:"mean"`
	Error   *float64     `json:"mean_error"` // null for one seed
	Above   float64      `json:"above"`
	Bound   float64      `json:"bound"`
	Clocks  engine.Clock `json:"clocks"`
}

func saturationsJSON(found []sweep.Saturation) (list []saturationJSON) {
	means, _ := sweep.SaturationMeans(found)
	for i, s := range found {
		p := s.Results[0].Point
		var half *float64
		if !math.IsNaN(means[i].Error) {
			half = &means[i].Error
		}
		list = append(list, saturationJSON{p.Network, p.Routing, p.Traffic, p.Seed, s.Load, means[i].Load, half, s.Above, s.Bound, s.Clocks})
	}
	return list
}
