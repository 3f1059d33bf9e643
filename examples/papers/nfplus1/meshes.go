package nfplus1

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/enumerate"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file compares the turn models of the 2-D mesh, of which the paper says that they do not differ in essence.

// meshModels are turn models that prohibit two turns. North-First is West-First turned by 90 degrees.
var meshModels = []string{"west-first", "north-last", "negative-first", "nf"}

// The readings of "in essence": what two turn models may differ in.
const (
	byPaths     = "allowed shortest paths"
	byRandom    = "highest throughput, random traffic"
	byTranspose = "highest throughput, matrix transpose"
)

// meshLoads are the loads at which meshes of 8x8 are simulated, in flits per clock and PE.
var meshLoads = []float64{0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3, 0.5}

// meshes compares the turn models by their shortest paths and by their throughput on an 8x8 mesh.
func meshes(ctx context.Context, r *paper.Result) error {
	least, most, err := prohibitedOnMeshes(ctx)
	if err != nil {
		return err
	}
	r.AddRow("largest sets of allowed turns", "fewest prohibited", "", math.NaN(), least)
	r.AddRow("largest sets of allowed turns", "most prohibited", "", math.NaN(), most)
	for _, model := range meshModels {
		n, err := topo.Parse("mesh:6x6")
		if err != nil {
			return err
		}
		x, err := resolve.Routing(ctx, model, "", n, format.Options{})
		if err != nil {
			return err
		}
		paths, err := route.AllPaths(x.Relation, 1_000_000)
		if err != nil {
			return err
		}
		r.AddRow(model, "value", byPaths, math.NaN(), float64(len(paths)))
	}
	for _, x := range []struct{ reading, traffic string }{{byRandom, random}, {byTranspose, transpose}} {
		for _, model := range meshModels {
			v, err := r.Points(ctx, len(meshLoads), func(i int) string { return meshJob(model, x.traffic, meshLoads[i], r.Quick).key() },
				func(ctx context.Context, i int) ([]float64, error) {
					job := meshJob(model, x.traffic, meshLoads[i], r.Quick)
					return job.run(ctx)
				})
			if err != nil {
				return err
			}
			peak := 0.0
			for _, p := range v {
				peak = max(peak, p[0])
			}
			r.AddRow(model, "value", x.reading, math.NaN(), peak)
		}
	}
	return nil
}

func meshJob(model, traffic string, load float64, quick bool) *job {
	clocks := engine.Clock(50_000)
	if quick {
		clocks = 3_000
	}
	return &job{model, model, 1, traffic, readings()[0], load, 1, clocks, "mesh:8x8"}
}

// prohibitedOnMeshes returns how many of the 8 class turns the largest sets without a cycle prohibit, at least and at most. No turn
// can be added to such a set.
func prohibitedOnMeshes(ctx context.Context) (least, most float64, err error) {
	s, err := space.Parse("mesh:2", space.Options{})
	if err != nil {
		return 0, 0, err
	}
	e, err := enumerate.New(s)
	if err != nil {
		return 0, 0, err
	}
	b, err := e.Border(ctx, 0)
	if err != nil {
		return 0, 0, err
	}
	least = math.Inf(1)
	for _, set := range b.Maximal {
		if e.Connected(set) {
			k := float64(s.All().Minus(set).Len())
			least, most = min(least, k), max(most, k)
		}
	}
	return least, most, nil
}

func meshClaims() []paper.Claim {
	const item = "largest sets of allowed turns"
	return []paper.Claim{
		{Name: "nf1/two-of-eight", Statement: "The turn models of the 2-D mesh prohibit two of the eight turns", Published: "2",
			Judge: paper.Needs([][2]string{{item, "fewest prohibited"}, {item, "most prohibited"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 2 && v[1] == 2, fmt.Sprintf("each largest set prohibits %g", v[0]))
			})},
		{Name: "nf1/no-essential-difference", Statement: "The turn models of the 2-D mesh do not differ greatly in essence", Evidence: paper.Sample,
			LeftOpen: "The paper does not say what is essential",
			Judge: func(r *paper.Result) paper.Finding {
				least, most, text := math.Inf(1), 0.0, ""
				for _, model := range meshModels[:3] {
					x := r.Row(model, "value")
					if x == nil {
						return paper.Lacking()
					}
					least, most, text = min(least, x.Ours), max(most, x.Ours), text+fmt.Sprintf(", %.4g", x.Ours)
				}
				return paper.Decide(paper.Near(least, most), text[2:])
			}},
	}
}
