package turnaddition

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file computes where the methods prohibit turns.

// concentration adds, for random networks of 50 switches, the share of prohibited turns in halves of the switches: by distance from
// the root for up*/down*, by the order of removal for TP.
func concentration(ctx context.Context, r *paper.Result) error {
	for _, m := range methods {
		v, err := r.Points(ctx, r.Seeds, func(i int) string { return fmt.Sprintf("50 switches, seed %d, %s", i+1, m.name) },
			func(ctx context.Context, i int) ([]float64, error) {
				n, err := topo.Parse(randomSpec(50, i+1))
				if err != nil {
					return nil, err
				}
				set, err := synth.New(ctx, m.name, n, m.o)
				if err != nil {
					return nil, err
				}
				order := set.Removed
				if set.Tree != nil {
					order = byDistance(n, set.Tree.Root)
				}
				return []float64{firstHalf(set.Allowed, order), synth.Count(set.Allowed).SDPT}, nil
			})
		if err != nil {
			return err
		}
		switch m.name {
		case updown:
			r.AddRow(m.name, "% in the half next to the root", "", nan, column(v, 0)...)
		case "tp":
			r.AddRow(m.name, "% in the half selected first", "", nan, column(v, 0)...)
		}
		r.AddRow(m.name, "deviation by switch (SDPT)", "", nan, column(v, 1)...)
	}
	return nil
}

// byDistance returns the switches by their distance from a root, then by ID.
func byDistance(n *model.Network, root model.SwitchID) (order []model.SwitchID) {
	hops := hv.Hops(n, root)
	for u := range hops {
		order = append(order, model.SwitchID(u))
	}
	slices.SortStableFunc(order, func(u, v model.SwitchID) int { return cmp.Compare(hops[u], hops[v]) })
	return order
}

// firstHalf returns how many per cent of the prohibited turns the first half of the switches has. It is NaN without an order.
func firstHalf(allowed *model.TurnSet, order []model.SwitchID) float64 {
	if order == nil {
		return nan
	}
	n := allowed.Network()
	first, all := 0.0, 0.0
	half := order[:len(order)/2]
	for t := range model.Turns(n, false) {
		if !allowed.Has(t) {
			all++
			if slices.Contains(half, n.Head(model.ChannelID(t.In))) {
				first++
			}
		}
	}
	return 100 * first / all
}

func concentrationClaims() []paper.Claim {
	const even = "deviation by switch (SDPT)"
	return []paper.Claim{
		{Name: "turn-addition/updown-far-from-root", Section: "section 2.3.1",
			Statement: "Turns that up*/down* prohibits gather on the side opposite the root",
			Judge: paper.Needs([][2]string{{updown, "% in the half next to the root"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] < 50 && !paper.Near(v[0], 50), fmt.Sprintf("%.0f %% in the farther half", 100-v[0]))
			})},
		{Name: "turn-addition/tp-first-selected", Section: "section 2.3.2",
			Statement: "Turns that TP prohibits gather at the switches selected first",
			Judge: paper.Needs([][2]string{{"tp", "% in the half selected first"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] > 50 && !paper.Near(v[0], 50), fmt.Sprintf("%.0f %% at the first half", v[0]))
			})},
		{Name: "turn-addition/less-concentrated", Section: "section 4.1.1",
			Statement: "Turn addition gathers prohibited turns less in places than up*/down* and TP",
			Judge: paper.Needs([][2]string{{updown, even}, {"tp", even}, {"turn-addition", even}}, func(v []float64) paper.Finding {
				return paper.Decide(v[2] < v[0] && v[2] < v[1], fmt.Sprintf("deviation %.1f by switch, up*/down* %.1f, TP %.1f", v[2], v[0], v[1]))
			})},
	}
}
