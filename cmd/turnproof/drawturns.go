package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/synth/resolve"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth"
)

// This file draws turn sets and what they stand on.

// maxOnGrid is the largest network whose turns are drawn on the H/V grid, which
// has a column for each switch.
const maxOnGrid = 20

// hvGraph returns the H/V graph that the routing stands on, else that of the
// default root.
func hvGraph(c *cli.Context, in *input) (*hv.Graph, error) {
	if in.made != nil && in.made.Graph != nil {
		return in.made.Graph, nil
	}
	n, o := in.net.WithVCs(1), synth.Options{}
	if in.routing != "" {
		if name, given, _, err := resolve.ParseMethod(in.routing); err == nil && name == "updown" {
			o.Root = given.Root
		}
	}
	made, err := synth.New(c.Context, "updown", n, o)
	if err != nil {
		return nil, err
	}
	return made.Graph, nil
}

func drawHV(c *cli.Context, in *input) (*figure.Graph, error) {
	g, err := hvGraph(c, in)
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("H/V graph of %s, root %s", subject(in.name), in.net.SwitchName(g.Root))
	o := drawOptions(c, in.net.WithVCs(1), title)
	o.NoDirections = !c.Bool("directions")
	return figure.HV(g, o), nil
}

// drawTurns draws on the H/V grid where that is legible, else where the
// network's own places are.
func drawTurns(c *cli.Context, in *input) (*figure.Graph, error) {
	allowed, err := turnsOf(c.Context, in.rel)
	if err != nil {
		return nil, err
	}
	n := allowed.Network()
	if in.made != nil {
		allowed = in.made.Allowed
		n = allowed.Network()
	}
	var g *hv.Graph
	if in.made != nil && n.Grid() == nil && n.NumSwitches() <= maxOnGrid {
		g = in.made.Graph
	}
	title := fmt.Sprintf("Turns prohibited in %s, %s", subject(in.name), in.routingName())
	return figure.ProhibitedTurns(allowed.Complement(), g, drawOptions(c, n, title)), nil
}

// drawLoad draws the load under all shortest ways that a turn set leaves, without one that
// of the packets of the routing.
func drawLoad(c *cli.Context, in *input) (*figure.Graph, error) {
	n := in.net
	t, word, err := resolve.Traffic("", in.name, n, in.sumsOnly())
	if err != nil {
		return nil, err
	}
	var load []float64
	if set := in.loadedSet(); set != nil {
		n = set.Network()
		w, err := synth.MeasureWays(c.Context, set, model.NewDemand(n, t))
		if err != nil {
			return nil, err
		}
		load = w.Load
	} else {
		f, err := synth.MeasureFlow(c.Context, in.rel, t)
		if err != nil {
			return nil, fmt.Errorf("draw load: %w", err)
		}
		load = f.Load[:n.NumLinkChannels()]
	}
	title := fmt.Sprintf("Load of %s, %s, traffic %s", subject(in.name), in.routingName(), word)
	return figure.Load(n, load, drawOptions(c, n, title)), nil
}

// loadedSet is the turn set of one VC per channel that the routing keeps to, nil where
// there is none.
func (in *input) loadedSet() *model.TurnSet {
	if in.made != nil {
		return in.made.Allowed
	}
	if r, ok := in.rel.(route.Restricted); ok && r.Turns().Network().VCs() == 1 {
		return r.Turns()
	}
	return nil
}

// classPolicy returns the class turns that the routing prohibits always and on
// a condition; none without a routing.
func classPolicy(in *input) (always, conditional hv.ClassTurns, name string, err error) {
	if in.routing == "" {
		return 0, 0, "", nil
	}
	name, _, _ = strings.Cut(in.routing, ",")
	always, conditional, ok := synth.ClassPolicy(name)
	if !ok {
		return 0, 0, "", fmt.Errorf("class turns are prohibited by lturn-alpha, lturn-beta, rturn-alpha, rturn-beta, not by %s", in.routing)
	}
	return always, conditional, ", " + name, nil
}

func drawClasses(_ *cli.Context, in *input) (*figure.Graph, error) {
	always, conditional, name, err := classPolicy(in)
	if err != nil {
		return nil, err
	}
	return figure.ClassTurns(always, conditional, figure.Options{Title: "Class turns of an H/V graph" + name}), nil
}

func drawBasicCycles(c *cli.Context, in *input) (*figure.Graph, error) {
	always, conditional, name, err := classPolicy(in)
	if err != nil {
		return nil, err
	}
	o := figure.Options{Title: "Basic cycles of an H/V graph" + name}
	if list := c.String("cycles"); list != "" {
		o.Cycles = strings.Split(list, ",")
		for _, x := range o.Cycles {
			if !slices.ContainsFunc(hv.BasicCycles(), func(b hv.BasicCycle) bool { return b.Name == x }) {
				return nil, fmt.Errorf("--cycles: no basic cycle %q, there are L1 to L7", x)
			}
		}
	}
	return figure.BasicCycles(always, conditional, o), nil
}

// drawTDG leaves out what is always prohibited, as the paper's figure 8.
func drawTDG(_ *cli.Context, in *input) (*figure.Graph, error) {
	always, _, name, err := classPolicy(in)
	if err != nil {
		return nil, err
	}
	return figure.TurnDependencies(hv.AllClassTurns()&^always, figure.Options{Title: "Turn dependency graph" + name}), nil
}

func drawDetected(c *cli.Context, in *input) (*figure.Graph, error) {
	if in.made == nil || in.made.Graph == nil {
		return nil, errors.New("draw detected wants --routing lturn-alpha, lturn-beta, rturn-alpha or rturn-beta")
	}
	cycles, err := synth.DetectedCycles(c.Context, in.made.Method, in.made.Graph, in.made.Options.DA)
	if err != nil {
		return nil, err
	}
	k := int(c.Uint("number"))
	if k < 1 || k > len(cycles) {
		return nil, fmt.Errorf("--number %d: %d cycles were detected", k, len(cycles))
	}
	title := fmt.Sprintf("Cycle %d of %d detected in %s, %s", k, len(cycles), subject(in.name), in.routingName())
	return figure.DetectedCycle(in.made.Graph, cycles[k-1].Cycle, cycles[k-1].Turn, drawOptions(c, in.net.WithVCs(1), title)), nil
}

// drawAgainst draws the paths of a pair under two routings.
func drawAgainst(c *cli.Context, in *input, from, to model.HostID, title, routing string) (*figure.Graph, error) {
	if in.net.VCs() > 1 {
		return nil, errors.New("--against is for networks of one VC per channel")
	}
	other := &input{name: in.name, net: in.net, routing: routing}
	if err := other.route(c.Context, routing, "", format.Options{LMC: uint8(c.Uint("lmc"))}); err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	if other.net.VCs() > 1 {
		return nil, errors.New("--against is for networks of one VC per channel")
	}
	g := in.graph()
	if g == nil {
		g = other.graph()
	}
	left := figure.Ways{Heading: in.routingName(), Paths: in.drawnPaths(from, to)}
	right := figure.Ways{Heading: other.routingName(), Paths: other.drawnPaths(from, to)}
	return figure.PathsSideBySide(in.net, from, to, left, right, g, drawOptions(c, in.net, title)), nil
}

// graph is the H/V graph that the routing stands on, nil where the network is
// better drawn otherwise.
func (in *input) graph() *hv.Graph {
	if in.made == nil || in.net.Grid() != nil || in.net.NumSwitches() > maxOnGrid {
		return nil
	}
	return in.made.Graph
}

// routingName names the routing in a title: a file without its folder.
func (in *input) routingName() string {
	if resolve.IsRoutingName(in.routing) {
		return in.routing
	}
	return filepath.Base(in.routing)
}
