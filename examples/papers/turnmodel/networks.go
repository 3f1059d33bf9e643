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
	"github.com/turnproof/turnproof/verify"
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
	return []paper.Claim{{Name: "turn-model/table-1-directions", Statement: "The directions are those of table 1", Published: "6 entries",
		Judge: func(r *paper.Result) paper.Finding {
			same := 0
			for _, x := range printed {
				if row := r.Row(x[0], x[1]); row != nil && row.Text == x[2] {
					same++
				}
			}
			return paper.Decide(same == len(printed), fmt.Sprintf("%d equal", same))
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
				return paper.Decide(v[1] == 0 && v[2] == 0, fmt.Sprintf("%g and %g exceptions on %g trees", v[1], v[2], v[0]))
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
			return paper.Decide(v[0] == 2*v[1], fmt.Sprintf("%g turns are %g pairs", v[0], v[1]))
		})}}
}

// detection counts networks on which the readings of DA's marks leave a cycle, and measures its cost.
func detection(ctx context.Context, r *paper.Result) error {
	for _, marks := range []string{synth.MarksChannel, synth.MarksProcedure, synth.MarksSwitch} {
		v, err := r.One(ctx, "marks per "+marks+", 200 networks", func(ctx context.Context) ([]float64, error) {
			cyclic := 0.0
			for seed := range 200 {
				m, err := made(ctx, fmt.Sprintf("random:switches=16,degree=4,seed=%d", seed), "lturn-alpha", synth.Options{DA: synth.DAOptions{Marks: marks}})
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
		r.AddRow("marks kept per "+marks, "of 200 networks with a cycle left", "", nan, v[0])
	}
	return nil
}

func detectionClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "turn-model/detection-sound", Statement: "Cycle detection leaves no cycle",
			Judge: paper.Needs([][2]string{{"marks kept per " + synth.MarksChannel, "of 200 networks with a cycle left"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 0, fmt.Sprintf("%g of 200 networks with a cycle, with marks per start channel", v[0]))
			})},
		{Name: "turn-model/detection-cost", Statement: "Cycle detection leaves no cycle within O(n^2 l) steps", Published: "O(n^2 l)",
			Reason: "The bound fits marks kept per start switch; marks per start channel cost a factor l more",
			Judge: paper.Needs([][2]string{{"marks kept per " + synth.MarksSwitch, "of 200 networks with a cycle left"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 0, fmt.Sprintf("%g of 200 networks with a cycle, with marks per start switch", v[0]))
			})},
	}
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
	return []paper.Claim{{Name: "turn-model/shorter-paths",
		Statement: "A pair has four paths of 5 hops through the root under up*/down*, and four of 3 hops " +
			"off the root under L-turn", Published: "4 of 5 hops, 4 of 3 hops",
		Judge: paper.Needs([][2]string{{"updown", "paths"}, {"updown", "hops"}, {"updown", "through the root"}, {"lturn-alpha", "paths"},
			{"lturn-alpha", "hops"},
			{"lturn-alpha", "through the root"}}, func(v []float64) paper.Finding {
			return paper.Decide(v[0] == 4 && v[1] == 5 && v[2] == 4 && v[3] == 4 && v[4] == 3 && v[5] == 0,
				fmt.Sprintf("%g of %g hops, %g through the root; %g of %g hops, %g through the root", v[0], v[1], v[2], v[3], v[4], v[5]))
		})}}
}

// rootLoad measures the traffic through the root.
func rootLoad(ctx context.Context, r *paper.Result) error {
	for _, method := range turnMethods {
		v, err := r.Points(ctx, r.Seeds, func(i int) string { return fmt.Sprintf("%s, seed %d", method, i+1) }, func(ctx context.Context,
			i int) ([]float64, error) {
			m, err := made(ctx, irregular(i+1), method, synth.Options{Root: "crossing-free"})
			if err != nil {
				return nil, err
			}
			n := m.Allowed.Network()
			w, err := synth.MeasurePaths(ctx, m.Allowed, model.NewDemand(n, model.UniformTraffic(n)))
			if err != nil {
				return nil, err
			}
			load := 0.0
			for c, x := range w.Load {
				if ch := model.ChannelID(c); n.Kind(ch) == model.SwitchToSwitch && n.Head(ch) == m.Tree.Root {
					load += x
				}
			}
			return []float64{load, w.MeanPath}, nil
		})
		if err != nil {
			return err
		}
		var loads, hops []float64
		for _, x := range v {
			loads, hops = append(loads, x[0]), append(hops, x[1])
		}
		r.AddRow(method, "flits into the root", "", nan, loads...)
		r.AddRow(method, "mean hops", "", nan, hops...)
	}
	return nil
}

func rootLoadClaims() []paper.Claim {
	return []paper.Claim{{Name: "turn-model/root-concentration", Statement: "R-turn is slower than L-turn because traffic concentrates near the root",
		Reason: "The load into the root is nearly the same under both. What R-turn loses, it loses by blocking",
		Judge: paper.Needs([][2]string{{"lturn-alpha", "flits into the root"}, {"rturn-alpha", "flits into the root"}}, func(v []float64) paper.Finding {
			return paper.Decide(v[1] > 1.1*v[0], fmt.Sprintf("%.1f flits into the root under L-turn/α, %.1f under R-turn/α", v[0], v[1]))
		})}}
}
