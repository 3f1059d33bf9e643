package turnmodel

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file measures the throughput columns: the highest rate at which hosts receive, in flits per
// clock and host. Section 5.2 of the paper sets 64 switches with 4 hosts each, packets of 128 flits,
// virtual cut-through switching, and 1,000,000 clocks. The first 50,000 clocks are not measured. A flit takes
// 3 clocks from switch to switch. Of several outputs a packet takes the lowest port.

// switchReading is one reading of what the paper leaves open about the switch.
type switchReading struct {
	name       string
	buffers    int // number of packets that fit into a buffer
	linkClocks int
	selection  engine.Selection
}

var switchReadings = []switchReading{
	{"a flit a clock, buffers of 1 packet", 1, 1, engine.SelectLowest},
	{"a flit a clock, buffers of 2 packets", 2, 1, engine.SelectLowest},
	{"a flit a clock, buffers of 4 packets", 4, 1, engine.SelectLowest},
	{"a flit a clock, buffers of 2 packets, random output", 2, 1, engine.SelectRandom},
	{"a flit in 3 clocks, buffers of 2 packets", 2, 3, engine.SelectLowest},
}

const paperFlits = 128

// settings returns the paper's settings at a load.
func (x *switchReading) settings(traffic string, load float64, clocks engine.Clock) trial.Settings {
	return trial.Settings{
		Engine: engine.Options{Timing: engine.Paper, Switching: model.CutThrough, Select: x.selection, BufferFlits: x.buffers * paperFlits,
			LinkClocks: x.linkClocks},
		Traffic: traffic, NoSelf: true, Load: load, Flits: paperFlits, Clocks: clocks, Warmup: clocks / 20, Seed: 1,
	}
}

// throughput returns the first maximum of the accepted load over rising offered loads. It first
// tries loads in steps of 15 %, with a quarter of the clocks, until one gives clearly less than
// the best so far. Then it measures the best load and its neighbours with all clocks. It stops at
// the first maximum because far beyond saturation the accepted load can rise again: pairs that
// share no link with others send more and more.
func (x *switchReading) throughput(ctx context.Context, r model.Relation, traffic string, clocks engine.Clock) (float64, error) {
	accepted := func(load float64, clocks engine.Clock) (float64, error) {
		res, err := trial.Run(ctx, r, x.settings(traffic, min(load, 1), clocks))
		if err == nil && res.Deadlock != nil {
			err = fmt.Errorf("a deadlock in clock %d", res.Deadlock.Clock)
		}
		if err != nil {
			return 0, err
		}
		return res.Accepted, nil
	}
	best, peak := 0.0, 0.0
	for load := 0.02 / float64(x.linkClocks); load < 1.15; load *= 1.15 {
		a, err := accepted(load, clocks/4)
		switch {
		case err != nil:
			return 0, err
		case a > best:
			best, peak = a, load
		}
		if a < 0.97*best || a < load/4 {
			break
		}
	}
	best = 0
	for _, load := range []float64{peak / 1.07, peak, peak * 1.07} {
		a, err := accepted(load, clocks)
		if err != nil {
			return 0, err
		}
		best = max(best, a)
	}
	return best, nil
}

var paperTraffics = []struct{ column, pattern string }{{"throughput, uniform", "uniform"}, {"throughput, bit reversal", "bit-reversal"}}

// publishedThroughput has the columns Uni. and Bit. of tables 2 and 3.
var publishedThroughput = map[string]map[string][2]float64{
	"turn-model/table-2": {"updown": {0.0452, 0.0477}, "lturn-alpha": {0.0576, 0.0707}, "lturn-beta": {0.0572, 0.0711}, "rturn-alpha": {0.0468,
		0.0485}, "rturn-beta": {0.0471, 0.0472}},
	"turn-model/table-3": {"updown": {0.0455, 0.0414}, "lturn-alpha": {0.0771, 0.0812}, "lturn-beta": {0.0691, 0.0800}, "rturn-alpha": {0.0507,
		0.0513}, "rturn-beta": {0.0491, 0.0513}},
}

// throughputRows adds the columns for networks, each with its options of synth.
func throughputRows(ctx context.Context, r *paper.Result, table string, networks []string, o synth.Options, root string, readings []switchReading) error {
	clocks := engine.Clock(1_000_000)
	if r.Quick {
		clocks = 40_000
	}
	for _, x := range readings {
		means := map[string][2]float64{}
		for _, p := range table2 { // both tables have the same methods
			for k, traffic := range paperTraffics {
				values, err := throughputs(ctx, networks, p.method, o, traffic.pattern, x, clocks)
				if err != nil {
					return fmt.Errorf("%s: %w", p.method, err)
				}
				r.AddRow(p.method, traffic.column, x.name+root, publishedThroughput[table][p.method][k], values...)
				m := means[p.method]
				m[k] = paper.Mean(values)
				means[p.method] = m
			}
		}
		gains(r, table, x.name+root, means)
	}
	return nil
}

// gains adds notes on the throughput of L-turn and R-turn relative to up*/down*.
func gains(r *paper.Result, table, reading string, means map[string][2]float64) {
	published := publishedThroughput[table]
	best := func(m map[string][2]float64, a, b string, k int) float64 {
		return 100 * (math.Max(m[a][k], m[b][k])/m["updown"][k] - 1)
	}
	for k, traffic := range paperTraffics {
		r.AddRow("best L-turn over updown", traffic.column+", %", reading, best(published, "lturn-alpha", "lturn-beta", k), best(means,
			"lturn-alpha", "lturn-beta", k))
		r.AddRow("best R-turn over updown", traffic.column+", %", reading, best(published, "rturn-alpha", "rturn-beta", k), best(means,
			"rturn-alpha", "rturn-beta", k))
	}
}

// throughputs returns the throughputs of the networks, computed in parallel.
func throughputs(ctx context.Context, networks []string, method string, o synth.Options, traffic string, x switchReading,
	clocks engine.Clock) ([]float64, error) {
	values := make([]float64, len(networks))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, spec := range networks {
		g.Go(func() error {
			n, err := topo.Parse(spec)
			if err != nil {
				return err
			}
			made, err := synth.New(ctx, method, n, o)
			if err != nil {
				return err
			}
			values[i], err = x.throughput(ctx, route.FromTurns(made.Allowed, false), traffic, clocks)
			return err
		})
	}
	return values, g.Wait()
}

// irregularThroughput computes the throughput columns of table 2.
func irregularThroughput(ctx context.Context, r *paper.Result) error {
	var networks []string
	for seed := range r.Seeds {
		networks = append(networks, fmt.Sprintf("random:switches=64,degree=4,hosts=4,seed=%d", seed+1))
	}
	readings := switchReadings
	if r.Quick {
		readings = readings[1:2]
	}
	if err := throughputRows(ctx, r, "turn-model/table-2", networks, synth.Options{Root: "crossing-channel"}, ", root crossing-channel",
		readings); err != nil {
		return err
	}
	if !r.Quick {
		if err := throughputRows(ctx, r, "turn-model/table-2", networks, synth.Options{}, ", root auto", switchReadings[1:2]); err != nil {
			return err
		}
	}
	r.AddNote("Throughput is the first peak of what hosts receive over rising loads, in flits per clock and host; hosts whose address " +
		"reads the same backwards send nothing; the clocks and packets are the paper's, which does not say how large buffers are and " +
		"whether a link is busy for the 3 clocks of a flit.")
	return nil
}

// torusThroughput computes the throughput columns of table 3.
func torusThroughput(ctx context.Context, r *paper.Result) error {
	readings := switchReadings
	if r.Quick {
		readings = readings[1:2]
	}
	trees := []struct {
		name string
		o    synth.Options
	}{{", root 0, canonical tree", synth.Options{Root: "0"}}, {", root 0, neighbours by descending ID", synth.Options{Root: "0",
		Tree: hv.Options{Neighbours: hv.ByIDDown}}}}
	for i, tree := range trees {
		if i > 0 {
			readings = readings[:min(2, len(readings))]
		}
		if err := throughputRows(ctx, r, "turn-model/table-3", []string{"torus:8x8,hosts=4"}, tree.o, tree.name, readings); err != nil {
			return err
		}
	}
	return nil
}
