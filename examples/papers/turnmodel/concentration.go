package turnmodel

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/synth"
)

// This file measures how much of the traffic passes near the root, by simulation with the settings of the paper.

// concentrationLoads are loads below, at and above the saturation of R-turn.
var concentrationLoads = []float64{0.02, 0.065, 0.2}

// concentration adds the part of the flits on links between switches that go to the root, and to switches of depth 1 or less.
func concentration(ctx context.Context, r *paper.Result) error {
	clocks := engine.Clock(1_000_000)
	if r.Quick {
		clocks = 40_000
	}
	for _, method := range turnMethods {
		for _, load := range concentrationLoads {
			v, err := r.Points(ctx, r.Seeds, func(i int) string { return fmt.Sprintf("%s, seed %d, load %g, %d clocks", method, i+1, load, clocks) },
				func(ctx context.Context, i int) ([]float64, error) { return nearRoot(ctx, method, i+1, load, clocks) })
			if err != nil {
				return err
			}
			for k, where := range []string{toRoot, toDepth1} {
				r.AddRow(method, at(where, load), switchReadings[0].name, nan, column(v, k)...)
			}
		}
	}
	return nil
}

const toRoot, toDepth1 = "% to the root", "% to depth 0 or 1"

func at(where string, load float64) string { return fmt.Sprintf("%s, load %g", where, load) }

// nearRoot simulates a method on a network of table 2, and returns both parts in per cent.
func nearRoot(ctx context.Context, method string, seed int, load float64, clocks engine.Clock) ([]float64, error) {
	m, err := made(ctx, irregular(seed), method, synth.Options{Root: "crossing-free"})
	if err != nil {
		return nil, err
	}
	s := switchReadings[0].settings("uniform", load, clocks)
	s.Engine.Loads = true
	res, err := trial.Run(ctx, route.FromTurns(m.Allowed, false), s)
	if err != nil {
		return nil, err
	}
	n, all, parts := m.Allowed.Network(), 0.0, []float64{0, 0}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		flits := float64(res.Loads.ChannelFlits(c))
		if all += flits; n.Head(c) == m.Tree.Root {
			parts[0] += flits
		}
		if m.Tree.Depth[n.Head(c)] <= 1 {
			parts[1] += flits
		}
	}
	return []float64{100 * parts[0] / all, 100 * parts[1] / all}, nil
}

func concentrationClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-model/root-concentration",
		Statement: "Under R-turn traffic gathers toward the root more than under L-turn, a possible reason why it is slower",
		Judge: func(r *paper.Result) paper.Finding {
			var parts []string
			ok := true
			for _, where := range []string{toRoot, toDepth1} {
				var pairs []string
				for i, load := range concentrationLoads {
					l, m := math.Inf(-1), math.Inf(1)
					for k := range 2 {
						x, y := r.Row(bothL[k], at(where, load)), r.Row(bothR[k], at(where, load))
						if x == nil || y == nil {
							return paper.Lacking()
						}
						l, m = max(l, x.Ours), min(m, y.Ours)
					}
					ok = ok && (i == 0 || m > l && !paper.Near(m, l))
					pairs = append(pairs, fmt.Sprintf("%.1f and %.1f", l, m))
				}
				parts = append(parts, strings.Join(pairs, ", ")+" "+where)
			}
			return paper.Decide(ok, "once saturated; L, R at 0.02, 0.065, 0.2: "+strings.Join(parts, "; "))
		},
		Reason: "The parts are nearly the same"}}
}
