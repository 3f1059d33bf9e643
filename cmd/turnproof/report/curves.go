package report

import (
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/engine/sweep/latency"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth/report"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file simulates the routings of a report under rising load.

const (
	// loadSteps is the number of loads that are simulated.
	loadSteps = 10
	// simulateHosts is the largest number of hosts of a network that is simulated by default.
	simulateHosts = 256
)

// curves returns the section on latency under load.
func curves(c *cli.Context, path string, r *report.Report) (page.Section, error) {
	hosts := r.Routings()[0].Subject.Net.NumHosts()
	switch asked := c.IsSet("simulate"); {
	case asked && !c.Bool("simulate"):
		return latency.Omitted("--simulate=false."), nil
	case !asked && hosts > simulateHosts:
		return latency.Omitted(fmt.Sprintf("%s hosts are more than %d, and each point takes time in proportion to hosts and path "+
			"lengths. --simulate simulates larger networks, too.",
			wording.Thousands(int64(hosts)), simulateHosts)), nil
	}
	e := experiment(c, path, r)
	w := &simrun.Sweeper{Made: map[[2]string]*resolve.Subject{}}
	names := map[string]string{}
	for _, x := range r.Routings() {
		if err := simrun.OnlyHosts(x.Subject); err != nil {
			return latency.Omitted(err.Error() + "."), nil
		}
		w.Made[[2]string{path, x.Subject.Routing}] = x.Subject
		names[x.Subject.Routing] = x.Name
	}
	if err := e.Check(nil); err != nil {
		return page.Section{}, err
	}
	results, err := sweep.Run(c.Context, e, sweep.Options{Progress: cli.ProgressOf(c.App.ErrWriter).Counter("points")}, w.Point)
	if err != nil && c.Context.Err() == nil && !c.IsSet("simulate") {
		return latency.Omitted(err.Error() + "."), nil // the other sections are worth a page
	}
	if err != nil {
		return page.Section{}, err
	}
	return latency.Section(e, results, names), nil
}

// experiment returns an experiment with the same loads for all routings. The largest load is a
// little more than the highest throughput of a routing.
func experiment(c *cli.Context, path string, r *report.Report) *sweep.Experiment {
	e := &sweep.Experiment{Networks: []string{path}, Traffics: []string{"uniform"}, Seeds: []uint64{c.Uint64("seed")}}
	most := 0.0
	for _, x := range r.Routings() {
		most = max(most, x.Throughput())
		e.Routings = append(e.Routings, x.Subject.Routing)
	}
	e.Loads = latency.Loads(most, loadSteps)
	clocks := engine.Clock(c.Int64("clocks"))
	e.Settings = sweep.Settings{Model: engine.Paper, Switching: model.Switching(r.Routings()[0].Check.Switching),
		Waiting: model.Waiting(c.String("waiting")),
		Clocks:  clocks, Warmup: clocks / 5}
	if e.Settings.Switching == model.Wormhole {
		e.Settings.Model = engine.BookSim // the default of sim for wormhole switching
	}
	return e
}
