package turnmodel

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/synth"
)

// This file compares the turn model with up*/down* on fat trees. The paper does not say which tree it takes. With the last possible
// parents, every link between two depths leads to the left and up; then the turn model prohibits the turns of up*/down*.

// treeReadings are the readings of the tree on fat trees.
var treeReadings = []struct {
	name string
	o    synth.Options
}{
	{"root leaf0, parent highest", synth.Options{Root: "leaf0", Tree: hv.Options{Parent: hv.HighestID}}},
	{"best root, parent first", synth.Options{Root: "best-throughput", Tree: hv.Options{Parent: hv.FirstSeen}}},
}

var fatTreeSpecs = []string{"fattree:k=4", "fattree:k=6", "fattree:k=8", "fattree:k=8,levels=2", "fattree:k=16"}

// fatTrees measures 1/M, and counts the turns in which each method differs from up*/down* with root leaf0.
func fatTrees(ctx context.Context, r *paper.Result) error {
	specs := fatTreeSpecs
	if r.Quick {
		specs = specs[:4]
	}
	for i, x := range treeReadings {
		if !r.Wants(i, x.name) {
			continue
		}
		for _, spec := range specs {
			v, err := r.Points(ctx, len(turnMethods), func(i int) string { return fmt.Sprintf("%s, %s, %s", spec, turnMethods[i], x.name) },
				func(ctx context.Context, i int) ([]float64, error) { return fatTree(ctx, spec, turnMethods[i], x.o) })
			if err != nil {
				return err
			}
			for i, method := range turnMethods {
				item := spec + " " + method
				r.AddRow(item, "throughput 1/M", x.name, nan, v[i][0])
				r.AddRow(item, "prohibited turns", x.name, nan, v[i][1])
				r.AddRow(item, "turns unlike up*/down*", x.name, nan, v[i][2])
			}
		}
	}
	return nil
}

// fatTree returns 1/M of a method, its prohibited turns, and the turns that either the method or up*/down* prohibits.
func fatTree(ctx context.Context, spec, method string, o synth.Options) ([]float64, error) {
	m, err := made(ctx, spec, method, o)
	if err != nil {
		return nil, err
	}
	up, err := made(ctx, spec, "updown", synth.Options{Root: "leaf0"})
	if err != nil {
		return nil, err
	}
	n := m.Allowed.Network()
	w, err := synth.MeasurePaths(ctx, m.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
	if err != nil {
		return nil, err
	}
	return []float64{w.Throughput(), float64(synth.Count(m.Allowed).Prohibited), float64(m.Allowed.Difference(up.Allowed))}, nil
}

func fatTreeClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-model/fat-trees-equal", Statement: "On fat trees up*/down*, L-turn and R-turn are all optimal, without a difference",
		Published: "no difference", Reason: "The paper does not give the tree. With other parents L-turn and R-turn lose throughput",
		Judge: func(r *paper.Result) paper.Finding {
			trees, equal, optimal := 0, true, true
			for _, spec := range fatTreeSpecs {
				if r.Row(spec+" updown", "throughput 1/M") == nil && spec == "fattree:k=16" {
					continue // a quick run
				}
				trees++
				for _, method := range turnMethods {
					m, d := r.Row(spec+" "+method, "throughput 1/M"), r.Row(spec+" "+method, "turns unlike up*/down*")
					if m == nil || d == nil {
						return paper.Lacking()
					}
					optimal = optimal && math.Abs(m.Ours-1) < 1e-6
					equal = equal && d.Ours == 0
				}
			}
			switch {
			case equal && optimal:
				return paper.Decide(true, fmt.Sprintf("1/M 1 and the turns of up*/down* for all methods on %d fat trees", trees))
			case equal:
				return paper.Decide(false, "the turns of up*/down* for all methods, 1/M below 1")
			}
			return paper.Decide(false, "the methods prohibit different turns")
		}}}
}
