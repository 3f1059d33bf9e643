package nfplus1

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
)

// This file walks through the states of packets: the length of paths, and pairs that a failed link cuts.

// pairs calls f for each pair of a source and a destination at another host.
func pairs(rel model.Relation, f func(h model.HostID, d model.DestID)) {
	for h := range model.HostID(rel.Sources()) {
		for d := range model.DestID(rel.Destinations()) {
			if rel.DestinationHost(d) != h {
				f(h, d)
			}
		}
	}
}

// walk visits the states that a packet from h to d can have if a link is missing, or none if failed is
// negative. It calls hop for each hop between switches, if hop is not nil, and reports whether some path arrives.
func walk(rel model.Relation, h model.HostID, d model.DestID, failed model.LinkID, hop func(from, to model.SwitchID)) (arrives bool) {
	n := rel.Network()
	seen := map[model.State]bool{}
	var stack []model.State
	push := func(s model.State) {
		if !seen[s] {
			seen[s] = true
			stack = append(stack, s)
		}
	}
	for _, k := range rel.Inject(h, d, nil) {
		push(model.InjectState(rel, h, d, k))
	}
	var buf []model.Hop
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		buf = rel.Next(s, buf[:0])
		for _, x := range buf {
			c, _ := n.Channel(x.VC)
			switch {
			case n.Kind(c) == model.Eject:
				arrives = true
			case failed < 0 || model.LinkID(c/2) != failed:
				if hop != nil {
					hop(n.Tail(c), n.Head(c))
				}
				push(model.State{VC: x.VC, Dest: d, Class: x.Class})
			}
		}
	}
	return arrives
}

// shortest adds the number of hops of NF+1, and of those that do not come nearer to the destination.
func shortest(ctx context.Context, r *paper.Result) error {
	for n := 3; n <= min(largest(r), 8); n++ {
		rel, err := relationOn(ctx, n, 2, "nf+1")
		if err != nil {
			return err
		}
		all, away := 0.0, 0.0
		pairs(rel, func(h model.HostID, d model.DestID) {
			dest := rel.Network().Host(rel.DestinationHost(d)).Switch
			walk(rel, h, d, -1, func(from, to model.SwitchID) {
				if all++; distanceOn(rel.Network(), to, dest) >= distanceOn(rel.Network(), from, dest) {
					away++
				}
			})
		})
		r.AddRow(side(n), "hops", "", math.NaN(), all)
		r.AddRow(side(n), "not nearer", "", math.NaN(), away)
	}
	return nil
}

// faults adds the pairs of PEs that one failed link of an 8x8 torus cuts: the fewest and the most of all links.
func faults(ctx context.Context, r *paper.Result) error {
	for _, x := range compared {
		rel, err := relationOn(ctx, 8, x.vcs, x.spec)
		if err != nil {
			return err
		}
		links := rel.Network().NumLinks()
		v, err := r.Points(ctx, links, func(i int) string { return fmt.Sprintf("%s, 8x8, link %d fails", x.spec, i) },
			func(_ context.Context, i int) ([]float64, error) {
				cut := 0.0
				pairs(rel, func(h model.HostID, d model.DestID) {
					if !walk(rel, h, d, model.LinkID(i), nil) {
						cut++
					}
				})
				return []float64{cut}, nil
			})
		if err != nil {
			return err
		}
		least, most, sum := math.Inf(1), 0.0, 0.0
		for _, y := range v {
			least, most, sum = min(least, y[0]), max(most, y[0]), sum+y[0]/float64(links)
		}
		r.AddRow(x.name, "fewest pairs cut", "", math.NaN(), least)
		r.AddRow(x.name, "mean", "", math.NaN(), sum)
		r.AddRow(x.name, "most", "", math.NaN(), most)
	}
	return nil
}

// withoutChannels are routings of the torus that need no virtual channels, with the two that need them.
var withoutChannels = []routing{{"dimension order", "dor,order=yx", 2}, {"NF+1", "nf+1", 2}, {"up*/down*", "updown", 1}, {"L-turn/alpha", "lturn-alpha", 1},
	{"R-turn/alpha", "rturn-alpha", 1}, {"turn addition", "turn-addition", 1}, {"turn prohibition", "tp", 1}}

// withoutRows adds the highest throughput of routings with and without virtual channels.
func withoutRows(ctx context.Context, r *paper.Result) error {
	x := readings()[0]
	for _, w := range withoutChannels {
		for _, t := range []struct{ name, traffic string }{{"random", "uniform"}, {"hot spot", "hotspot:0.1@0"}, {"transpose", "anti-transpose"}} {
			at := [][]float64{loads}
			if w.vcs == 1 {
				at = [][]float64{{0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.3, 1}}
			}
			curves, err := points(ctx, r, []routing{w}, t.traffic, x, at)
			if err != nil {
				return err
			}
			best := 0.0
			for _, p := range curves[0] {
				best = max(best, paper.Mean(p.throughput))
			}
			r.AddRow(w.name+map[int]string{1: ", 1 VC", 2: ", 2 VCs"}[w.vcs], t.name, "", math.NaN(), best)
		}
	}
	return nil
}
