package draw

import (
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file draws the up directions of up*/down*, redundant prohibitions, gates, and the control
// information of entropy throttling.

// drawUpDown draws the up direction of each link. The options of the routing decide ties.
func drawUpDown(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	name, o, _, err := methods.Parse(in.Routing)
	if err != nil {
		return nil, err
	}
	if name != "updown" {
		return nil, fmt.Errorf("draw updown needs --routing updown, with its options; got %s", in.Routing)
	}
	made, err := synth.New(c.Context, name, in.Net.WithVCs(1), o)
	if err != nil {
		return nil, err
	}
	if made.Graph == nil {
		return nil, errors.New("draw updown needs a tree of shortest paths, not a depth-first tree")
	}
	up, err := made.Tree.UpChannels(o.Ties)
	if err != nil {
		return nil, err
	}
	g := made.Graph
	title := fmt.Sprintf("Up directions in %s, root %s", resolve.Title(in.Name), g.Net.SwitchName(g.Root))
	return figure.UpDown(g, up, picture.DrawOptions(c, g.Net, title)), nil
}

// drawRedundant draws a cycle with a conditional turn that the cycle detection allowed, because
// another turn of the cycle is always prohibited.
func drawRedundant(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	if methods.Of(in) == nil || methods.Of(in).Graph == nil {
		return nil, errors.New("draw redundant needs --routing lturn-alpha, lturn-beta, rturn-alpha or rturn-beta")
	}
	always, conditional, ok := synth.ClassPolicy(methods.Of(in).Method)
	if !ok {
		return nil, fmt.Errorf("draw redundant needs --routing lturn-alpha, lturn-beta, rturn-alpha or rturn-beta, not %s", in.Routing)
	}
	g, k, found := methods.Of(in).Graph, int(c.Uint("number")), 0
	is := func(s hv.ClassTurns, in, out model.ChannelID) bool {
		t, turns := g.ClassTurn(in, out)
		return turns && s.Has(t)
	}
	for t := range model.Turns(g.Net, false) {
		a, b := model.ChannelID(t.In), model.ChannelID(t.Out)
		if !is(conditional, a, b) || !methods.Of(in).Allowed.Has(t) {
			continue
		}
		// No other turn of this cycle is conditional, so only turns that are always prohibited
		// break it.
		cycle := shortestCycle(g.Net, a, b, func(a, b model.ChannelID) bool { return !is(conditional, a, b) })
		if cycle == nil {
			continue
		}
		if found++; found == k {
			title := fmt.Sprintf("Redundant prohibition in %s, %s", resolve.Title(in.Name), in.RoutingName())
			return figure.BrokenCycle(g, cycle, t, func(a, b model.ChannelID) bool { return is(always, a, b) }, picture.DrawOptions(c, g.Net, title)), nil
		}
	}
	return nil, fmt.Errorf("--number %d: want one of the %d allowed conditional turns that lie on a cycle", k, found)
}

// shortestCycle returns the shortest cycle of channels that starts with the turn from a to b. The
// cycle starts with b and ends with a. Its other turns are allowed and are no U-turns.
// shortestCycle returns nil if there is no such cycle.
func shortestCycle(n *model.Network, a, b model.ChannelID, allowed func(in, out model.ChannelID) bool) []model.ChannelID {
	from := map[model.ChannelID]model.ChannelID{b: b}
	for queue := []model.ChannelID{b}; len(queue) > 0; queue = queue[1:] {
		for _, next := range n.Out(n.Head(queue[0])) {
			if _, seen := from[next]; seen || n.Kind(next) != model.SwitchToSwitch || next == n.Reverse(queue[0]) || !allowed(queue[0], next) {
				continue
			}
			from[next] = queue[0]
			queue = append(queue, next)
		}
	}
	if _, found := from[a]; !found {
		return nil
	}
	cycle := []model.ChannelID{a}
	for at := a; at != b; {
		at = from[at]
		cycle = append([]model.ChannelID{at}, cycle...)
	}
	return cycle
}

// drawGates draws the first channel out of a switch that continues straight from another channel,
// with the channels that join it and their gates.
func drawGates(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	rule, err := input.ReadGate(c)
	if err != nil {
		return nil, err
	}
	if rule == nil {
		return nil, errors.New("draw gates needs --gate PLACE, as in sim")
	}
	gates, err := rule.On(in.Rel)
	if err != nil {
		return nil, err
	}
	n, at := in.Net, model.SwitchID(c.Uint("at"))
	if int(at) >= n.NumSwitches() {
		return nil, fmt.Errorf("--at %d: want a switch from 0 to %d", at, n.NumSwitches()-1)
	}
	for _, out := range n.Out(at) {
		for straight := range model.ChannelID(n.NumLinkChannels()) {
			if gates.Ahead(straight) == out {
				title := fmt.Sprintf("Gates before %s to %s, place %s", n.SwitchLabel(at), n.SwitchLabel(n.Head(out)), rule.Place)
				return figure.Gates(n, out, straight, func(in model.ChannelID) bool { return gates.Has(in, n.VC(out, 0)) },
					picture.DrawOptions(c, n, title)), nil
			}
		}
	}
	return nil, fmt.Errorf("--at %d: no path goes straight on through this switch", at)
}

// drawSums draws the paths on which entropy throttling sends control information.
func drawSums(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	return figure.Sums(in.Net, picture.DrawOptions(c, in.Net, "Control information of entropy throttling, "+resolve.Title(in.Name)))
}
