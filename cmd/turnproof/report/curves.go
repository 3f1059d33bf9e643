package report

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/model/view/wording"
)

// This file simulates the routings of a report under rising load.

// loadSteps is how many loads are simulated.
const loadSteps = 10

// curves is the section on latency under load.
func (r *report) curves(ctx context.Context) (page.Section, error) {
	s := page.Section{ID: "latency", Title: "Latency under load"}
	hosts := r.routings[0].in.Net.NumHosts()
	switch asked := r.c.IsSet("simulate"); {
	case asked && !r.c.Bool("simulate"):
		s.Blocks = []page.Block{page.Note{Text: "Not simulated: --simulate=false."}}
		return s, nil
	case !asked && hosts > simulateHosts:
		s.Blocks = []page.Block{page.Note{Text: fmt.Sprintf("Not simulated: %s hosts are more than %d, and each point takes time in proportion to hosts and path lengths. --simulate simulates larger networks, too.", wording.Thousands(int64(hosts)), simulateHosts)}}
		return s, nil
	}
	e := r.experiment()
	w := &simrun.Sweeper{Made: map[[2]string]*input.Input{}}
	names := map[string]string{}
	for _, x := range r.routings {
		w.Made[[2]string{r.path, x.in.Routing}] = x.in
		names[x.in.Routing] = x.name
	}
	if err := e.Check(nil); err != nil {
		return s, err
	}
	results, err := sweep.Run(ctx, e, sweep.Options{Progress: cli.ProgressOf(r.c.App.ErrWriter).Counter("points")}, w.Point)
	if err != nil && ctx.Err() == nil && !r.c.IsSet("simulate") { // not worth losing the rest for
		s.Blocks = []page.Block{page.Note{Text: "Not simulated: " + err.Error() + "."}}
		return s, nil
	}
	if err != nil {
		return s, err
	}
	curves := sweep.Curves(results)
	k := e.Settings
	s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("Simulated flit by flit or, if exact, packet by packet: uniform traffic, packets of %s, buffers of %s, switching %s, router model %s, %s clocks of which the first %s are not measured, seed %d. Latency is from the creation of a packet to the arrival of its tail; a deadlock ends a run.",
		wording.Count(k.Packet, "flit", "s"), wording.Count(k.Buffer, "flit", "s"), k.Switching, k.Model, wording.Thousands(int64(k.Clocks)), wording.Thousands(int64(k.Warmup)), r.c.Uint64("seed"))))
	s.Blocks = append(s.Blocks, latencyChart(curves, names), acceptedChart(curves, names), latencyTable(results, names))
	return s, nil
}

// experiment is the same loads for every routing: up to a little more than the best of them
// can carry.
func (r *report) experiment() *sweep.Experiment {
	most := 0.0
	for _, x := range r.routings {
		if x.flow != nil {
			most = max(most, x.flow.Throughput())
		}
	}
	if most == 0 || most > 1 {
		most = 1
	}
	e := &sweep.Experiment{Networks: []string{r.path}, Traffics: []string{"uniform"}, Seeds: []uint64{r.c.Uint64("seed")}}
	for _, x := range r.routings {
		e.Routings = append(e.Routings, x.in.Routing)
	}
	step := most * 1.1 / loadSteps
	unit := math.Pow(10, math.Floor(math.Log10(step))-1) // two digits that matter
	for k := 1; k <= loadSteps; k++ {
		if load := math.Round(math.Ceil(step/unit)*float64(k)*unit*1e6) / 1e6; load <= 1 {
			e.Loads = append(e.Loads, load)
		}
	}
	clocks := engine.Clock(r.c.Int64("clocks"))
	e.Settings = sweep.Settings{Model: engine.Paper, Switching: model.Switching(r.routings[0].check.Switching), Waiting: model.Waiting(r.c.String("waiting")), Clocks: clocks, Warmup: clocks / 5}
	if e.Settings.Switching == model.Wormhole {
		e.Settings.Model = engine.BookSim // as sim: the default of either is the other's
	}
	return e
}

// latencyChart is mean latency over offered load.
func latencyChart(curves []sweep.Curve, names map[string]string) *page.Chart {
	c := &page.Chart{ID: "latency-chart", Title: "Mean latency over offered load", X: "offered load (flits/clock/host)", Y: "mean latency (clocks)", Top: sweep.LatencyTop(curves, 5)}
	for _, curve := range curves {
		line := page.Curve{Name: names[curve.Routing]}
		for _, m := range curve.Means {
			y := m.Latency
			if m.Deadlocks > 0 {
				y = math.NaN()
				c.Notes = append(c.Notes, fmt.Sprintf("%s froze at a load of %s.", line.Name, simrun.FigureText(m.Load, 4)))
			}
			line.Points = append(line.Points, page.Point{X: m.Offered, Y: y, Text: fmt.Sprintf("offered %s, latency %s clocks%s", simrun.FigureText(m.Offered, 4), simrun.FigureText(m.Latency, 2), simrun.PlusMinus(m.LatencyError, 2))})
		}
		c.Curves = append(c.Curves, line)
	}
	c.Notes = append(c.Notes, "The axis ends at five times the latency at the lowest load; lines leave the chart where the network is full.")
	return c
}

// acceptedChart is accepted over offered load.
func acceptedChart(curves []sweep.Curve, names map[string]string) *page.Chart {
	c := &page.Chart{ID: "accepted-chart", Title: "Accepted over offered load", X: "offered load (flits/clock/host)", Y: "accepted load (flits/clock/host)"}
	for _, curve := range curves {
		line := page.Curve{Name: names[curve.Routing]}
		for _, m := range curve.Means {
			y := m.Accepted
			if m.Deadlocks > 0 {
				y = math.NaN()
			}
			line.Points = append(line.Points, page.Point{X: m.Offered, Y: y, Text: fmt.Sprintf("offered %s, accepted %s%s", simrun.FigureText(m.Offered, 4), simrun.FigureText(m.Accepted, 4), simrun.PlusMinus(m.AcceptedError, 4))})
		}
		c.Curves = append(c.Curves, line)
	}
	return c
}

// latencyTable is the values.
func latencyTable(results []sweep.Result, names map[string]string) *page.Table {
	t := &page.Table{ID: "latency-table", Caption: "All runs: loads in flits per clock and host, latencies in clocks", Columns: []page.Column{
		{Name: "Routing"}, {Name: "Load", Number: true}, {Name: "Accepted", Number: true}, {Name: "Latency", Number: true}, {Name: "Median", Number: true}, {Name: "99 %", Number: true}, {Name: "Deadlock"}}}
	for _, x := range results {
		frozen := "-"
		if x.Deadlock {
			frozen = fmt.Sprintf("in clock %d", x.DeadlockClock)
		}
		t.Rows = append(t.Rows, page.Row{Cells: []string{names[x.Point.Routing], simrun.FigureText(x.Point.Load, 4), simrun.FigureText(x.Accepted, 4), simrun.FigureText(x.MeanLatency, 2), simrun.FigureText(x.MedianLatency, 0), simrun.FigureText(x.P99Latency, 0), frozen}})
	}
	return t
}
