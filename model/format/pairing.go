package format

// This file joins the edges of directed graphs to links.

// pairing finds the reverse of each edge with one direction.
type pairing struct {
	open map[wire][]int // one-way edges without a reverse, by their ends, with line 0
}

// add records an edge with one direction and reports whether it is the reverse of an
// earlier one. In that case both are one cable.
func (p *pairing) add(e wire) bool {
	if p.open == nil {
		p.open = map[wire][]int{}
	}
	e.aName, e.bName = "", "" // port names may be given for one direction only
	back := wire{a: e.b, b: e.a, aPort: e.bPort, bPort: e.aPort}
	if list := p.open[back]; len(list) > 0 {
		if p.open[back] = list[1:]; len(list) == 1 {
			delete(p.open, back)
		}
		return true
	}
	line := e.line
	e.line = 0
	p.open[e] = append(p.open[e], line)
	return false
}

// unpaired returns an error for the first edge without a reverse, or nil.
func (p *pairing) unpaired(w *wiring) error {
	first := wire{line: -1}
	for e, list := range p.open {
		if first.line < 0 || list[0] < first.line || list[0] == first.line && (e.a < first.a || e.a == first.a && e.b < first.b) {
			first = e
			first.line = list[0]
		}
	}
	if first.line < 0 {
		return nil
	}
	return w.fault(first.line, "edge from %s to %s has no reverse: a cable needs an edge in each direction, with the same ports (or an "+
		"undirected graph)", w.called(first.a), w.called(first.b))
}
