package figure

// This file writes title, notes and legend as one HTML-like label of the graph, because every
// layout program of Graphviz keeps the drawing clear of that label.

import "strings"

func (g *Graph) heading() string {
	if g.Title == "" && len(g.Notes) == 0 && len(g.Legend.Rows) == 0 && len(g.Arcs) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">`)
	line := func(size, s string) {
		b.WriteString(`<TR><TD ALIGN="LEFT"><FONT POINT-SIZE="` + size + `">` + s + `</FONT></TD></TR>`)
	}
	if g.Title != "" {
		line("15", "<B>"+markup(g.Title, maxTooltip)+"</B>"+slack(g.Title))
	}
	for _, n := range g.Notes {
		line("11", markup(n, maxTooltip)+slack(n))
	}
	if len(g.Arcs) > 0 {
		line("11", "Arcs at switches are not in this text, but in the tooltips of the switches."+slack(g.Title))
	}
	if len(g.Legend.Rows) > 0 {
		b.WriteString(`<TR><TD ALIGN="LEFT">` + g.Legend.table() + `</TD></TR>`)
	}
	b.WriteString(`</TABLE>`)
	return b.String()
}

func (l *Legend) table() string {
	var b strings.Builder
	b.WriteString(`<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="3" COLOR="` + string(lightGrey) + `">`)
	if len(l.Head) > 0 {
		b.WriteString("<TR>")
		for _, s := range append([]string{""}, l.Head...) {
			b.WriteString(`<TD ALIGN="LEFT" BGCOLOR="` + string(paleGrey) + `">` + markupOr(s, "b") + `</TD>`)
		}
		b.WriteString("</TR>")
	}
	for _, r := range l.Rows {
		c := r.Color.or(white)
		b.WriteString(`<TR><TD BGCOLOR="` + string(c) + `"><FONT COLOR="` + string(c.ink()) + `">` + markupOr(r.Mark, "b") + `</FONT></TD>`)
		for _, s := range r.Cells {
			b.WriteString(`<TD ALIGN="LEFT">` + markupOr(s, "") + slack(s) + `</TD>`)
		}
		b.WriteString("</TR>")
	}
	b.WriteString("</TABLE>")
	return b.String()
}

// markupOr returns s as markup inside tag, or a space if s is empty, because empty cells and empty
// tags are errors in HTML-like labels.
func markupOr(s, tag string) string {
	switch {
	case s == "":
		return " "
	case tag == "":
		return markup(s, maxTooltip)
	}
	return "<" + tag + ">" + markup(s, maxTooltip) + "</" + tag + ">"
}

// slack returns hard spaces that leave room for fonts wider than Helvetica, because viewers use
// different sans-serif fonts.
func slack(s string) string {
	return strings.Repeat("&#160;", min(len(s), maxTooltip)/7)
}
