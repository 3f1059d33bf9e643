package wiring

// This file joins the edges of directed graphs to links.

// Pairing finds the reverse of each edge with one direction.
type Pairing struct {
	open map[Cable][]int // one-way edges without a reverse, by their ends, with line 0
}

// Add records an edge with one direction and reports whether it is the reverse of an
// earlier one. In that case both are one cable.
func (p *Pairing) Add(e Cable) bool {
	if p.open == nil {
		p.open = map[Cable][]int{}
	}
	e.AName, e.BName = "", "" // port names may be given for one direction only
	back := Cable{A: e.B, B: e.A, APort: e.BPort, BPort: e.APort}
	if list := p.open[back]; len(list) > 0 {
		if p.open[back] = list[1:]; len(list) == 1 {
			delete(p.open, back)
		}
		return true
	}
	line := e.Line
	e.Line = 0
	p.open[e] = append(p.open[e], line)
	return false
}

// Unpaired returns an error for the first edge without a reverse, or nil.
func (p *Pairing) Unpaired(w *Draft) error {
	first := Cable{Line: -1}
	for e, list := range p.open {
		if first.Line < 0 || list[0] < first.Line || list[0] == first.Line && (e.A < first.A || e.A == first.A && e.B < first.B) {
			first = e
			first.Line = list[0]
		}
	}
	if first.Line < 0 {
		return nil
	}
	return w.Fault(first.Line, "edge from %s to %s has no reverse: a cable needs an edge in each direction, with the same ports (or an "+
		"undirected graph)", w.Called(first.A), w.Called(first.B))
}
