package turnaddition

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/verify"
)

// This file counts ends of joining links at which no turn from or to an upper switch is left.
//
// At the bottom, let h = k/2. A packet can go from one joining link to another through a tree if both keep turns to the same of the
// h groups of top switches. If turns are prohibited together with their reverses, joining links that keep turns at both ends are
// edges between the 2h groups of both trees, and these edges close no cycle. So at most 2h-1 of the h² links keep turns at both ends.
// If the two directions of a turn are prohibited apart, every link can keep turns (oneDirection).

// apart names the turn set of oneDirection.
const apart = "directions apart"

// closedJoints adds the closed ends of joining links, and the throughput of trees of 128 servers.
func closedJoints(ctx context.Context, r *paper.Result) error {
	for i, x := range shareReadings[:2] {
		if !r.Wants(i, x.name) {
			continue
		}
		for _, m := range methods {
			if err := closedRow(ctx, r, "middle", m.name, x.name, x.wires, x.turnSet); err != nil {
				return err
			}
		}
	}
	for _, m := range methods {
		if err := closedRow(ctx, r, "bottom", m.name, "", "", setting{}.turnSet); err != nil {
			return err
		}
	}
	return closedRow(ctx, r, "bottom", apart, "", "", func(_ context.Context, n *model.Network, _ string) (*model.TurnSet, error) {
		return oneDirection(n), nil
	})
}

var closedColumns = []string{"closed ends", "inside", "between, by destination", "between, balanced paths"}

func closedRow(ctx context.Context, r *paper.Result, place, method, reading, wires string,
	turnSet func(context.Context, *model.Network, string) (*model.TurnSet, error)) error {
	network := joinedAt(place, wires)
	v, err := r.One(ctx, fmt.Sprintf("%s, %s", network.name, method), func(ctx context.Context) ([]float64, error) {
		n, err := topo.Parse(network.spec)
		if err != nil {
			return nil, err
		}
		set, err := turnSet(ctx, n, method)
		if err != nil {
			return nil, err
		}
		rep, err := verify.CheckTurns(ctx, set, verify.TurnOptions{})
		if err != nil {
			return nil, err
		}
		if rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
			return nil, fmt.Errorf("%s on %s: a cycle, or a pair without a path", method, network.spec)
		}
		values := []float64{float64(closedEnds(set))}
		for _, paths := range []string{synth.PathsDestination, synth.PathsBalanced} {
			inside, between, err := throughputs(ctx, set, synth.PathsDestination, paths)
			if err != nil {
				return nil, err
			}
			if len(values) == 1 {
				values = append(values, inside)
			}
			values = append(values, between)
		}
		return values, nil
	})
	if err != nil {
		return err
	}
	for i, name := range closedColumns {
		r.AddRow(place+", "+method, name, reading, nan, v[i])
	}
	return nil
}

// ports is the number of ports of a switch in the trees of figure 22.
const ports = 8

// level returns 0 for a bottom switch, 1 for a middle one, 2 for a top one.
func level(n *model.Network, u model.SwitchID) int {
	return min(int(u)%(n.NumSwitches()/2)/(ports*ports/2), 2)
}

// joinsTrees returns a function that tells the channels between the trees.
func joinsTrees(n *model.Network) func(model.ChannelID) bool {
	half := n.NumSwitches() / 2
	return func(c model.ChannelID) bool { return (int(n.Tail(c)) < half) != (int(n.Head(c)) < half) }
}

// closedEnds counts the ends of joining links, of two for each link, without an allowed turn from or to an upper switch.
func closedEnds(allowed *model.TurnSet) int {
	n := allowed.Network()
	joins := joinsTrees(n)
	open := map[model.ChannelID]bool{} // by the channel that leaves the tree
	for t := range model.Turns(n, false) {
		in, out := model.ChannelID(t.In), model.ChannelID(t.Out)
		switch {
		case !allowed.Has(t):
		case joins(out) && level(n, n.Tail(in)) > level(n, n.Head(in)):
			open[out] = true
		case joins(in) && level(n, n.Head(out)) > level(n, n.Tail(out)):
			open[n.Reverse(in)] = true
		}
	}
	return 2*joiningLinks(n) - len(open)
}

// oneDirection returns a set of turns for two fat trees joined at the bottom that prohibits the two directions of turns at joining
// links apart. In the first tree, packets to the other tree come down from the first half of the groups of top switches, and packets
// from there go up to the second half. Inside the trees all turns but those from down to up are allowed.
func oneDirection(n *model.Network) *model.TurnSet {
	set := model.NewTurnSet(n)
	half := n.NumSwitches() / 2
	first := func(middle model.SwitchID) bool { return int(middle)%half%(ports/2) < ports/4 } // whether it is below the first groups
	joins := joinsTrees(n)
	for t := range model.Turns(n, false) {
		in, out := model.ChannelID(t.In), model.ChannelID(t.Out)
		u, v, w := n.Tail(in), n.Head(in), n.Head(out)
		inFirstTree := int(v) < half
		var ok bool
		switch {
		case joins(in):
			ok = !joins(out) && (!inFirstTree || !first(w))
		case joins(out):
			ok = !inFirstTree || first(u)
		default:
			ok = level(n, u) < level(n, v) || level(n, w) < level(n, v)
		}
		if ok {
			set.Add(t)
		}
	}
	return set
}

func closedClaims() []paper.Claim {
	ends := func(place string) [][2]string {
		return [][2]string{{place + ", updown", "closed ends"}, {place + ", tp", "closed ends"}, {place + ", turn-addition", "closed ends"}}
	}
	return []paper.Claim{
		{Name: "turn-addition/tp-closes-joints", Section: "section 5.3.2",
			Statement: "Joined in the middle, TP prohibits all turns between some joining links and upper switches, and turn addition only some",
			Judge: paper.Needs(ends("middle"), func(v []float64) paper.Finding {
				return paper.Decide(v[1] > 0 && v[2] == 0, fmt.Sprintf("TP %g of 32 ends, turn addition %g", v[1], v[2]))
			})},
		{Name: "turn-addition/bottom-closes-joints", Section: "section 5.3.1",
			Statement: "Joined at the bottom, each of the three methods prohibits all turns of some joining links",
			Judge: paper.Needs(ends("bottom"), func(v []float64) paper.Finding {
				return paper.Decide(v[0] > 0 && v[1] > 0 && v[2] > 0, fmt.Sprintf("up*/down* %g of 32 ends, TP %g, turn addition %g", v[0], v[1], v[2]))
			})},
		{Name: "turn-addition/bottom-any-method", Section: "section 5.3.1",
			Statement: "Joined at the bottom, no method whatever is fast between the trees, since some switch loses all turns between them",
			Published: "no method",
			Reason: "It holds if turns inside are kept and turns are prohibited in pairs: then at most 2h-1 of h² links keep " +
				"turns at both ends (h = k/2)",
			Judge: paper.Needs([][2]string{{"bottom, " + apart, closedColumns[0]}, {"bottom, " + apart, closedColumns[1]},
				{"bottom, " + apart, closedColumns[3]}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] > 0 || v[2] < paper.High,
					fmt.Sprintf("a set with %g closed ends has %.3g inside, %.3g between (balanced paths)", v[0], v[1], v[2]))
			})},
	}
}
