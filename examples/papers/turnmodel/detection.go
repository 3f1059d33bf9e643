package turnmodel

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/verify"
)

// This file checks cycle detection (section 3.2.4). The paper does not say when the search clears its marks. docs/turn-methods.md
// proves for every network that marks cleared before each start channel leave no cycle.

// markReadings are the readings of when marks are cleared, the default one first.
var markReadings = []struct{ name, marks string }{{"marks cleared for each start channel", synth.MarksChannel},
	{"for each procedure", synth.MarksProcedure}, {"for each start switch", synth.MarksSwitch}}

func markNames() (list []string) {
	for _, x := range markReadings {
		list = append(list, x.name)
	}
	return list
}

// detection counts networks on which each reading leaves a cycle.
func detection(ctx context.Context, r *paper.Result) error {
	for i, x := range markReadings {
		if !r.Wants(i, x.name) {
			continue
		}
		v, err := r.One(ctx, "marks per "+x.marks+", 200 networks", func(ctx context.Context) ([]float64, error) {
			cyclic := 0.0
			for seed := range 200 {
				m, err := made(ctx, fmt.Sprintf("random:switches=16,degree=4,seed=%d", seed), "lturn-alpha", synth.Options{DA: synth.DAOptions{Marks: x.marks}})
				if err != nil {
					return nil, err
				}
				rep, err := verify.Check(ctx, route.FromTurns(m.Allowed, false), verify.Options{})
				if err != nil {
					return nil, err
				}
				if rep.Acyclic.Verdict != verify.Proved {
					cyclic++
				}
			}
			return []float64{cyclic}, nil
		})
		if err != nil {
			return err
		}
		r.AddRow("200 networks of 16 switches", cyclesLeft, x.name, nan, v[0])
	}
	return nil
}

const cyclesLeft = "with a cycle left"

func detectionClaims() []paper.Claim {
	left := [][2]string{{"200 networks of 16 switches", cyclesLeft}}
	return []paper.Claim{
		{Name: "turn-model/detection-sound", Statement: "Cycle detection leaves no cycle",
			LeftOpen: "Table 3 fits (a), on a tree that we searched for; with (b) and (c) none of 8,064 trees has its counts",
			Judge: paper.Needs(left, func(v []float64) paper.Finding {
				if v[0] == 0 {
					return paper.Decide(true, "proved for every network (docs/turn-methods.md)")
				}
				return paper.Decide(false, fmt.Sprintf("%g of 200 cyclic", v[0]))
			})},
		{Name: "turn-model/detection-cost", Statement: "Cycle detection leaves no cycle within O(n^2 l) steps", Published: "O(n^2 l)",
			Reason: "(a) searches from each of the l channels of a switch",
			Judge: paper.Needs(left, func(v []float64) paper.Finding {
				if v[0] == 0 {
					return paper.Decide(false, "a factor l more")
				}
				return paper.Decide(false, fmt.Sprintf("%g of 200 cyclic", v[0]))
			})},
	}
}
