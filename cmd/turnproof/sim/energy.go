package sim

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine/energy"
	"github.com/turnproof/turnproof/internal/wording"
)

// This file adds the energy and the area of the network to the results.

func energyFlags() []cli.Flag {
	return []cli.Flag{&cli.Input{StringFlag: cli.StringFlag{Name: "energy", Category: cli.CategoryRun,
		Usage: "compute energy and area with the costs of `FILE`, lines \"event cost\" (see docs/simulator.md)"}}}
}

// readCosts reads the file of --energy, or returns nil if the flag is not set.
func readCosts(c *cli.Context) (*energy.Costs, error) {
	file := c.String("energy")
	if file == "" {
		return nil, nil
	}
	if f := c.Float64("frequency"); !(f > 0 && f <= 1000) {
		return nil, fmt.Errorf("--frequency %g: want GHz above 0, up to 1000", f)
	}
	cli.Reads(c, file)
	return energy.Read(file)
}

// energyJSON is the energy and area of a run.
type energyJSON struct {
	Events []energyEventJSON `json:"events"`
	Static float64           `json:"static_pj"`
	Total  float64           `json:"total_pj"`
	Area   float64           `json:"area_um2"`
}

type energyEventJSON struct {
	Event string  `json:"event"`
	Flits int64   `json:"flits"`
	Pico  float64 `json:"pj"`
}

func newEnergyJSON(r *energy.Report) *energyJSON {
	if r == nil {
		return nil
	}
	j := &energyJSON{Static: r.Static, Total: r.Total, Area: r.Area}
	for _, e := range r.Events {
		j.Events = append(j.Events, energyEventJSON{e.Name, e.Count, e.PicoJoule})
	}
	return j
}

// energyText prints the energy and area, if any.
func energyText(w io.Writer, r *energy.Report) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "%-12s %.6g nJ, of these %.6g static\n", "energy:", r.Total/1000, r.Static/1000)
	for _, e := range r.Events {
		fmt.Fprintf(w, "  %-14s %15s flits %12.6g nJ\n", e.Name, wording.Thousands(e.Count), e.PicoJoule/1000)
	}
	if r.Area > 0 {
		fmt.Fprintf(w, "%-12s %.6g um2 of buffers and crossbars\n", "area:", r.Area)
	}
}
