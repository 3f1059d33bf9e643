package turnmodel

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/synth"
)

// This file compares readings of the paper's rule for the root: the fewest crossing paths, then the least mean distance. The paper
// does not define crossing paths.

// crossings are the readings of crossing paths, with their rules for the root.
var crossings = []struct{ name, root string }{
	{"shortest paths through the root, without prohibited turns", "crossing-free"},
	{"shortest legal paths through the root", "crossing-root"},
	{"shortest legal paths over the most used channel", "crossing-channel"},
}

func crossingNames() (list []string) {
	for _, x := range crossings {
		list = append(list, x.name)
	}
	return list
}

// crossingRoots counts prohibited turns on the networks of table 2 with the roots of each reading.
func crossingRoots(ctx context.Context, r *paper.Result) error {
	for i, x := range crossings {
		if !r.Wants(i, x.name) {
			continue
		}
		for _, method := range turnMethods {
			v, err := r.Points(ctx, r.Seeds, func(i int) string { return fmt.Sprintf("%s, %s, root %s", irregular(i+1), method, x.root) },
				func(ctx context.Context, i int) ([]float64, error) {
					m, err := made(ctx, irregular(i+1), method, synth.Options{Root: x.root})
					if err != nil {
						return nil, err
					}
					return counts(m), nil
				})
			if err != nil {
				return err
			}
			for k := range 3 {
				r.AddRow(method, columns[k], x.name, table2[method][k], column(v, k)...)
			}
		}
	}
	return nil
}

func crossingClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-model/root-rule-counts", Statement: "Roots of the fewest crossing paths give the counts of table 2",
		LeftOpen: "The paper does not define crossing paths", Judge: countsClaim(near)}}
}
