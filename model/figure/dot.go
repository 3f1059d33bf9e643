package figure

// This file writes a graph as DOT text.
//
// Promise: the text depends on the graph alone and has one statement a line,
// nodes before edges, attributes in a fixed order, so that diffs are readable.

import (
	"fmt"
	"strconv"
	"strings"
)

// fontName is the one sans-serif font whose widths Graphviz has built in; in SVG
// it becomes "Helvetica,sans-Serif", so that any viewer finds something alike.
const fontName = "Helvetica"

// attrs collects the attributes of a statement.
type attrs struct{ list []string }

func (a *attrs) set(key, value string)         { a.list = append(a.list, key+"="+value) }
func (a *attrs) num(key string, v float64)     { a.set(key, number(v)) }
func (a *attrs) color(key string, c Color)     { a.set(key, `"`+string(c)+`"`) }
func (a *attrs) String() string                { return "[" + strings.Join(a.list, " ") + "]" }
func (a *attrs) text(key, s string, limit int) { a.set(key, quote(s, limit)) }

// number prints v with at most three decimals, so that positions are stable
// and short.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 3, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// DOT returns the graph as DOT text. Running it through Graphviz's command
// line gives the same drawing as Render: the layout program is named in it.
// Tooltips are left out; Render puts them into the SVG by itself, as Graphviz
// wraps each in a link and substitutes escapes in it twice.
func (g *Graph) DOT() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n", quote(g.title(), maxTooltip))
	a := g.graphAttrs()
	fmt.Fprintf(&b, "  graph %s;\n", &a)
	fmt.Fprintf(&b, "  node [fontname=%q fontsize=11 shape=box style=\"filled,rounded\" margin=\"0.12,0.05\" width=0.3 height=0.3];\n", fontName)
	fmt.Fprintf(&b, "  edge [fontname=%q fontsize=9 arrowsize=0.8];\n", fontName)
	for i := range g.Nodes {
		a := g.nodeAttrs(i)
		fmt.Fprintf(&b, "  %s %s;\n", quote(g.Nodes[i].Name, maxTooltip), &a)
	}
	for i, bundle := range g.bundles() {
		e := g.lead(bundle)
		a := g.edgeAttrs(i, bundle)
		fmt.Fprintf(&b, "  %s -> %s %s;\n", quote(g.Nodes[e.From].Name, maxTooltip), quote(g.Nodes[e.To].Name, maxTooltip), &a)
	}
	b.WriteString("}\n")
	return b.String()
}

func (g *Graph) title() string {
	if g.Title == "" {
		return "figure"
	}
	return g.Title
}

func (g *Graph) graphAttrs() (a attrs) {
	length := g.Length
	if length == 0 {
		length = 1
	}
	big := len(g.Nodes) > 150 || len(g.Edges) > 400
	if g.Layout == Flow {
		a.set("layout", "dot")
		a.num("ranksep", 0.5*length+min(float64(len(g.Edges))/150, 2.5))
		a.num("nodesep", 0.18)
	} else {
		a.set("layout", "neato")
		g.setOverlap(&a)
		a.set("outputorder", "edgesfirst")
		a.set("esep", `"+3"`)
	}
	if big || g.Layout == Straight {
		a.set("splines", "line") // leading lines around nodes costs most of the time
	} else {
		a.set("splines", "true")
	}
	if big && g.Layout == Flow {
		a.num("nslimit", 2)
		a.num("mclimit", 0.5)
	}
	a.set("bgcolor", "white")
	a.num("pad", 0.15)
	a.set("fontname", strconv.Quote(fontName))
	a.num("fontsize", 11)
	if h := g.heading(); h != "" {
		a.set("labelloc", "t")
		a.set("label", "<"+h+">")
	}
	return a
}

// maxScaled is the number of nodes up to which overlaps are removed by scaling
// the whole drawing, which keeps its shape; more nodes blow it up.
const maxScaled = 32

// setOverlap says how neato gets nodes apart: not at all where each has a
// place. Of the cleverer ways ortho_yx is the one that stays close to what the
// springs found: prism, the default, is not compiled into the wasm build, and
// voronoi spreads nodes over the whole rectangle.
func (g *Graph) setOverlap(a *attrs) {
	if g.pinned() {
		a.set("overlap", "true")
		return
	}
	if !g.anyPinned() {
		a.set("normalize", "true") // the first cable lies level
	}
	if len(g.Nodes) <= maxScaled {
		a.set("overlap", "scale")
		a.set("sep", `"+6"`)
		return
	}
	a.set("overlap", "ortho_yx")
	a.set("sep", `"+9"`)
}

func (g *Graph) nodeAttrs(i int) (a attrs) {
	n := &g.Nodes[i]
	a.set("id", `"n`+strconv.Itoa(i)+`"`)
	a.set("label", quoteLines(n.Lines, maxLabel))
	switch n.Shape {
	case Ellipse:
		a.set("shape", "ellipse")
		a.set("style", "filled")
	case Plain:
		a.set("shape", "plaintext")
		a.set("style", `""`)
	}
	a.color("fillcolor", n.Fill.or(white))
	a.color("color", n.Stroke.or(midGrey))
	if n.Strong {
		a.num("penwidth", 2.4)
	}
	if n.Small {
		a.num("fontsize", 9)
		a.set("margin", `"0.03,0.02"`)
		a.num("height", 0.2)
	}
	if n.Pinned {
		a.set("pos", `"`+number(n.X)+","+number(n.Y)+`!"`)
	}
	return a
}

func (g *Graph) edgeAttrs(i int, b bundle) (a attrs) {
	e := g.lead(b)
	a.set("id", `"e`+strconv.Itoa(i)+`"`)
	a.set("color", `"`+g.colors(b)+`"`)
	if len(b.edges)+b.other > 1 {
		a.num("penwidth", min(2, max(1, e.Width)))
	} else if e.Width != 0 {
		a.num("penwidth", e.Width)
	}
	if e.Style != Solid {
		a.set("style", [...]string{"solid", "dashed", "dotted"}[e.Style])
	}
	if !e.Arrow {
		a.set("dir", "none")
	}
	if l := g.badges(b); l != "" {
		a.set("label", "<"+l+">")
	} else if l := g.joined(b, func(e *Edge) string { return e.Label }, ", "); l != "" {
		a.text("label", l, maxLabel)
		a.color("fontcolor", darkGrey)
	}
	g.endLabels(&a, b)
	if e.Short {
		a.num("len", 0.95)
	} else if g.Layout != Flow && g.Length != 0 {
		a.num("len", g.Length)
	}
	if e.Loose {
		a.num("weight", 0)
		if g.Layout == Flow {
			a.set("constraint", "false")
		}
	}
	return a
}

func (g *Graph) endLabels(a *attrs, b bundle) {
	lead := g.lead(b)
	end := func(at int) string {
		return g.joined(b, func(e *Edge) string {
			if e.To == at {
				return e.AtTo
			}
			return e.AtFrom
		}, ",")
	}
	tail, head := end(lead.From), end(lead.To)
	if tail == "" && head == "" {
		return
	}
	a.text("taillabel", tail, maxLabel)
	a.text("headlabel", head, maxLabel)
	a.num("labelfontsize", 8)
	a.color("labelfontcolor", darkGrey)
	a.num("labeldistance", 1.4)
	a.num("labelangle", 18)
}
