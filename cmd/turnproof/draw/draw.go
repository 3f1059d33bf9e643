package draw

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// drawing is a kind of figure that draw can make.
type drawing struct {
	name, about string
	needRouting bool
	draw        func(*cli.Context, *resolve.Subject) (*figure.Graph, error)
}

var drawings = []drawing{
	{"network", "switches, hosts and cables", false, drawNetwork},
	{"cdg", "the channel dependency graph, with a shortest cycle in colour", true, drawCDG},
	{"cycle", "a shortest dependency cycle on the network, with the packets that hold it", true, drawCycle},
	{"deadlock", "a deadlock on the network: packets, what they hold and what they wait for", true, drawDeadlock},
	{"ranks", "the numbers of the channels that prove the routing free of deadlock", true, drawRanks},
	{"paths", "all paths from --from to --to on the network; --against adds those of a second routing", true, drawPaths},
	{"hv", "the H/V graph: the network on its grid of spread and depth", false, drawHV},
	{"turns", "the prohibited turns as arcs at their switches", true, drawTurns},
	{"load", "the load of the channels if each host sends 1 in total", true, drawLoad},
	{"classes", "the twelve class turns, with prohibited and conditional ones marked; for a SPACE of enumerate, one maximal set of each class", false,
		drawClasses},
	{"basic", "the basic cycles L1 to L7, with the turns that break them", false, drawBasicCycles},
	{"tdg", "the turn dependency graph with its cycles", false, drawTDG},
	{"updown", "the directed graph of up*/down*: each link with an arrow in its up direction", true, drawUpDown},
	{"redundant", "a cycle with a conditional turn that may be allowed, because another turn of the cycle is prohibited; --number counts from 1",
		true, drawRedundant},
	{"gates", "the paths that join a channel at --at, and which of them wait at a gate (--gate)", true, drawGates},
	{"sums", "the paths of control information for a sum over a mesh or torus of two dimensions", false, drawSums},
	{"vlan", "each VLAN of a set as a small picture: the tree, and the switches whose hosts send in the VLAN", true, picture.DrawVLAN},
	{"detected", "a cycle that the cycle-detection algorithm found; --number counts from 1", true, drawDetected},
}

func nameOf(d drawing) string { return d.name }

// Command returns the command draw with its flags.
func Command() *cli.Command {
	var lines []string
	for _, d := range drawings {
		lines = append(lines, fmt.Sprintf("  %-9s %s", d.name, d.about))
	}
	return &cli.Command{
		Name:         "draw",
		Usage:        "draw the network, its dependency graph, a cycle, the paths of a pair",
		ArgsUsage:    "WHAT NETWORK [--routing FILE|NAME] -o FILE.svg",
		BashComplete: cli.Complete(cli.Argument{Words: registry.Names(drawings, nameOf)}, input.NetworkArgument()),
		Description: "What to draw:\n" + strings.Join(lines, "\n") + "\n\nThe suffix of the output file selects the format: .svg, .png, .pdf or .dot.\n\n" +
			"Examples:\n" +
			"  turnproof draw network topology.ibnetdiscover -o fabric.svg\n" +
			"  turnproof draw cycle topology.ibnetdiscover -r opensm-lfts.dump -o loop.png\n" +
			"  turnproof draw paths topology.ibnetdiscover -r opensm-lfts.dump --from H1 --to H7 -o paths.svg\n" +
			"  turnproof draw turns torus:8x8 -r lturn-alpha -o turns.svg\n" +
			"  turnproof draw hv random:switches=16,degree=4 -o hv.svg",
		Flags: append(slices.DeleteFunc(input.RoutingFlags(), input.IsHostsFlag),
			&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"},
				Usage: "write the figure to `FILE`; - is standard output, in the format of --format", Category: cli.CategoryOutput}, Result: true},
			&cli.Words{StringFlag: cli.StringFlag{Name: "format",
				Usage: "write `FORMAT`: svg, png, pdf or dot (default: by the suffix of the output file)", Category: cli.CategoryOutput},
				List: []string{"svg", "png", "pdf", "dot"}},
			cli.In(cli.CategoryDrawn, input.SwitchingFlag()),
			cli.In(cli.CategoryDrawn, input.WaitingFlag()),
			&cli.Text{StringFlag: cli.StringFlag{Name: "from", Usage: "start the paths at `HOST`: description, port GUID or LID", Category: cli.CategoryDrawn}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "to", Usage: "end the paths at `HOST`", Category: cli.CategoryDrawn}},
			&cli.Input{StringFlag: cli.StringFlag{Name: "against", Usage: "draw the paths of a second `ROUTING` beside those of the first",
				Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()},
			picture.WidthFlag(),
			&cli.BoolFlag{Name: "directions", Value: true, Usage: "draw the directions of channels on an H/V graph"},
			&cli.UintFlag{Name: "number", Value: 1, Usage: "select one of the detected or redundant cycles", Category: cli.CategoryDrawn},
			&cli.Text{StringFlag: cli.StringFlag{Name: "cycles", Usage: "select the basic cycles `NAMES`, separated by commas (default: L1 to L7)"}},
			&cli.UintFlag{Name: "vc", Usage: "draw the ranks of one `VC` (default: all)"},
			&cli.BoolFlag{Name: "stated", Usage: "draw the ranks that function rank of a routing program states, instead of ours"},
			&cli.Words{StringFlag: cli.StringFlag{Name: "hosts",
				Usage: "show hosts as `HOW`: drawn, counted or hidden (default: by the size of the network)", Category: cli.CategoryNetwork},
				List: []string{"drawn", "counted", "hidden"}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "title", Usage: "print `TEXT` above the picture; - is none (default: a description)"}},
			&cli.Words{StringFlag: cli.StringFlag{Name: "gate", Usage: "add gates, `PLACE[,KEY=VALUE...]`, as in sim, for draw gates"},
				List: []string{"turn", "injection", "both"}, Open: true},
			&cli.UintFlag{Name: "at", Usage: "draw the gates of the first channel of `SWITCH`"},
		),
		Action: runDraw,
	}
}

func runDraw(c *cli.Context) error {
	if c.NArg() != 2 {
		return fmt.Errorf("want what to draw and NETWORK: turnproof draw %s", c.Command.ArgsUsage)
	}
	what := c.Args().First()
	drawn, err := registry.Find("drawing", what, drawings, nameOf)
	if err != nil {
		return err
	}
	file := c.String("output")
	if file == "" {
		return fmt.Errorf("-o FILE is missing: want a file to draw to (.svg, .png, .pdf or .dot)")
	}
	kind := c.String("format")
	if kind == "" && file == "-" {
		return errors.New("--format is missing: want svg, png, pdf or dot for standard output")
	}
	if kind == "" {
		var err error
		if kind, err = picture.Format(file); err != nil {
			return err
		}
	}
	if what == "classes" {
		if s, err := space.Parse(c.Args().Get(1), space.Options{}); err == nil {
			g, err := drawSpace(c, s)
			if err != nil {
				return err
			}
			return picture.Render(c, file, kind, g)
		}
	}
	in, err := input.Read(c, c.Args().Get(1), drawn.needRouting, false)
	if err != nil {
		return err
	}
	input.PrintNotes(c, in)
	if _, ok := picture.HostWords()[c.String("hosts")]; !ok {
		return fmt.Errorf("--hosts %q, known are drawn, counted, hidden", c.String("hosts"))
	}
	g, err := drawn.draw(c, in)
	if err != nil {
		return err
	}
	return picture.Render(c, file, kind, g)
}

func drawNetwork(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	return figure.Network(in.Net, picture.DrawOptions(c, in.Net, resolve.Title(in.Name))), nil
}

func drawCDG(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	g, cycle, err := graphAndCycle(c.Context, in.Rel)
	if err != nil {
		return nil, err
	}
	return figure.Dependencies(in.Net, slices.Collect(g.All()), cycle, picture.DrawOptions(c, in.Net, "Channel dependencies of "+resolve.Title(in.Name))), nil
}

// graphAndCycle returns the dependency graph and a shortest cycle, or nil if there is none.
func graphAndCycle(ctx context.Context, r model.Relation) (*cdg.Graph, []model.VCID, error) {
	g, err := cdg.Build(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	cycle, err := g.ShortestCycle(ctx)
	return g, cycle, err
}

func drawCycle(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	_, cycle, err := graphAndCycle(c.Context, in.Rel)
	if err != nil {
		return nil, err
	}
	if cycle == nil {
		return nil, fmt.Errorf("%s: the routing is deadlock-free and has no dependency cycle to draw; \"draw cdg\" shows its dependencies", in.Name)
	}
	packets, err := cdg.Witnesses(in.Rel, cdg.Dependencies(cycle))
	if err != nil {
		return nil, err
	}
	return explain.CycleFigure(in.Rel, cycle, packets, picture.DrawOptions(c, in.Net, "Credit loop")), nil
}

// checkAs decides the claims about the routing, as the command check does.
func checkAs(c *cli.Context, in *resolve.Subject) (*verify.Report, error) {
	o, err := judging.Options(c, in)
	if err != nil {
		return nil, err
	}
	return verify.Check(c.Context, in.Rel, o)
}

func drawDeadlock(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	rep, err := checkAs(c, in)
	if err != nil {
		return nil, err
	}
	if rep.Configuration == nil {
		return nil, fmt.Errorf("%s: there is no deadlock to draw; \"draw ranks\" shows why", in.Name)
	}
	return explain.DeadlockFigure(rep, picture.DrawOptions(c, in.Net, "Deadlock")), nil
}

func drawPaths(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	if c.String("from") == "" || c.String("to") == "" {
		return nil, fmt.Errorf("draw paths needs --from HOST and --to HOST")
	}
	from, err := in.Host(c.String("from"))
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	to, err := in.Host(c.String("to"))
	if err != nil {
		return nil, fmt.Errorf("--to: %w", err)
	}
	if from == to {
		return nil, fmt.Errorf("--from and --to are the same host, %s", in.Net.HostLabel(to))
	}
	title := fmt.Sprintf("Paths from %s to %s", in.Net.HostLabel(from), in.Net.HostLabel(to))
	if other := c.String("against"); other != "" {
		return drawAgainst(c, in, from, to, title, other)
	}
	return figure.Paths(in.Net, from, to, drawnPaths(in, from, to), picture.DrawOptions(c, in.Net, title)), nil
}

// drawnPaths returns the distinct paths of a pair of hosts, at most picture.MaxPaths.
func drawnPaths(in *resolve.Subject, from, to model.HostID) (paths []figure.Path) {
	for d := range model.DestID(in.Rel.Destinations()) {
		if in.Rel.DestinationHost(d) != to {
			continue
		}
		for p := range route.Walks(in.Rel, from, d) {
			if len(paths) == picture.MaxPaths {
				break
			}
			way := figure.Path{VCs: make([]model.VCID, len(p.Path)), End: p.End}
			for i, s := range p.Path {
				way.VCs[i] = s.VC
			}
			if !slices.ContainsFunc(paths, func(o figure.Path) bool { return o.End == way.End && slices.Equal(o.VCs, way.VCs) }) {
				paths = append(paths, way)
			}
		}
	}
	return paths
}
