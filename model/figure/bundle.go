package figure

// This file bundles lines that join the same two nodes, which the layout
// programs would draw on top of each other: at most two DOT edges are left for
// a pair of nodes, one in each direction, and each draws its lines side by
// side as a list of colours. Graphviz spaces the colours of such a list two
// points apart, centred, the first on the left as seen along the edge; and it
// takes the colour of the arrowhead from the first or second one. So a line
// is two colours wide, and the two directions keep to their own left.

import "strings"

// bundle is the lines that become one DOT edge.
type bundle struct {
	edges []int // of Graph.Edges
	other int   // how many lines the bundle in the other direction has
}

// bundles returns the bundles in the order of their last line, so that what
// was to be drawn on top still is.
func (g *Graph) bundles() []bundle {
	type key struct{ from, to int }
	at := make(map[key][]int)
	for i := range g.Edges {
		e := &g.Edges[i]
		if e.Arrow {
			at[key{e.From, e.To}] = append(at[key{e.From, e.To}], i)
		}
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		k := key{e.From, e.To}
		if e.Arrow {
			continue
		}
		if back := (key{e.To, e.From}); len(at[k]) == 0 && len(at[back]) > 0 {
			k = back // a cable goes along with whatever is there
		}
		at[k] = append(at[k], i)
	}
	var list []bundle
	for i := range g.Edges {
		e := &g.Edges[i]
		for _, k := range []key{{e.From, e.To}, {e.To, e.From}} {
			if b := at[k]; len(b) > 0 && maxOf(b) == i {
				list = append(list, bundle{b, len(at[key{k.to, k.from}])})
			}
		}
	}
	return list
}

func maxOf(list []int) int {
	top := list[0]
	for _, i := range list {
		top = max(top, i)
	}
	return top
}

// lead is the line that gives direction, style and width.
func (g *Graph) lead(b bundle) *Edge { return &g.Edges[b.edges[0]] }

// colors returns the colour attribute: one colour for a line by itself.
func (g *Graph) colors(b bundle) string {
	if len(b.edges) == 1 && b.other == 0 {
		return string(g.lead(b).Color.or(midGrey))
	}
	var list []string
	for i, k := range b.edges {
		c := string(g.Edges[k].Color.or(midGrey))
		if i > 0 {
			list = append(list, "transparent")
		}
		if g.Edges[k].Arrow {
			list = append(list, c)
		} else if i == 0 {
			list = append(list, c, "transparent")
			continue
		}
		list = append(list, c)
	}
	for range b.other {
		list = append(list, "transparent", "transparent", "transparent")
	}
	return strings.Join(list, ":")
}

// badges returns the label of a bundle as HTML-like text: the marks of its
// lines side by side, each on its own colour; empty where there are none.
func (g *Graph) badges(b bundle) string {
	var cells strings.Builder
	for _, k := range b.edges {
		if e := &g.Edges[k]; e.Badge && e.Label != "" {
			c := e.Color.or(midGrey)
			cells.WriteString(`<TD BGCOLOR="` + string(c) + `"><FONT COLOR="` + string(c.ink()) + `"><B>` + markup(e.Label, maxLabel) + `</B></FONT></TD>`)
		}
	}
	if cells.Len() == 0 {
		return ""
	}
	return `<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1"><TR>` + cells.String() + `</TR></TABLE>`
}

// joined returns the different texts of the lines of a bundle.
func (g *Graph) joined(b bundle, text func(*Edge) string, sep string) string {
	var list []string
	for _, k := range b.edges {
		if s := text(&g.Edges[k]); s != "" {
			list = append(list, s)
		}
	}
	return strings.Join(list, sep)
}
