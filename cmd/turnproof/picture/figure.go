package picture

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// CheckOutputs returns an error if two output flags name the same file, or if --figure has an
// unknown suffix.
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

// mmPerPoint is the length of a point (1/72 inch) in millimetres.
const mmPerPoint = 25.4 / 72

// WidthFlag returns the flag --width, for figures in papers.
func WidthFlag() cli.Flag {
	return &cli.Float64Flag{Name: "width",
		Usage: "scale the picture to a width of `MM` millimetres; a column of a paper has about 85 (default: a size for screens)"}
}

// Format returns the format of a figure by the suffix of its file. Standard output ("-") gets SVG.
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
	g.Width = c.Float64("width") / mmPerPoint
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
	NoteLacking(c, file, kind, lacking)
	return cli.WriteFile(c, file, func(w io.Writer) error {
		_, err := w.Write(picture)
		return err
	})
}

// NoteLacking prints a note if texts of a picture have characters that the font lacks.
func NoteLacking(c *cli.Context, file, kind string, lacking []string) {
	if len(lacking) == 0 {
		return
	}
	fmt.Fprintf(c.App.ErrWriter, "note: %s: %s with characters that a %s cannot show, the first %s; SVG shows them\n",
		plain.Text(file), wording.Count(len(lacking), "text", "s"), strings.ToUpper(kind), plain.Text(lacking[0]))
}

// HostWords returns the values of --hosts.
func HostWords() map[string]figure.Hosts {
	return map[string]figure.Hosts{"": figure.HostsAuto, "drawn": figure.HostsDrawn, "counted": figure.HostsCounted, "hidden": figure.HostsHidden}
}

// DrawOptions returns the options of a figure of n, with the flags --hosts and --width applied.
func DrawOptions(c *cli.Context, n *model.Network, title string) figure.Options {
	o := figure.OptionsFor(n, title)
	o.Hosts, o.Brief = HostWords()[c.String("hosts")], c.Float64("width") > 0
	return o
}

// CheckFigure draws the figure of check --figure: the deadlock or cycle of a refutation, otherwise
// the dependency graph.
func CheckFigure(c *cli.Context, file string, rep *verify.Report) error {
	kind, err := Format(file)
	if err != nil {
		return err
	}
	if g := explain.WaitingFigure(rep, DrawOptions(c, rep.Relation.Network(), "")); g != nil {
		return Render(c, file, kind, g)
	}
	g := rep.Graph
	if g == nil {
		if g, err = cdg.Build(c.Context, rep.Relation); err != nil {
			return err
		}
	}
	n := g.Network()
	return Render(c, file, kind, figure.Dependencies(n, slices.Collect(g.All()), nil, figure.OptionsFor(n, "Channel dependencies, no cycle")))
}

// MaxPaths is the largest number of paths in a figure.
const MaxPaths = 24

// Graph returns the H/V graph on which the turns of the routing are drawn, or nil if they are drawn
// on the network.
func Graph(in *resolve.Subject) *hv.Graph {
	if methods.Of(in) == nil {
		return nil
	}
	return figure.OnTree(in.Net, methods.Of(in).Graph)
}

// Worms returns the packets of a deadlock of the simulator that hold channels between switches. It omits
// packets that only wait behind others.
func Worms(r model.Relation, d *engine.Deadlock) (list []figure.Worm) {
	for _, p := range d.Packets {
		if !p.Behind && slices.ContainsFunc(p.On, r.Network().IsLinkVC) {
			list = append(list, figure.Worm{Source: p.Source, Destination: r.DestinationHost(p.Dest), Holds: p.On, Waits: p.Waits})
		}
	}
	return list
}
