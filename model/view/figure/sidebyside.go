package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// Ways are the paths of a pair with one routing method.
type Ways struct {
	Heading string // name of the method
	Paths   []Path
}

// PathsSideBySide draws the paths from one host to another with two methods in two pictures side
// by side, see Paths. Switches have the same positions in both: their coordinates in the H/V graph
// g. If g is nil, they are at Options.Position or in layers, otherwise on an H/V graph around a
// central switch, or on a circle if there is none.
//
// After figure 12 of Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003.
func PathsSideBySide(n *model.Network, source, destination model.HostID, left, right Ways, g *hv.Graph, o Options) *Graph {
	o.onHV, o.air = g, 18
	if g == nil && o.Position == nil && !newCanvas(n, o, nil, 2).g.pinned() {
		o = anyPlaces(n, o)
	}
	l, r := o, o
	l.Title, r.Title = left.Heading, right.Heading
	both := SideBySide(Paths(n, source, destination, left.Paths, l), Paths(n, source, destination, right.Paths, r))
	both.Title = o.Title
	return both
}

// anyPlaces returns options with positions that are the same for every drawing of a network.
func anyPlaces(n *model.Network, o Options) Options {
	if n.NumSwitches() > 0 {
		if t, err := hv.NewTree(n, hv.Center(n, 0), hv.Options{}); err == nil {
			if o.onHV, err = hv.New(t); err == nil {
				return o
			}
		}
	}
	o.Position = func(u model.SwitchID) (float64, float64, bool) {
		sin, cos := math.Sincos(2 * math.Pi * float64(u) / float64(n.NumSwitches()))
		return sin, cos, true
	}
	return o
}

// maxBeside is the largest width of two drawings side by side, in inches.
const maxBeside = 30.0

// SideBySide returns one graph with two drawings side by side, or one below the other if they are
// too wide. Each has its title above it. All nodes of both must be pinned.
func SideBySide(a, b *Graph) *Graph {
	g := &Graph{Length: max(a.Length, b.Length), Layout: max(a.Layout, b.Layout), OwnLabels: a.OwnLabels || b.OwnLabels, nested: a.nested || b.nested}
	p, q := a.bounds(), b.bounds()
	const gap = 0.9
	wide := p.width() + gap + q.width()
	x, y := p.right+gap-q.left, 0.0
	if wide > maxBeside {
		wide = max(p.width(), q.width())
		x, y = p.left-q.left, p.bottom-q.top-2*gap
	}
	size := titleSize * max(wide*72/unitSide/1.5, 0.9)
	top := 0.2 + size/72
	if x > p.left-q.left {
		high := max(p.top, q.top) + 2*top - min(p.bottom, q.bottom)
		g.inRow = 2
		g.panels = []frame{{wide: x, high: high}, {node: len(a.Nodes) + btoi(a.Title != ""), rule: len(a.Rules), wide: x, high: high}}
	}
	g.take(a, "a", 0, 0, max(p.top, q.top)+top, size)
	g.take(b, "b", x, y, max(p.top, q.top)+top, size)
	g.legends(a, b)
	return g
}

// bounds is the extent of a drawing, in inches, y upwards.
type bounds struct{ left, right, top, bottom float64 }

func (b *bounds) width() float64 { return b.right - b.left }

func (g *Graph) bounds() *bounds {
	b := &bounds{math.Inf(1), math.Inf(-1), math.Inf(-1), math.Inf(1)}
	grow := func(x, y, half, high float64) {
		b.left, b.right = min(b.left, x-half), max(b.right, x+half)
		b.top, b.bottom = max(b.top, y+high), min(b.bottom, y-high)
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		grow(n.X, n.Y, n.half().x/72, n.half().y/72)
	}
	for _, r := range g.Rules {
		grow(r.X1, r.Y1, 0.3, 0.1)
		grow(r.X2, r.Y2, 0, 0)
	}
	if len(g.Nodes)+len(g.Rules) == 0 {
		return &bounds{}
	}
	return b
}

// take adds drawing d, moved by (x, y), with its title at height top in the given font size.
func (g *Graph) take(d *Graph, name string, x, y, top, size float64) {
	nodes, edges := len(g.Nodes), len(g.Edges)
	at := d.bounds()
	for _, n := range d.Nodes {
		n.Name, n.X, n.Y = name+n.Name, n.X+x, n.Y+y
		g.add(n)
	}
	for _, e := range d.Edges {
		e.From, e.To = e.From+nodes, e.To+nodes
		g.join(e)
	}
	for _, a := range d.Arcs {
		a.At, a.In, a.Out = a.At+nodes, a.In+edges, a.Out+edges
		g.Arcs = append(g.Arcs, a)
	}
	for _, r := range d.Rules {
		g.rule(r.X1+x, r.Y1+y, r.X2+x, r.Y2+y, r.Text)
	}
	if d.Title != "" {
		g.add(Node{Name: name, Lines: []string{d.Title}, Shape: Plain, Strong: true, Pinned: true, X: (at.left+at.right)/2 + x, Y: top + y,
			Tooltip: d.Title, size: size})
	}
}

// legends joins the notes of two drawings, without duplicates, and their legends: row by row if
// both have the same columns, otherwise one below the other.
func (g *Graph) legends(a, b *Graph) {
	for _, d := range []*Graph{a, b} {
		for _, n := range d.Notes {
			if slices.Contains(a.Notes, n) && slices.Contains(b.Notes, n) {
				if d == a {
					g.Notes = append(g.Notes, n)
				}
			} else {
				g.Notes = append(g.Notes, fmt.Sprintf("%s: %s", d.Title, n))
			}
		}
	}
	if !slices.Equal(a.Legend.Head, b.Legend.Head) || len(a.Legend.Head) == 0 {
		g.Legend = Legend{slices.Clone(a.Legend.Head), slices.Concat(a.Legend.Rows, b.Legend.Rows)}
		return
	}
	for _, d := range []*Graph{a, b} {
		head := slices.Clone(d.Legend.Head)
		head[0] = d.Title + ": " + head[0]
		g.Legend.Head = append(g.Legend.Head, head...)
	}
	empty := make([]string, len(a.Legend.Head))
	for i := range max(len(a.Legend.Rows), len(b.Legend.Rows)) {
		row, cells := Row{}, [2][]string{empty, empty}
		for k, d := range []*Graph{b, a} { // if both have the row, it gets the mark of a
			if i < len(d.Legend.Rows) {
				row, cells[1-k] = d.Legend.Rows[i], d.Legend.Rows[i].Cells
			}
		}
		row.Cells = slices.Concat(cells[0], cells[1])
		g.Legend.Rows = append(g.Legend.Rows, row)
	}
}
