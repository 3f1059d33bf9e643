package sweep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

const experiment = `
networks: [mesh:4x4]
routings: [dor, west-first]
traffics: [uniform]
loads: [0.1, 0.2]
seeds: [1, 2]
packet: 4
clocks: 2000
`

// simulate runs a point. In this example, networks and routings are names and not files.
func simulate(ctx context.Context, p sweep.Point) (sweep.Result, error) {
	net, err := topo.Parse(p.Network)
	if err != nil {
		return sweep.Result{}, err
	}
	relation, err := route.New(p.Routing, net, route.Options{})
	if err != nil {
		return sweep.Result{}, err
	}
	s := p.Settings
	t, err := trial.Run(ctx, relation, trial.Settings{
		Engine: engine.Options{
			Timing: s.Model, Switching: s.Switching, Select: s.Select, Arbiter: s.Arbiter,
			BufferFlits: s.Buffer, LinkClocks: s.LinkClocks, Seed: p.Seed,
		},
		Traffic: p.Traffic, Load: p.Load, Flits: s.Packet, Clocks: s.Clocks, Warmup: s.Warmup, Seed: p.Seed,
	})
	if err != nil {
		return sweep.Result{}, err
	}
	return sweep.Result{
		Offered: t.Offered, Accepted: t.Accepted, MeanLatency: t.MeanLatency,
		Delivered: t.Delivered, Clocks: t.Clocks, Deadlock: t.Deadlock != nil,
	}, nil
}

func ExampleRun() {
	e, err := sweep.Parse("experiment.yaml", []byte(experiment), nil)
	if err != nil {
		panic(err)
	}
	results, err := sweep.Run(context.Background(), e, sweep.Options{}, simulate)
	if err != nil {
		panic(err)
	}
	for _, c := range sweep.Curves(results) {
		for _, m := range c.Means {
			fmt.Printf("%s %s: load %.1f, %d runs, latency %.1f\n", c.Network, c.Routing, m.Load, m.Runs, m.Latency)
		}
	}
	// Output:
	// mesh:4x4 dor: load 0.1, 2 runs, latency 24.5
	// mesh:4x4 dor: load 0.2, 2 runs, latency 26.7
	// mesh:4x4 west-first: load 0.1, 2 runs, latency 24.6
	// mesh:4x4 west-first: load 0.2, 2 runs, latency 26.9
}

// With a journal no point is run twice, not even by a later process.
func ExampleRun_journal() {
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	e, err := sweep.Parse("experiment.yaml", []byte(experiment), nil)
	if err != nil {
		panic(err)
	}
	for range 2 {
		var ran atomic.Int32
		results, err := sweep.Run(context.Background(), e, sweep.Options{Journal: filepath.Join(dir, "journal")},
			func(ctx context.Context, p sweep.Point) (sweep.Result, error) {
				ran.Add(1)
				return simulate(ctx, p)
			})
		if err != nil {
			panic(err)
		}
		fmt.Println(ran.Load(), "points run,", len(results), "results")
	}
	// Output:
	// 8 points run, 8 results
	// 0 points run, 8 results
}
