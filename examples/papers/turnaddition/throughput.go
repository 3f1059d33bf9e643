package turnaddition

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file computes figure 21.

const updown = "updown"

// methods are the three methods that the paper compares, with its settings.
var methods = []struct {
	name string
	o    synth.Options
}{
	{updown, synth.Options{Root: "traffic"}},
	{"tp", synth.Options{}},
	{"turn-addition", synth.Options{}},
}

// throughput returns 1/M, where M is the load of the busiest channel, with one path per pair.
func throughput(ctx context.Context, allowed *model.TurnSet, t *model.Traffic, rule string) (float64, error) {
	p, err := synth.NewOnePaths(ctx, allowed, model.NewDemand(allowed.Network(), t), rule)
	if err != nil {
		return 0, err
	}
	return p.Throughput(), nil
}

// pathRules are the readings of how one path per pair is chosen on random networks, and of the traffic that weighs turns.
var pathRules = []struct{ name, rule, turns string }{
	{"paths balanced", synth.PathsBalanced, ""},
	{"paths greedy", synth.PathsGreedy, ""},
	{"paths balanced, turns weighed by one path per pair", synth.PathsBalanced, synth.TurnTrafficOne},
	{"paths greedy, turns weighed by one path per pair", synth.PathsGreedy, synth.TurnTrafficOne},
}

func randomThroughput(ctx context.Context, r *paper.Result) error {
	sizes := []int{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	if r.Quick {
		sizes = []int{10, 20, 50}
	}
	for k, rule := range pathRules {
		if !r.Wants(k, rule.name) {
			continue
		}
		for _, size := range sizes {
			for _, m := range methods {
				v, err := r.Points(ctx, r.Seeds, func(i int) string { return fmt.Sprintf("%d switches, seed %d, %s, %s", size, i+1, m.name, rule.name) },
					func(ctx context.Context, i int) ([]float64, error) {
						o := m.o
						if m.name != updown {
							o.TurnTraffic = rule.turns
						}
						x, err := randomNetwork(ctx, size, i+1, m.name, o, rule.rule)
						return []float64{x}, err
					})
				if err != nil {
					return err
				}
				r.AddRow(fmt.Sprintf("%d switches", size), m.name, rule.name, math.NaN(), column(v, 0)...)
			}
		}
	}
	return nil
}

// randomSpec is a random network of the paper. Ports are paired at random, so that parallel links arise.
func randomSpec(size, seed int) string {
	return fmt.Sprintf("random:switches=%d,degree=10,hosts=10,parallel=true,seed=%d", size, seed)
}

func randomNetwork(ctx context.Context, size, seed int, method string, o synth.Options, rule string) (float64, error) {
	n, err := topo.Parse(randomSpec(size, seed))
	if err != nil {
		return 0, err
	}
	set, err := synth.New(ctx, method, n, o)
	if err != nil {
		return 0, err
	}
	return throughput(ctx, set.Allowed, model.UniformTraffic(n), rule)
}
