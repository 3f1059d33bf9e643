package figure

// This file has the attributes of DOT text, and those that determine positions: DOT and the layout name the same.

import (
	"fmt"
	"strconv"
	"strings"
)

// attrs collects the attributes of a statement.
type attrs struct{ list []string }

func (a *attrs) set(key, value string)         { a.list = append(a.list, key+"="+value) }
func (a *attrs) num(key string, v float64)     { a.set(key, number(v)) }
func (a *attrs) color(key string, c Color)     { a.set(key, `"`+string(c)+`"`) }
func (a *attrs) String() string                { return "[" + strings.Join(a.list, " ") + "]" }
func (a *attrs) text(key, s string, limit int) { a.set(key, quote(s, limit)) }

// number formats v with at most three decimals, which keeps positions stable and short.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 3, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// maxSprings is the largest number of nodes for the spring layout. With more nodes it takes many
// seconds, and a less exact program is used.
const maxSprings = 250

// program returns the name of the layout program.
func (g *Graph) program() string {
	switch {
	case g.Layout == Flow:
		return "dot"
	case len(g.Nodes) > maxSprings:
		return "sfdp"
	}
	return "neato"
}

// layoutAttrs returns the attributes that determine the positions of nodes.
func (g *Graph) layoutAttrs() (a attrs) {
	length := g.Length
	if length == 0 {
		length = 1
	}
	a.set("layout", g.program())
	if g.Layout == Flow {
		a.num("ranksep", 0.45*length+min(float64(len(g.Edges))/300, 1.5))
		a.num("nodesep", 0.18)
	} else {
		a.set("overlap", "true") // function separate moves overlapping nodes apart
		if g.program() == "sfdp" {
			a.num("K", length) // sfdp ignores the lengths of individual lines
		}
		if !g.anyPinned() {
			a.set("normalize", "true") // the first cable is horizontal
		}
	}
	if len(g.Nodes) > 150 || len(g.Edges) > 400 || g.Layout == Straight {
		a.set("splines", "line") // routing lines around nodes would take most of the time
	} else {
		a.set("splines", "true")
	}
	if len(g.Edges) > 400 && g.Layout == Flow {
		a.num("nslimit", 2)
		a.num("mclimit", 0.5)
	}
	return a
}

func (g *Graph) pos(a *attrs, i int) {
	if n := &g.Nodes[i]; n.Pinned {
		a.set("pos", `"`+number(n.X)+","+number(n.Y)+`!"`)
	}
}

// pull returns the attributes by which an edge influences the layout.
func (g *Graph) pull(e *Edge) (a attrs) {
	switch {
	case e.Short:
		a.num("len", 0.95)
	case g.Layout != Flow && g.Length != 0:
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

// sameRanks returns DOT text that keeps nodes of one level side by side.
func (g *Graph) sameRanks(prefix string) string {
	top := 0
	for i := range g.Nodes {
		top = max(top, g.Nodes[i].Level)
	}
	var b strings.Builder
	for l := 1; l <= top; l++ {
		b.WriteString("  { rank=same;")
		for i := range g.Nodes {
			if g.Nodes[i].Level == l {
				if prefix != "" {
					fmt.Fprintf(&b, " %s%d;", prefix, i)
				} else {
					b.WriteString(" " + quote(g.Nodes[i].Name, maxTooltip) + ";")
				}
			}
		}
		b.WriteString(" }\n")
	}
	return b.String()
}
