package figure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// maxPaths is the maximum number of paths of a pair that are drawn.
const maxPaths = 12

// Path is the path of a packet: its VCs from the injection VC, which may be omitted, to the
// last VC. The packet arrives if the last VC is an ejection VC of its destination. If the last
// VC occurs earlier in the path, the packet loops. Otherwise the packet is lost at the last
// switch.
type Path struct {
	VCs []model.VCID
	End string // reason why the packet is lost; defaults to "dropped"
}

// Paths draws the paths from one host to another on the network. Each path has its own colour
// with a letter and hop numbers. An octagon marks the end of a path that does not arrive.
func Paths(n *model.Network, source, destination model.HostID, paths []Path, o Options) *Graph {
	shown := paths[:min(len(paths), maxPaths)]
	focus := focusOf(n, func(yield func(model.VCID)) {
		yield(n.VC(n.InjectChannel(source), 0))
		yield(n.VC(n.EjectChannel(destination), 0))
		for _, p := range shown {
			for _, v := range p.VCs {
				yield(v)
			}
		}
	})
	c := newCanvas(n, o, focus.keep(n, o), 2)
	for u, in := range focus.in {
		if in {
			c.highlight(model.SwitchID(u))
		}
	}
	for _, p := range shown {
		for _, v := range p.VCs {
			ch, _ := n.Channel(v)
			c.cover(ch)
		}
	}
	c.likeNetwork()
	c.cables(lightGrey, false)
	sent := func(p Path) bool { return len(p.VCs) > 0 }
	c.terminal(n.InjectChannel(source), slices.ContainsFunc(shown, sent))
	c.terminal(n.EjectChannel(destination), slices.ContainsFunc(shown, func(p Path) bool { return p.fate(n, destination) == arrives }))
	c.g.Legend.Head = []string{"path", "hops", "ends"}
	for i, p := range shown {
		c.path(p, i, source, destination)
	}
	c.countHosts()
	c.g.Notes = append(c.g.Notes, fmt.Sprintf("%s from %s to %s; letter and number: path and hop.",
		plural(len(paths), "path"), n.HostLabel(source), n.HostLabel(destination)))
	c.noteLost(paths, destination)
	if len(paths) > len(shown) {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Drawn: the first %d of %d paths.", len(shown), len(paths)))
	}
	focus.note(c)
	return c.g
}

// noteLost adds a note with the number of paths that do not arrive.
func (c *canvas) noteLost(paths []Path, destination model.HostID) {
	lost := 0
	for _, p := range paths {
		if p.fate(c.n, destination) != arrives {
			lost++
		}
	}
	const sign = "A red octagon marks where one ends."
	switch {
	case len(paths) == 0 || lost == 0:
	case lost == len(paths) && lost == 1:
		c.g.Notes = append(c.g.Notes, "It does NOT arrive. A red octagon marks where it ends.")
	case lost == len(paths):
		c.g.Notes = append(c.g.Notes, "NONE of them arrives. "+sign)
	default:
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("%d of %d do NOT arrive. %s", lost, len(paths), sign))
	}
}

// fate is the outcome of a path.
type fate uint8

const (
	arrives fate = iota
	lost         // ends at a switch
	astray       // ends at a wrong host
	loops
)

func (p Path) fate(n *model.Network, destination model.HostID) fate {
	if len(p.VCs) == 0 {
		return lost
	}
	last := p.VCs[len(p.VCs)-1]
	ch, _ := n.Channel(last)
	switch {
	case n.Kind(ch) == model.Eject && n.HostOf(ch) == destination:
		return arrives
	case n.Kind(ch) == model.Eject:
		return astray
	case slices.Index(p.VCs, last) < len(p.VCs)-1:
		return loops
	}
	return lost
}

// terminal draws an injection or ejection channel, which all paths share, or only its host if no
// path uses the channel.
func (c *canvas) terminal(ch model.ChannelID, used bool) {
	from, to, _ := c.ends(ch)
	h := &c.g.Nodes[c.host[c.n.HostOf(ch)]]
	h.Fill, h.Stroke, h.Strong = white, Black, true
	if !used {
		c.g.join(Edge{From: from, To: to, Color: lightGrey, Short: true})
		return
	}
	c.g.join(Edge{From: from, To: to, Color: Black, Width: 1.5, Arrow: true, Short: true, Tooltip: c.vcText(c.n.VC(ch, 0))})
}

// path draws path i and adds its row to the legend.
func (c *canvas) path(p Path, i int, source, destination model.HostID) {
	color, style := SeriesAt(i)
	mark := letters(i)
	line := Edge{Color: color, Style: style, Width: 2.4, Arrow: true}
	f := p.fate(c.n, destination)
	vcs := p.VCs
	if f == loops {
		vcs = vcs[:len(vcs)-1] // draw the loop once
	}
	hop := 0
	var text []string
	var on []int // by hop: the VC number
	for _, v := range vcs {
		ch, index := c.n.Channel(v)
		if c.n.Kind(ch) != model.SwitchToSwitch {
			continue
		}
		hop++
		if hop == 1 {
			text = append(text, c.n.SwitchLabel(c.n.Tail(ch)))
		}
		text = append(text, c.n.SwitchLabel(c.n.Head(ch)))
		on = append(on, index)
		e := line
		e.From, e.To, _ = c.ends(ch)
		e.Label, e.Badge = mark+strconv.Itoa(hop), true
		e.Tooltip = fmt.Sprintf("path %s, hop %d: %s", mark, hop, c.vcText(v))
		c.g.join(e)
	}
	if len(text) == 0 {
		text = []string{c.n.SwitchLabel(c.n.Host(source).Switch)}
		if len(p.VCs) == 0 {
			text[0] = "–"
		}
	}
	end := "delivered"
	if f != arrives {
		end = c.ending(p, f, source, line)
	}
	c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Mark: mark, Color: color, Cells: []string{c.withVCs(text, on), strconv.Itoa(hop), end}})
}

// withVCs returns the switches of a path as text, with the VC of each hop, or with one VC if it is
// the same for all.
func (c *canvas) withVCs(switches []string, on []int) string {
	if len(on) == 0 || !c.o.showVC(c.n) {
		return strings.Join(switches, " → ")
	}
	if slices.Min(on) == slices.Max(on) {
		return fmt.Sprintf("%s, %s\u00a0%d", strings.Join(switches, " → "), c.o.vc(), on[0])
	}
	list := []string{switches[0]}
	for k, i := range on {
		list = append(list, fmt.Sprintf("%s (%s\u00a0%d)", switches[k+1], c.o.vc(), i))
	}
	return strings.Join(list, " → ")
}

// ending draws the end of a path that does not arrive, and describes it in words. Its arrow looks
// like line.
func (c *canvas) ending(p Path, f fate, source model.HostID, line Edge) string {
	line.Short, line.Tooltip = true, "the path ends here"
	if len(p.VCs) == 0 {
		line.From, line.To = c.host[source], c.stop(c.host[source], c.n.Host(source).Switch, wordsOr(p.End, "never sent"))
		c.g.join(line)
		return wordsOr(p.End, "never sent")
	}
	ch, _ := c.n.Channel(p.VCs[len(p.VCs)-1])
	if f == astray {
		h := c.n.HostOf(ch)
		line.From, line.To, _ = c.ends(ch)
		c.g.join(line)
		if x := &c.g.Nodes[line.To]; x.Shape != Octagon {
			x.Shape, x.Fill, x.Stroke, x.Lines = Octagon, Vermillion, Vermillion, append(x.Lines, "wrong host")
			if x.Pinned && c.level == nil { // an octagon needs more room than a host
				at := &c.g.Nodes[line.From]
				x.X, x.Y = at.X+1.45*(x.X-at.X), at.Y+1.45*(x.Y-at.Y)
			}
		}
		return "wrong host: " + c.n.HostLabel(h)
	}
	at, words := c.n.Head(ch), wordsOr(p.End, "dropped")
	if f == loops {
		at, words = c.n.Tail(ch), "loops for ever"
		line.Arrow, line.Style, line.Width = false, Dotted, 1.5
	}
	line.From, line.To = c.node[at], c.stop(c.node[at], at, words)
	c.g.join(line)
	return words + " at " + c.n.SwitchLabel(at)
}

func wordsOr(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// stop returns an octagon with the given words next to node next, which is switch u or a host at
// u. Paths with the same end share the octagon.
func (c *canvas) stop(next int, u model.SwitchID, words string) int {
	name := fmt.Sprintf("end%d %s", next, words)
	if i := slices.IndexFunc(c.g.Nodes, func(n Node) bool { return n.Name == name }); i >= 0 {
		return i
	}
	x := Node{Name: name, Lines: []string{words}, Shape: Octagon, Small: true, Strong: true, Fill: Vermillion, Stroke: Vermillion,
		Tooltip: "paths end here: " + words}
	if first, rest, ok := strings.Cut(words, " "); ok {
		x.Lines = []string{first, rest}
	}
	c.beside(&x, u)
	return c.g.add(x)
}

// letters returns the name of path i: A, B, ..., Z, AA, AB, ...
func letters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return letters(i/26-1) + letters(i%26)
}
