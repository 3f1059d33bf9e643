package draw

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file draws turn sets, their H/V graphs, class turns and loads.

// hvGraph returns the H/V graph of the routing's turn set. If there is none, it returns the H/V
// graph of up*/down*, with the root that --routing names or the default root.
func hvGraph(c *cli.Context, in *resolve.Subject) (*hv.Graph, error) {
	if methods.Of(in) != nil && methods.Of(in).Graph != nil {
		return methods.Of(in).Graph, nil
	}
	n, o := in.Net.WithVCs(1), synth.Options{}
	if in.Routing != "" {
		if name, given, _, err := methods.Parse(in.Routing); err == nil && name == "updown" {
			o.Root = given.Root
		}
	}
	made, err := synth.New(c.Context, "updown", n, o)
	if err != nil {
		return nil, err
	}
	return made.Graph, nil
}

func drawHV(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	g, err := hvGraph(c, in)
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("H/V graph of %s, root %s", resolve.Title(in.Name), in.Net.SwitchName(g.Root))
	o := picture.DrawOptions(c, in.Net.WithVCs(1), title)
	o.NoDirections = !c.Bool("directions")
	return figure.HV(g, o), nil
}

// drawTurns draws the prohibited turns. It uses the H/V grid for small irregular networks,
// otherwise the positions of the switches in the network.
func drawTurns(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	allowed, err := cdg.TurnsOf(c.Context, in.Rel)
	if err != nil {
		return nil, err
	}
	n := allowed.Network()
	if methods.Of(in) != nil {
		allowed = methods.Of(in).Allowed
		n = allowed.Network()
	}
	var g *hv.Graph
	if methods.Of(in) != nil && n.Grid() == nil && n.NumSwitches() <= figure.MaxOnTree {
		g = methods.Of(in).Graph
	}
	title := fmt.Sprintf("Turns prohibited in %s, %s", resolve.Title(in.Name), in.RoutingName())
	return figure.ProhibitedTurns(allowed.Complement(), g, picture.DrawOptions(c, n, title)), nil
}

// drawLoad draws the load of the channels. For a turn set, packets use all shortest allowed paths;
// otherwise they use the paths of the routing.
func drawLoad(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	n := in.Net
	t, word, err := resolve.Traffic("", in.Name, n, in.SumsOnly())
	if err != nil {
		return nil, err
	}
	var load []float64
	if set := in.TurnSet(); set != nil {
		n = set.Network()
		w, err := synth.MeasurePaths(c.Context, set, model.NewDemand(n, t))
		if err != nil {
			return nil, err
		}
		load = w.Load
	} else {
		f, err := synth.MeasureFlow(c.Context, in.Rel, t)
		if err != nil {
			return nil, fmt.Errorf("draw load: %w", err)
		}
		load = f.Load[:n.NumLinkChannels()]
	}
	title := fmt.Sprintf("Load of %s, %s, traffic %s", resolve.Title(in.Name), in.RoutingName(), word)
	return figure.Load(n, load, picture.DrawOptions(c, n, title)), nil
}

// classPolicy returns the class turns that the routing prohibits always and conditionally, and a
// suffix for titles. Without a routing, both sets are empty.
func classPolicy(in *resolve.Subject) (always, conditional hv.ClassTurns, name string, err error) {
	if in.Routing == "" {
		return 0, 0, "", nil
	}
	name, _, _ = strings.Cut(in.Routing, ",")
	always, conditional, ok := synth.ClassPolicy(name)
	if !ok {
		return 0, 0, "", fmt.Errorf("class turns are prohibited by lturn-alpha, lturn-beta, rturn-alpha, rturn-beta, not by %s", in.Routing)
	}
	return always, conditional, ", " + name, nil
}

func drawClasses(_ *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	always, conditional, name, err := classPolicy(in)
	if err != nil {
		return nil, err
	}
	return figure.ClassTurns(always, conditional, figure.Options{Title: "Class turns of an H/V graph" + name}), nil
}

func drawBasicCycles(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
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

// drawTDG draws the turn dependency graph without the turns that are always prohibited, like
// figure 8 of the paper about the 2-D turn model.
func drawTDG(_ *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	always, _, name, err := classPolicy(in)
	if err != nil {
		return nil, err
	}
	return figure.TurnDependencies(hv.AllClassTurns()&^always, figure.Options{Title: "Turn dependency graph" + name}), nil
}

func drawDetected(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	if methods.Of(in) == nil || methods.Of(in).Graph == nil {
		return nil, errors.New("draw detected needs --routing lturn-alpha, lturn-beta, rturn-alpha or rturn-beta")
	}
	cycles, err := synth.DetectedCycles(c.Context, methods.Of(in).Method, methods.Of(in).Graph, methods.Of(in).Options.DA)
	if err != nil {
		return nil, err
	}
	k := int(c.Uint("number"))
	if k < 1 || k > len(cycles) {
		return nil, fmt.Errorf("--number %d: %d cycles were detected", k, len(cycles))
	}
	title := fmt.Sprintf("Cycle %d of %d detected in %s, %s", k, len(cycles), resolve.Title(in.Name), in.RoutingName())
	others := synth.AllowedConditional(methods.Of(in))
	return figure.DetectedCycle(methods.Of(in).Graph, cycles[k-1].Cycle, cycles[k-1].Turn, others, picture.DrawOptions(c, in.Net.WithVCs(1), title)), nil
}

// drawAgainst draws the paths of a pair of hosts under two routings side by side.
func drawAgainst(c *cli.Context, in *resolve.Subject, from, to model.HostID, title, routing string) (*figure.Graph, error) {
	if in.Net.VCs() > 1 {
		return nil, errors.New("--against is for networks of one VC per channel")
	}
	other, err := in.Reroute(c.Context, routing, "", format.Options{LMC: uint8(c.Uint("lmc"))})
	if err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	if other.Net.VCs() > 1 {
		return nil, errors.New("--against is for networks of one VC per channel")
	}
	g := picture.Graph(in)
	if g == nil {
		g = picture.Graph(other)
	}
	left := figure.Ways{Heading: in.RoutingName(), Paths: drawnPaths(in, from, to)}
	right := figure.Ways{Heading: other.RoutingName(), Paths: drawnPaths(other, from, to)}
	return figure.PathsSideBySide(in.Net, from, to, left, right, g, picture.DrawOptions(c, in.Net, title)), nil
}
