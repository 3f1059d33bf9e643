package picture

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/wording"
	"github.com/turnproof/turnproof/verify"
)

// CheckOutputs refuses files that cannot both be written.
func CheckOutputs(c *cli.Context, others ...string) error {
	if err := cli.DistinctOutputs(c, append([]string{"certificate", "figure", "mend", "sarif", "junit"}, others...)...); err != nil {
		return err
	}
	figure := c.String("figure")
	if figure == "" {
		return nil
	}
	_, err := Format(figure)
	return err
}

// millimetre is one in points.
const millimetre = 25.4 / 72

// WidthFlag is for pictures that go into a paper.
func WidthFlag() cli.Flag {
	return &cli.Float64Flag{Name: "width", Usage: "scale the picture to a width of `MM` millimetres; a column of a paper has about 85 (default: a size for screens)"}
}

// Format is the format that a file's ending asks for; standard output gets SVG.
func Format(file string) (string, error) {
	if file == "-" {
		return "svg", nil
	}
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".svg", ".png", ".pdf", ".dot":
		return ext[1:], nil
	default:
		return "", fmt.Errorf("%s: want a figure that ends in .svg, .png, .pdf or .dot", file)
	}
}

func Render(c *cli.Context, file, kind string, g *figure.Graph) error {
	if w := c.Float64("width"); w < 0 || w > 2000 {
		return fmt.Errorf("--width %g: want 0 to 2000 mm", w)
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
			plain.Text(file), wording.Count(len(lacking), "text", "s"), strings.ToUpper(kind), plain.Text(lacking[0]))
	}
	return cli.WriteFile(c, file, func(w io.Writer) error {
		_, err := w.Write(picture)
		return err
	})
}

// HostWords returns the values of --hosts.
func HostWords() map[string]figure.Hosts {
	return map[string]figure.Hosts{"": figure.HostsAuto, "drawn": figure.HostsDrawn, "counted": figure.HostsCounted, "hidden": figure.HostsHidden}
}

// DrawOptions are the options of a picture that draw makes.
func DrawOptions(c *cli.Context, n *model.Network, title string) figure.Options {
	o := Options(n, title)
	o.Hosts, o.Brief = HostWords()[c.String("hosts")], c.Float64("width") > 0
	return o
}

func Options(n *model.Network, title string) figure.Options {
	return figure.Options{Title: title, VC: wording.VC(n), Position: figure.GridPosition(n)}
}

// Subject names a network in a title: a specification as it is, a file with its
// folder, since many fabrics are in a file of the same name.
func Subject(name string) string {
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

// CycleFigure shows the cycle with the packets that hold its channels.
func CycleFigure(r model.Relation, cycle []model.VCID, packets []*cdg.Packet, o figure.Options) *figure.Graph {
	steps := make([]figure.Step, len(cycle))
	for i, p := range packets {
		steps[i] = figure.Step{VC: cycle[i], Source: p.Source, Destination: input.DestinationOf(r, p), Key: say.PacketKey(i)}
		for _, s := range p.Path[:len(p.Path)-1] {
			steps[i].Path = append(steps[i].Path, s.VC)
		}
	}
	return figure.CycleOnNetwork(r.Network(), steps, o)
}

// DeadlockFigure shows the packets of a deadlock and all that they wait for.
func DeadlockFigure(rep *verify.Report, o figure.Options) *figure.Graph {
	n := rep.Relation.Network()
	var held []figure.Held
	for i, p := range rep.Configuration {
		on := rep.Held(i)
		for k, at := range on {
			h := figure.Held{VC: at.VC, Source: p.Source, Destination: input.DestinationOf(rep.Relation, p), Key: say.PacketKey(i)}
			if k+1 < len(on) { // the body of a worm waits for what is ahead of it
				h.Waits = []model.VCID{on[k+1].VC}
			} else {
				h.Waits = rep.WaitsFor(i)
			}
			if n.IsLinkVC(at.VC) {
				held = append(held, h)
			}
		}
	}
	return figure.Configuration(n, held, o)
}

// WaitingFigure shows the deadlock or the dependency cycle of a report, nil where there
// is neither.
func WaitingFigure(rep *verify.Report, o figure.Options) *figure.Graph {
	n := rep.Relation.Network()
	if n.NumSwitches() > cmp.Or(o.MaxSwitches, figure.MaxSwitches) && InLine(n, rep.Cycle) {
		o.Position = nil // a ring shows as one
	}
	switch {
	case rep.DeadlockFree.Verdict == verify.Refuted && !rep.CycleBlocks():
		o.Title = "Deadlock"
		return DeadlockFigure(rep, o)
	case len(rep.Cycle) > 0:
		o.Title = "Credit loop"
		return CycleFigure(rep.Relation, rep.Cycle, rep.CyclePackets, o)
	}
	return nil
}

// InLine reports whether channels join switches in one line of a grid, and in no other.
func InLine(n *model.Network, vcs []model.VCID) bool {
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

// CheckFigure is what check --figure draws.
func CheckFigure(c *cli.Context, file string, rep *verify.Report) error {
	kind, err := Format(file)
	if err != nil {
		return err
	}
	if g := WaitingFigure(rep, DrawOptions(c, rep.Relation.Network(), "")); g != nil {
		return Render(c, file, kind, g)
	}
	g := rep.Graph
	if g == nil {
		if g, err = cdg.Build(c.Context, rep.Relation); err != nil {
			return err
		}
	}
	n := g.Network()
	return Render(c, file, kind, figure.Dependencies(n, slices.Collect(g.All()), nil, Options(n, "Channel dependencies, no cycle")))
}

// MaxPaths is how many paths a picture can show.
const MaxPaths = 24

// MaxOnGrid is the largest network whose turns are drawn on the H/V grid, which
// has a column for each switch.
const MaxOnGrid = 20

// Graph is the H/V graph that the routing stands on, nil where the network is
// better drawn otherwise.
func Graph(in *input.Input) *hv.Graph {
	if in.Made == nil || in.Net.Grid() != nil || in.Net.NumSwitches() > MaxOnGrid {
		return nil
	}
	return in.Made.Graph
}

// HeldFigure is a deadlock as the figures know it.
func HeldFigure(r model.Relation, d *engine.Deadlock) (held []figure.Held) {
	n := r.Network()
	for _, p := range d.Packets {
		for k, v := range p.On {
			h := figure.Held{VC: v, Source: p.Source, Destination: r.DestinationHost(p.Dest), Waits: p.Waits}
			if k+1 < len(p.On) {
				h.Waits = []model.VCID{p.On[k+1]}
			}
			if n.IsLinkVC(v) && !p.Behind {
				held = append(held, h)
			}
		}
	}
	return held
}
