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

// fontName is the sans-serif font whose widths are built into Graphviz. In SVG it becomes
// "Helvetica,sans-Serif", so that every viewer finds a similar font.
const fontName = "Helvetica"

// DOT returns the graph as DOT text for further use with Graphviz. The text names the layout
// program. It has the same positions, texts and colours as the drawing of Render, but Graphviz
// chooses the courses of lines.
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
	b.WriteString(g.sameRanks(""))
	for i := range g.Edges {
		e := &g.Edges[i]
		a := g.edgeAttrs(e)
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

func (g *Graph) graphAttrs() attrs {
	a := g.layoutAttrs()
	a.set("outputorder", "edgesfirst")
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

func (g *Graph) nodeAttrs(i int) (a attrs) {
	n := &g.Nodes[i]
	a.set("label", quoteLines(n.Lines, maxLabel))
	switch n.Shape {
	case Dot:
		a = attrs{}
		a.set("label", `""`)
		a.set("shape", "circle")
		a.set("style", "filled")
		a.num("width", 0.08)
		a.num("height", 0.08)
	case Octagon:
		a.set("shape", "octagon")
		a.set("style", "filled")
		a.color("fontcolor", n.Fill.or(white).ink())
	case Ellipse:
		a.set("shape", "ellipse")
		a.set("style", "filled")
	case Plain:
		a.set("shape", "plaintext")
		a.set("style", `""`)
	case Point:
		a = attrs{}
		a.set("shape", "point")
		a.set("style", "invis")
		g.pos(&a, i)
		return a
	case Cross:
		a = attrs{}
		a.set("label", `"×"`)
		a.set("shape", "plaintext")
		a.set("style", `""`)
		a.num("fontsize", 24)
		a.color("fontcolor", n.Stroke.or(midGrey))
		g.pos(&a, i)
		return a
	}
	if ink := n.Fill.or(white).ink(); n.Shape == Box && ink != Black {
		a.color("fontcolor", ink)
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
	if words := g.arcWords(i); words != "" {
		a.text("tooltip", words, maxTooltip)
	}
	g.pos(&a, i)
	return a
}

// arcWords describes the arcs at a node in words.
func (g *Graph) arcWords(node int) string {
	var words []string
	for _, a := range g.Arcs {
		if a.At == node {
			words = append(words, a.Tooltip)
		}
	}
	return strings.Join(words, "; ")
}

func (g *Graph) edgeAttrs(e *Edge) (a attrs) {
	color := e.Color.or(midGrey)
	a.color("color", color)
	if e.Width != 0 {
		a.num("penwidth", e.Width)
	}
	if e.Style != Solid {
		a.set("style", [...]string{"solid", "dashed", "dotted", "invis"}[e.Style])
	}
	if !e.Arrow {
		a.set("dir", "none")
	}
	if e.Label != "" && e.Badge {
		a.set("label", `<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1"><TR><TD BGCOLOR="`+string(color)+`"><FONT COLOR="`+
			string(color.ink())+`"><B>`+markup(e.Label, maxLabel)+`</B></FONT></TD></TR></TABLE>>`)
	} else if e.Label != "" {
		a.text("label", e.Label, maxLabel)
		a.color("fontcolor", darkGrey)
	}
	if e.AtFrom != "" || e.AtTo != "" {
		a.text("taillabel", e.AtFrom, maxLabel)
		a.text("headlabel", e.AtTo, maxLabel)
		a.num("labelfontsize", 8)
		a.color("labelfontcolor", darkGrey)
		a.num("labeldistance", 1.4)
		a.num("labelangle", 18)
	}
	a.list = append(a.list, g.pull(e).list...)
	return a
}
