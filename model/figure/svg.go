package figure

// This file makes Graphviz's SVG the same on every run and fit for a page of
// its own: no version, no comments, tooltips that say what a thing is instead
// of its identifier, and lines, nodes and marks in layers, so that no grey
// line crosses a coloured one and no line crosses a mark. It works line by
// line, as Graphviz writes one element a line; text never holds a raw '<'.

import (
	"bytes"
	"strconv"
	"strings"
)

// normalise returns the SVG for graph g.
func normalise(raw []byte, g *Graph) []byte {
	tips := g.tooltips()
	edges := make([][]string, len(g.bundles()))
	var head, nodes, marks, tail []string
	into := &head
	svg := bytes.Index(raw, []byte("<svg"))
	tip := ""
	for line := range strings.Lines(stripComments(string(raw[max(svg, 0):]))) {
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case strings.HasPrefix(line, `<g id="`):
			id := between(line, `<g id="`, `"`)
			tip = tips[id]
			if i, err := strconv.Atoi(strings.TrimPrefix(id, "e")); err == nil && id[0] == 'e' && i < len(edges) {
				into = &edges[i]
			} else if strings.Contains(line, `class="node"`) {
				into = &nodes
			}
		case strings.HasPrefix(line, "<title>"):
			if tip == "" {
				continue
			}
			line = "<title>" + markup(tip, maxTooltip) + "</title>\n"
		case strings.HasPrefix(line, "</g>") && into != &head && into != &tail:
			*into = append(*into, line)
			into = &tail
			continue
		case into != &head && into != &tail && into != &nodes && isMark(line):
			marks = append(marks, line)
			continue
		}
		*into = append(*into, line)
	}
	var out bytes.Buffer
	out.Grow(len(raw))
	out.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n")
	write := func(lines []string) {
		for _, l := range lines {
			out.WriteString(l)
		}
	}
	write(head)
	for _, e := range edges {
		write(e)
	}
	write(nodes)
	if len(marks) > 0 {
		out.WriteString("<g id=\"marks\">\n")
		write(marks)
		out.WriteString("</g>\n")
	}
	write(tail)
	return out.Bytes()
}

// isMark reports whether a line of an edge is part of its label: text, or the
// ground of a badge, the only area without an outline.
func isMark(line string) bool {
	return strings.HasPrefix(line, "<text") || strings.HasPrefix(line, "<polygon") && strings.Contains(line, `stroke="none"`)
}

// tooltips returns what to say about each element, by its id attribute.
func (g *Graph) tooltips() map[string]string {
	tips := map[string]string{"graph0": g.Title}
	for i := range g.Nodes {
		tips["n"+strconv.Itoa(i)] = g.Nodes[i].Tooltip
	}
	for i, b := range g.bundles() {
		tips["e"+strconv.Itoa(i)] = g.joined(b, func(e *Edge) string { return e.Tooltip }, "; ")
	}
	return tips
}

// stripComments drops <!-- ... -->. Comments cannot hold "--", and everywhere
// else Graphviz writes '<' as an entity, so that no text looks like one.
func stripComments(s string) string {
	var b strings.Builder
	for {
		from := strings.Index(s, "<!--")
		if from < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:from])
		to := strings.Index(s[from:], "-->")
		if to < 0 {
			return b.String()
		}
		s = s[from+to+3:]
	}
}

// between returns what stands between two marks in s, empty if nothing does.
func between(s, open, end string) string {
	_, s, ok := strings.Cut(s, open)
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, end)
	return s
}
