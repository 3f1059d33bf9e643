package turnmodel

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
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
	ofHosts    bool // whether bit reversal moves the numbers of the hosts, else those of the switches
}

var switchReadings = []switchReading{
	{"buffers of 2 packets", 2, 1, engine.SelectLowest, false},
	{"buffers of 1 packet", 1, 1, engine.SelectLowest, false},
	{"buffers of 4 packets", 4, 1, engine.SelectLowest, false},
	{"buffers of 2 packets, random output", 2, 1, engine.SelectRandom, false},
	{"buffers of 2 packets, a flit in 3 clocks", 2, 3, engine.SelectLowest, false},
	{"buffers of 2 packets, bit reversal of hosts", 2, 1, engine.SelectLowest, true},
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

// patterns returns the traffic patterns of the columns. The paper does not say which numbers bit reversal moves. Only those of
// the switches agree with table 3.
func (x *switchReading) patterns() []string {
	if x.ofHosts {
		return []string{"uniform", "bit-reversal"}
	}
	return []string{"uniform", "bit-reversal:switches"}
}

// throughputRows adds the throughput of a method under both patterns.
func throughputRows(ctx context.Context, r *paper.Result, networks []string, x setup, method string, table map[string]published, clocks int) error {
	if r.Quick {
		clocks = 40_000
	}
	for k, traffic := range x.engine.patterns() {
		v, err := r.Points(ctx, len(networks), func(i int) string {
			return fmt.Sprintf("%s, %s, %s, %s: %s, %d clocks", networks[i], method, x.key(), x.engine.name, traffic, clocks)
		}, func(ctx context.Context, i int) ([]float64, error) {
			m, err := x.made(ctx, networks[i], method)
			if err != nil {
				return nil, err
			}
			t, err := x.engine.throughput(ctx, route.FromTurns(m.Allowed, false), traffic, engine.Clock(clocks))
			return []float64{t}, err
		})
		if err != nil {
			return err
		}
		r.AddRow(method, columns[3+k], x.name, table[method][3+k], column(v, 0)...)
	}
	return nil
}
