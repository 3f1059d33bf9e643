package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/synth/resolve"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/verify"
)

// drawing is a kind of picture.
type drawing struct {
	name, about string
	needRouting bool
	draw        func(*cli.Context, *input) (*figure.Graph, error)
}

var drawings = []drawing{
	{"network", "switches, hosts and cables", false, drawNetwork},
	{"cdg", "the channel dependency graph, a shortest cycle in colour", true, drawCDG},
	{"cycle", "a shortest dependency cycle on the network, with the packets that hold it", true, drawCycle},
	{"deadlock", "a deadlock on the network: packets, what they hold and what they wait for", true, drawDeadlock},
	{"ranks", "the numbers of the channels that prove the routing free of deadlock", true, drawRanks},
	{"paths", "all paths from --from to --to on the network, beside those of --against", true, drawPaths},
	{"hv", "the H/V graph: the network on its grid of spread and depth", false, drawHV},
	{"turns", "the prohibited turns as arcs at their switches", true, drawTurns},
	{"load", "the load of the channels, each host sending 1 in all", true, drawLoad},
	{"classes", "the twelve class turns, prohibited and conditional ones marked; of a SPACE of enumerate its maximal sets, one of each class", false, drawClasses},
	{"basic", "the basic cycles L1 to L7, with the turns that break them", false, drawBasicCycles},
	{"tdg", "the turn dependency graph with its cycles", false, drawTDG},
	{"updown", "the directed graph of up*/down*: each link with an arrow in its up direction", true, drawUpDown},
	{"redundant", "a cycle with a conditional turn that need not be prohibited, as another turn of it is; --number counts from 1", true, drawRedundant},
	{"gates", "the ways that join a channel at --at, and which of them wait at a gate (--gate)", true, drawGates},
	{"sums", "the ways of control information for a sum over a mesh or torus of two dimensions", false, drawSums},
	{"vlan", "each VLAN of a set as a small picture: its tree, and the switches whose hosts send in it", true, drawVLAN},
	{"detected", "a cycle that the cycle-detection algorithm found, --number counts from 1", true, drawDetected},
}

// drawCommand is job 3: figures.
func drawCommand() *cli.Command {
	var lines []string
	for _, d := range drawings {
		lines = append(lines, fmt.Sprintf("  %-9s %s", d.name, d.about))
	}
	return &cli.Command{
		Name:         "draw",
		Usage:        "draw the network, its dependency graph, a cycle, the paths of a pair",
		ArgsUsage:    "WHAT NETWORK [--routing FILE|NAME] -o FILE.svg",
		BashComplete: cli.Complete(cli.Argument{Words: drawingNames()}, networkArgument()),
		Description: "What to draw:\n" + strings.Join(lines, "\n") + "\n\nThe ending of the output file decides the format: .svg, .png, .pdf or .dot.\n\n" +
			"Examples:\n" +
			"  turnproof draw network topology.ibnetdiscover -o fabric.svg\n" +
			"  turnproof draw cycle topology.ibnetdiscover -r opensm-lfts.dump -o loop.png\n" +
			"  turnproof draw paths topology.ibnetdiscover -r opensm-lfts.dump --from H1 --to H7 -o paths.svg\n" +
			"  turnproof draw turns torus:8x8 -r lturn-alpha -o turns.svg\n" +
			"  turnproof draw hv random:switches=16,degree=4 -o hv.svg",
		Flags: append(slices.DeleteFunc(routingFlags(), isHostsFlag),
			&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "`FILE` to write; - is standard output, as --format says", Category: cli.CategoryOutput}, Result: true},
			&cli.Words{StringFlag: cli.StringFlag{Name: "format", Usage: "`FORMAT`: svg, png, pdf or dot (default: by the ending of the output file)", Category: cli.CategoryOutput}, List: []string{"svg", "png", "pdf", "dot"}},
			cli.In(cli.CategoryDrawn, switchingFlag()),
			cli.In(cli.CategoryDrawn, waitingFlag()),
			&cli.Text{StringFlag: cli.StringFlag{Name: "from", Usage: "source `HOST` of paths: description, port GUID or LID", Category: cli.CategoryDrawn}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "to", Usage: "destination `HOST` of paths", Category: cli.CategoryDrawn}},
			&cli.Input{StringFlag: cli.StringFlag{Name: "against", Usage: "a second `ROUTING`, whose paths are drawn beside those of the first", Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()},
			widthFlag(),
			&cli.BoolFlag{Name: "directions", Value: true, Usage: "the directions of channels on an H/V graph"},
			&cli.UintFlag{Name: "number", Value: 1, Usage: "which of the detected or redundant cycles", Category: cli.CategoryDrawn},
			&cli.Text{StringFlag: cli.StringFlag{Name: "cycles", Usage: "basic cycles to draw, `NAMES` with commas between (default: L1 to L7)"}},
			&cli.UintFlag{Name: "vc", Usage: "the one `VC` whose ranks are drawn (default: all)"},
			&cli.Words{StringFlag: cli.StringFlag{Name: "hosts", Usage: "`HOW` hosts are drawn: drawn, counted or hidden (default: by the size of the network)", Category: cli.CategoryNetwork}, List: []string{"drawn", "counted", "hidden"}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "title", Usage: "`TEXT` above the picture; - is none (default: what it shows)"}},
			&cli.Words{StringFlag: cli.StringFlag{Name: "gate", Usage: "gates, `PLACE[,KEY=VALUE...]`, as in sim, for draw gates"}, List: []string{"turn", "injection", "both"}, Open: true},
			&cli.UintFlag{Name: "at", Usage: "`SWITCH` of which draw gates shows the first channel"},
		),
		Action: runDraw,
	}
}

func runDraw(c *cli.Context) error {
	if c.NArg() != 2 {
		return fmt.Errorf("what to draw and the NETWORK are wanted: turnproof draw %s", c.Command.ArgsUsage)
	}
	what := c.Args().First()
	i := slices.IndexFunc(drawings, func(d drawing) bool { return d.name == what })
	if i < 0 {
		var names []string
		for _, d := range drawings {
			names = append(names, d.name)
		}
		return fmt.Errorf("no drawing %q%s, known are %s", what, spelling.Suggest(what, names), strings.Join(names, ", "))
	}
	file := c.String("output")
	if file == "" {
		return fmt.Errorf("-o FILE is missing: the file to draw to (.svg, .png, .pdf or .dot)")
	}
	kind := c.String("format")
	if kind == "" && file == "-" {
		return errors.New("--format is missing: svg, png, pdf or dot, for standard output")
	}
	if kind == "" {
		var err error
		if kind, err = figureFormat(file); err != nil {
			return err
		}
	}
	if what == "classes" {
		if s, err := space.Parse(c.Args().Get(1), space.Options{}); err == nil {
			g, err := drawSpace(c, s)
			if err != nil {
				return err
			}
			return render(c, file, kind, g)
		}
	}
	in, err := readInput(c, c.Args().Get(1), drawings[i].needRouting, false)
	if err != nil {
		return err
	}
	in.printNotes(c)
	if _, ok := hostWords[c.String("hosts")]; !ok {
		return fmt.Errorf("--hosts %q, known are drawn, counted, hidden", c.String("hosts"))
	}
	g, err := drawings[i].draw(c, in)
	if err != nil {
		return err
	}
	return render(c, file, kind, g)
}

// millimetre is one in points.
const millimetre = 25.4 / 72

// widthFlag is for pictures that go into a paper.
func widthFlag() cli.Flag {
	return &cli.Float64Flag{Name: "width", Usage: "how wide the picture is on paper, in `MM`; the column of a paper has about 85 (default: as it comes, for a screen)"}
}

// figureFormat is the format that a file's ending asks for; standard output gets SVG.
func figureFormat(file string) (string, error) {
	if file == "-" {
		return "svg", nil
	}
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".svg", ".png", ".pdf", ".dot":
		return ext[1:], nil
	default:
		return "", fmt.Errorf("%s: figures end in .svg, .png, .pdf or .dot", file)
	}
}

func render(c *cli.Context, file, kind string, g *figure.Graph) error {
	if w := c.Float64("width"); w < 0 || w > 2000 {
		return fmt.Errorf("--width %g, allowed are 0 to 2000 mm", w)
	}
	g.Width = c.Float64("width") / millimetre
	switch t := c.String("title"); t {
	case "":
	case "-":
		g.Title = ""
	default:
		g.Title = t
	}
	picture, lacking, err := figure.RenderLacking(c.Context, g, kind)
	if err != nil {
		return err
	}
	if len(lacking) > 0 {
		fmt.Fprintf(c.App.ErrWriter, "note: %s: %s with characters that a %s cannot show, the first %s; SVG shows them\n",
			plain.Text(file), count(len(lacking), "text", "s"), strings.ToUpper(kind), plain.Text(lacking[0]))
	}
	return cli.WriteFile(c, file, func(w io.Writer) error {
		_, err := w.Write(picture)
		return err
	})
}

// hostWords are the values of --hosts.
var hostWords = map[string]figure.Hosts{"": figure.HostsAuto, "drawn": figure.HostsDrawn, "counted": figure.HostsCounted, "hidden": figure.HostsHidden}

// drawOptions are the options of a picture that draw makes.
func drawOptions(c *cli.Context, n *model.Network, title string) figure.Options {
	o := figureOptions(n, title)
	o.Hosts, o.Brief = hostWords[c.String("hosts")], c.Float64("width") > 0
	return o
}

func figureOptions(n *model.Network, title string) figure.Options {
	return figure.Options{Title: title, VC: vcWord(n), Position: figure.GridPosition(n)}
}

// subject names a network in a title: a specification as it is, a file with its
// folder, since many fabrics are in a file of the same name.
func subject(name string) string {
	if topo.IsSpec(name) {
		return name
	}
	if name == "-" {
		return "standard input"
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	return filepath.Join(filepath.Base(filepath.Dir(full)), filepath.Base(full))
}

func drawNetwork(c *cli.Context, in *input) (*figure.Graph, error) {
	return figure.Network(in.net, drawOptions(c, in.net, subject(in.name))), nil
}

func drawCDG(c *cli.Context, in *input) (*figure.Graph, error) {
	g, cycle, err := graphAndCycle(c.Context, in.rel)
	if err != nil {
		return nil, err
	}
	return figure.Dependencies(in.net, slices.Collect(g.All()), cycle, drawOptions(c, in.net, "Channel dependencies of "+subject(in.name))), nil
}

// graphAndCycle returns the dependency graph and a shortest cycle, if any.
func graphAndCycle(ctx context.Context, r model.Relation) (*cdg.Graph, []model.VCID, error) {
	g, err := cdg.Build(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	cycle, err := g.ShortestCycle(ctx)
	return g, cycle, err
}

func drawCycle(c *cli.Context, in *input) (*figure.Graph, error) {
	_, cycle, err := graphAndCycle(c.Context, in.rel)
	if err != nil {
		return nil, err
	}
	if cycle == nil {
		return nil, fmt.Errorf("%s: the routing has no dependency cycle to draw (it is free of deadlock); \"draw cdg\" shows its dependencies", in.name)
	}
	packets, err := cdg.Witnesses(in.rel, cdg.Dependencies(cycle))
	if err != nil {
		return nil, err
	}
	return cycleFigure(in.rel, cycle, packets, drawOptions(c, in.net, "Credit loop")), nil
}

// cycleFigure shows the cycle with the packets that hold its channels.
func cycleFigure(r model.Relation, cycle []model.VCID, packets []*cdg.Packet, o figure.Options) *figure.Graph {
	steps := make([]figure.Step, len(cycle))
	for i, p := range packets {
		steps[i] = figure.Step{VC: cycle[i], Source: p.Source, Destination: destinationOf(r, p), Key: packetKey(i)}
		for _, s := range p.Path[:len(p.Path)-1] {
			steps[i].Path = append(steps[i].Path, s.VC)
		}
	}
	return figure.CycleOnNetwork(r.Network(), steps, o)
}

// deadlockFigure shows the packets of a deadlock and all that they wait for.
func deadlockFigure(rep *verify.Report, o figure.Options) *figure.Graph {
	n := rep.Relation.Network()
	var held []figure.Held
	for i, p := range rep.Configuration {
		on := heldBy(rep, i)
		for k, at := range on {
			h := figure.Held{VC: at.VC, Source: p.Source, Destination: destinationOf(rep.Relation, p), Key: packetKey(i)}
			if k+1 < len(on) { // the body of a worm waits for what is ahead of it
				h.Waits = []model.VCID{on[k+1].VC}
			} else {
				h.Waits = waitsFor(rep, i)
			}
			if n.IsLinkVC(at.VC) {
				held = append(held, h)
			}
		}
	}
	return figure.Configuration(n, held, o)
}

// waitingFigure shows the deadlock or the dependency cycle of a report, nil where there
// is neither.
func waitingFigure(rep *verify.Report, o figure.Options) *figure.Graph {
	n := rep.Relation.Network()
	if n.NumSwitches() > cmp.Or(o.MaxSwitches, figure.MaxSwitches) && inLine(n, rep.Cycle) {
		o.Position = nil // a ring shows as one
	}
	switch {
	case rep.DeadlockFree.Verdict == verify.Refuted && !cycleBlocks(rep):
		o.Title = "Deadlock"
		return deadlockFigure(rep, o)
	case len(rep.Cycle) > 0:
		o.Title = "Credit loop"
		return cycleFigure(rep.Relation, rep.Cycle, rep.CyclePackets, o)
	}
	return nil
}

// inLine reports whether channels join switches in one line of a grid, and in no other.
func inLine(n *model.Network, vcs []model.VCID) bool {
	g := n.Grid()
	if g == nil || len(vcs) == 0 {
		return false
	}
	differ := map[int]bool{} // dimensions
	var first []int
	for _, v := range vcs {
		c, _ := n.Channel(v)
		for _, u := range []model.SwitchID{n.Tail(c), n.Head(c)} {
			if u == model.NoSwitch {
				continue
			}
			at := g.Coords(u, nil)
			if first == nil {
				first = at
			}
			for k, x := range at {
				differ[k] = differ[k] || x != first[k]
			}
		}
	}
	dims := 0
	for _, is := range differ {
		if is {
			dims++
		}
	}
	return dims == 1
}

// checkAs decides the routing under --switching, or as check does.
func checkAs(c *cli.Context, in *input) (*verify.Report, error) {
	o, err := in.judging(c)
	if err != nil {
		return nil, err
	}
	return verify.Check(c.Context, in.rel, o)
}

func drawDeadlock(c *cli.Context, in *input) (*figure.Graph, error) {
	rep, err := checkAs(c, in)
	if err != nil {
		return nil, err
	}
	if rep.Configuration == nil {
		return nil, fmt.Errorf("%s: there is no deadlock to draw; \"draw ranks\" shows why", in.name)
	}
	return deadlockFigure(rep, drawOptions(c, in.net, "Deadlock")), nil
}

// drawRanks numbers the channels: by the dependency graph where it has no
// cycle, else by the evidence that the routing is free of deadlock all the same.
func drawRanks(c *cli.Context, in *input) (*figure.Graph, error) {
	g, err := cdg.Build(c.Context, in.rel)
	if err != nil {
		return nil, err
	}
	ranks, ok := g.Numbering()
	if !ok {
		rep, err := checkAs(c, in)
		if err != nil {
			return nil, err
		}
		if ranks = rep.Ranks; rep.DeadlockFree.Verdict != verify.Proved {
			return nil, fmt.Errorf("%s: the routing is not free of deadlock, so there is no such numbering; \"draw cycle\" shows why", in.name)
		}
	}
	for v := range ranks {
		if !g.Used(model.VCID(v)) {
			ranks[v] = -1
		}
	}
	o := drawOptions(c, in.net, "Channel numbers of "+subject(in.name)+", "+in.routingName())
	if c.IsSet("vc") {
		if int(c.Uint("vc")) >= in.net.VCs() {
			return nil, fmt.Errorf("--vc %d, the channels of %s have %d", c.Uint("vc"), in.name, in.net.VCs())
		}
		o.OnlyVC = int(c.Uint("vc")) + 1
	}
	return figure.Ranks(in.net, ranks, o), nil
}

// checkFigure is what check --figure draws.
func checkFigure(c *cli.Context, file string, rep *verify.Report) error {
	kind, err := figureFormat(file)
	if err != nil {
		return err
	}
	if g := waitingFigure(rep, drawOptions(c, rep.Relation.Network(), "")); g != nil {
		return render(c, file, kind, g)
	}
	g := rep.Graph
	if g == nil {
		if g, err = cdg.Build(c.Context, rep.Relation); err != nil {
			return err
		}
	}
	n := g.Network()
	return render(c, file, kind, figure.Dependencies(n, slices.Collect(g.All()), nil, figureOptions(n, "Channel dependencies, no cycle")))
}

// maxPaths is how many paths a picture can show.
const maxPaths = 24

func drawPaths(c *cli.Context, in *input) (*figure.Graph, error) {
	if c.String("from") == "" || c.String("to") == "" {
		return nil, fmt.Errorf("draw paths wants --from HOST and --to HOST")
	}
	from, err := in.host(c.String("from"))
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	to, err := in.host(c.String("to"))
	if err != nil {
		return nil, fmt.Errorf("--to: %w", err)
	}
	if from == to {
		return nil, fmt.Errorf("--from and --to are the same host, %s", in.net.HostLabel(to))
	}
	title := fmt.Sprintf("Paths from %s to %s", in.net.HostLabel(from), in.net.HostLabel(to))
	if other := c.String("against"); other != "" {
		return drawAgainst(c, in, from, to, title, other)
	}
	return figure.Paths(in.net, from, to, in.drawnPaths(from, to), drawOptions(c, in.net, title)), nil
}

// drawnPaths lists the paths of a pair, no two alike, as many as can be drawn.
func (in *input) drawnPaths(from, to model.HostID) (paths []figure.Path) {
	for d := range model.DestID(in.rel.Destinations()) {
		if in.rel.DestinationHost(d) != to {
			continue
		}
		for p := range in.paths(from, d) {
			if len(paths) == maxPaths {
				break
			}
			way := figure.Path{VCs: make([]model.VCID, len(p.path)), End: p.end}
			for i, s := range p.path {
				way.VCs[i] = s.VC
			}
			if !slices.ContainsFunc(paths, func(o figure.Path) bool { return o.End == way.End && slices.Equal(o.VCs, way.VCs) }) {
				paths = append(paths, way)
			}
		}
	}
	return paths
}
