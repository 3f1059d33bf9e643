package turnmodel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file checks statements on single networks.

var nan = math.NaN()

// turnMethods are the methods of tables 2 and 3.
var turnMethods = []string{"updown", "lturn-alpha", "lturn-beta", "rturn-alpha", "rturn-beta"}

func made(ctx context.Context, spec, method string, o synth.Options) (*synth.Result, error) {
	n, err := topo.Parse(spec)
	if err != nil {
		return nil, err
	}
	if method == "updown" {
		o.DA = synth.DAOptions{}
	} else {
		o.Ties = ""
	}
	return synth.New(ctx, method, n, o)
}

func irregular(seed int) string {
	return fmt.Sprintf("random:switches=64,degree=4,hosts=4,seed=%d", seed)
}

// directions adds table 1: the direction from a switch at (1,1) to one at another place.
func directions(_ context.Context, r *paper.Result) error {
	for dy := -1; dy <= 1; dy++ {
		for _, dx := range []int{-1, 1} {
			d := hv.DirBetween(1, 1, int32(1+dx), int32(1+dy))
			r.AddText([]string{"ys > yd", "ys = yd", "ys < yd"}[dy+1], []string{"xs > xd", "xs < xd"}[(dx+1)/2], "", d.String(), float64(d))
		}
	}
	return nil
}

func directionClaims() []paper.Claim {
	printed := [][3]string{{"ys > yd", "xs > xd", "LU"}, {"ys > yd", "xs < xd", "RU"}, {"ys = yd", "xs > xd", "LD"}, {"ys = yd", "xs < xd", "RU"},
		{"ys < yd", "xs > xd", "LD"}, {"ys < yd", "xs < xd", "RD"}}
	return []paper.Claim{{Name: "turn-model/table-1-directions", Statement: "The directions are those of table 1",
		Judge: func(r *paper.Result) paper.Finding {
			same := 0
			for _, x := range printed {
				if row := r.Row(x[0], x[1]); row != nil && row.Text == x[2] {
					same++
				}
			}
			return paper.Decide(same == len(printed), fmt.Sprintf("%d of %d equal", same, len(printed)))
		}}}
}

// spreads checks the two conditions on the horizontal spread, on trees from every root of random networks.
func spreads(_ context.Context, r *paper.Result) error {
	trees, before, same := 0, 0, 0
	for seed := 1; seed <= 10; seed++ {
		n, err := topo.Parse(irregular(seed))
		if err != nil {
			return err
		}
		for root := range model.SwitchID(n.NumSwitches()) {
			t, err := hv.NewTree(n, root, hv.Options{})
			if err != nil {
				return err
			}
			trees++
			places := map[[2]int32]bool{}
			for u := range model.SwitchID(n.NumSwitches()) {
				if p := t.Parent(u); p != model.NoSwitch && t.Spread[u] <= t.Spread[p] {
					before++
				}
				places[[2]int32{t.Spread[u], t.Depth[u]}] = true
			}
			same += n.NumSwitches() - len(places)
		}
	}
	r.AddRow("trees of 64 switches", "trees", "", nan, float64(trees))
	r.AddRow("trees of 64 switches", "children not after their parents", "", nan, float64(before))
	r.AddRow("trees of 64 switches", "switches at an equal place", "", nan, float64(same))
	return nil
}

func spreadClaims() []paper.Claim {
	const item = "trees of 64 switches"
	return []paper.Claim{{Name: "turn-model/spread-conditions", Section: "section 3.1.2",
		Statement: "In preorder each child has a larger spread than its parent, and switches of equal depth have different spreads",
		Judge: paper.Needs([][2]string{{item, "trees"}, {item, "children not after their parents"}, {item, "switches at an equal place"}},
			func(v []float64) paper.Finding {
				return paper.Decide(v[1] == 0 && v[2] == 0, fmt.Sprintf("preorder numbers each switch once, a parent before its children; "+
					"%g and %g exceptions on %g trees", v[1], v[2], v[0]))
			})}}
}

// updownPairs counts prohibited turns and prohibited pairs of up*/down* on ten networks.
func updownPairs(ctx context.Context, r *paper.Result) error {
	turns, pairs := 0.0, 0.0
	for seed := 1; seed <= 10; seed++ {
		m, err := made(ctx, irregular(seed), "updown", synth.Options{Root: "crossing-free"})
		if err != nil {
			return err
		}
		p := synth.Count(m.Allowed)
		turns, pairs = turns+float64(p.Prohibited), pairs+float64(p.PPT)
	}
	r.AddRow("ten random networks of 64 switches", "prohibited turns", "", nan, turns)
	r.AddRow("ten random networks of 64 switches", "prohibited pairs", "", nan, pairs)
	return nil
}

func pairClaims() []paper.Claim {
	const item = "ten random networks of 64 switches"
	return []paper.Claim{{Name: "turn-model/updown-in-pairs", Statement: "Up*/down* always prohibits a turn together with its reverse",
		Judge: paper.Needs([][2]string{{item, "prohibited turns"}, {item, "prohibited pairs"}}, func(v []float64) paper.Finding {
			return paper.Decide(v[0] == 2*v[1], fmt.Sprintf("the reverse of a turn from down to up leads from down to up, too; "+
				"%g turns are %g pairs", v[0], v[1]))
		})}}
}

// connected counts pairs of hosts without a path.
func connected(ctx context.Context, r *paper.Result) error {
	for _, method := range turnMethods[1:] {
		pairs, lost := 0.0, 0.0
		for seed := 1; seed <= r.Seeds; seed++ {
			m, err := made(ctx, irregular(seed), method, synth.Options{})
			if err != nil {
				return err
			}
			n := m.Allowed.Network()
			w, err := synth.MeasurePaths(ctx, m.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
			if err != nil {
				return err
			}
			pairs, lost = pairs+float64(n.NumHosts()*(n.NumHosts()-1)), lost+float64(w.Unreachable)
		}
		r.AddRow(method, "pairs of hosts", "", nan, pairs)
		r.AddRow(method, "without a path", "", nan, lost)
	}
	return nil
}

func connectedClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-model/reachable-on-random-networks", Statement: "L-turn and R-turn leave a path between all nodes",
		Judge: func(r *paper.Result) paper.Finding {
			lost, all := 0.0, 0.0
			for _, x := range r.Rows {
				if x.Quantity == "without a path" {
					lost += x.Ours
				} else {
					all += x.Ours
				}
			}
			return paper.Decide(all > 0 && lost == 0, fmt.Sprintf("%.0f of %.0f pairs without a path", lost, all))
		}}}
}

// pathsOfPair counts the shortest paths of the pair in figure 12, their hops, and those through the root.
func pathsOfPair(ctx context.Context, r *paper.Result) error {
	for _, method := range []string{"updown", "lturn-alpha"} {
		o := synth.Options{Root: "10"}
		if method == "updown" {
			o.Ties = hv.TiesByID
		}
		m, err := made(ctx, "random:switches=16,degree=4,seed=87", method, o)
		if err != nil {
			return err
		}
		all, err := route.AllPaths(route.FromTurns(m.Allowed, false), 100_000)
		if err != nil {
			return err
		}
		n := m.Allowed.Network()
		through := 0
		var paths []route.Path
		for _, p := range all {
			if p.Source != 5 || p.Dest != 11 {
				continue
			}
			paths = append(paths, p)
			if throughSwitch(n, p, 10) {
				through++
			}
		}
		published := map[string]float64{"updown": 5, "lturn-alpha": 3}[method]
		r.AddRow(method, "paths", "", 4, float64(len(paths)))
		r.AddRow(method, "hops", "", published, float64(hops(n, paths[0])))
		r.AddRow(method, "through the root", "", map[string]float64{"updown": 4, "lturn-alpha": 0}[method], float64(through))
	}
	return nil
}

// throughSwitch reports whether a path passes a switch.
func throughSwitch(n *model.Network, p route.Path, u model.SwitchID) bool {
	return slices.ContainsFunc(p.VCs, func(v model.VCID) bool {
		c, _ := n.Channel(v)
		return n.Kind(c) == model.SwitchToSwitch && n.Head(c) == u
	})
}

// hops returns the channels between switches on a path.
func hops(n *model.Network, p route.Path) (k int) {
	for _, v := range p.VCs {
		if c, _ := n.Channel(v); n.Kind(c) == model.SwitchToSwitch {
			k++
		}
	}
	return k
}

func pathClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-model/shorter-paths", Fitted: "The network was found by a search for such a pair",
		Statement: "A pair has four paths of 5 hops through the root under up*/down*, and four of 3 hops " +
			"off the root under L-turn",
		Judge: paper.Needs([][2]string{{"updown", "paths"}, {"updown", "hops"}, {"updown", "through the root"}, {"lturn-alpha", "paths"},
			{"lturn-alpha", "hops"},
			{"lturn-alpha", "through the root"}}, func(v []float64) paper.Finding {
			return paper.Decide(v[0] == 4 && v[1] == 5 && v[2] == 4 && v[3] == 4 && v[4] == 3 && v[5] == 0,
				fmt.Sprintf("%g of %g hops, %g through the root; %g of %g hops, %g through the root", v[0], v[1], v[2], v[3], v[4], v[5]))
		})}}
}
