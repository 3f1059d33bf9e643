package figure

import (
	"math"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/hv"
)

// corner is a switch in the picture of a basic cycle, at its horizontal spread and depth.
type corner struct {
	h, d     int32
	straight bool // the cycle passes the switch without a turn
}

// cycleShapes are the pictures of the basic cycles. The first turn is at the first corner.
var cycleShapes = map[string][]corner{
	"L1": {{h: 0, d: 0}, {h: 1, d: 4}, {h: 4, d: 4}},
	"L2": {{h: 0, d: 0}, {h: 4, d: 4}, {h: 1, d: 4}},
	"L3": {{h: 0, d: 0}, {h: 4, d: 4}, {h: 1, d: 3, straight: true}},
	"L4": {{h: 2, d: 0}, {h: 4, d: 3}, {h: 0, d: 4}},
	"L5": {{h: 2, d: 4}, {h: 4, d: 0}, {h: 0, d: 1}},
	"L6": {{h: 0, d: 4}, {h: 3, d: 3, straight: true}, {h: 4, d: 0}},
	"L7": {{h: 1, d: 4}, {h: 3, d: 0}, {h: 4, d: 2}, {h: 0, d: 2}},
}

// BasicCycles draws the basic cycles L1 to L7 that class turns can close, each with example
// switches and its turns as arcs. Prohibited turns are crossed and conditional turns dashed.
// The table lists for each cycle the turns that break it.
//
// After figures 6 and 9 of Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003.
func BasicCycles(prohibited, conditionally hv.ClassTurns, o Options) *Graph {
	g := &Graph{Title: o.Title, Layout: Straight, Legend: Legend{Head: []string{"turns of the cycle"}}}
	policy := prohibited|conditionally != 0
	if policy {
		g.Legend.Head = append(g.Legend.Head, "prohibited", "conditional")
	}
	for _, b := range hv.BasicCycles() {
		if o.Cycles != nil && !slices.Contains(o.Cycles, b.Name) {
			continue
		}
		p := newPanel(g, len(g.panels), 4, 2.85, 2.55)
		by := [len(standings)][]string{}
		var looks []standing
		for _, t := range b.Turns {
			is := standingOf(t, prohibited, conditionally)
			looks = append(looks, is)
			by[is] = append(by[is], t.String())
		}
		p.basicCycle(b, looks)
		r := cycleRow(b, by)
		r.Cells = r.Cells[:len(g.Legend.Head)]
		g.Legend.Rows = append(g.Legend.Rows, r)
	}
	if !policy {
		g.Notes = append(g.Notes, "Each cycle on an example of switches. Arcs: its turns.")
		return g
	}
	g.Notes = append(g.Notes, "Each cycle on an example of switches. Arcs: its turns; crossed: prohibited; dashed: conditional.")
	if open := unbroken(prohibited | conditionally); len(open) > 0 {
		g.Notes = append(g.Notes, "NOT broken by any of these turns: "+strings.Join(open, ", ")+".")
	}
	return g
}

// unbroken returns the names of the basic cycles that have no turn of the set.
func unbroken(s hv.ClassTurns) (names []string) {
	for _, b := range hv.BasicCycles() {
		if hv.Classes(b.Turns...)&s == 0 {
			names = append(names, b.Name)
		}
	}
	return names
}

// cycleRow returns the legend row of a cycle with the turns that break it, in the colour of the
// most definite standing among them.
func cycleRow(b hv.BasicCycle, by [len(standings)][]string) Row {
	var turns []string
	for _, t := range b.Turns {
		turns = append(turns, t.String())
	}
	r := Row{Mark: b.Name, Color: standings[allowed].color, Cells: []string{strings.Join(turns, ", ")}}
	for _, is := range []standing{forbidden, conditional} {
		if len(by[is]) > 0 && r.Color == standings[allowed].color {
			r.Color = standings[is].color
		}
		r.Cells = append(r.Cells, wordsOr(strings.Join(by[is], ", "), "–"))
	}
	return r
}

// basicCycle draws a cycle. looks says for each of its turns whether the policy prohibits the
// turn.
func (p *panel) basicCycle(b hv.BasicCycle, looks []standing) {
	const x, y, across, down = 0.62, 0.8, 0.4, 0.32
	shape := cycleShapes[b.Name]
	p.put(Node{Shape: Plain, Strong: true, Lines: []string{b.Name}, Tooltip: b.Name}, 0.3, 0.26)
	node, turn := make([]int, len(shape)), 0
	for i, s := range shape {
		n := turningPoint(allowed, "passed straight on")
		if !s.straight {
			n = turningPoint(looks[turn], b.Turns[turn].String())
			turn++
		}
		node[i] = p.put(n, x+across*float64(s.h), y+down*float64(s.d))
	}
	first := len(p.g.Edges) // edge first+i starts at corner i
	for i, s := range shape {
		k := (i + 1) % len(shape)
		d := hv.DirBetween(s.h, s.d, shape[k].h, shape[k].d)
		p.g.join(Edge{From: node[i], To: node[k], Arrow: true, Width: 1.8, Color: darkGrey, Label: d.String(), Tooltip: "a channel " + d.String()})
	}
	turn = 0
	for i, s := range shape {
		if !s.straight {
			before := first + (i+len(shape)-1)%len(shape)
			p.cycleTurn(b.Turns[turn], looks[turn], Arc{At: node[i], In: before, Out: first + i}, float64(s.h)-middle(shape).x, float64(s.d)-middle(shape).y)
			turn++
		}
	}
}

// middle returns the middle of the bounding box of the corners.
func middle(shape []corner) (m point) {
	for _, s := range shape {
		m = m.add(point{float64(s.h), float64(s.d)}.times(1 / float64(len(shape))))
	}
	return m
}

// cycleTurn draws a turn of a cycle as an arc, with its name in direction (awayX, awayY),
// outside the cycle.
func (p *panel) cycleTurn(t hv.ClassTurn, is standing, a Arc, awayX, awayY float64) {
	look := standings[is]
	a.Tooltip, a.Color, a.Style = t.String()+", "+look.word, look.color, look.style
	p.g.Arcs = append(p.g.Arcs, a)
	at := p.g.Nodes[a.At]
	if awayY == 0 { // the name is beside the corner, at the same height
		awayY = awayX
	}
	p.put(Node{Shape: Plain, Small: true, Strong: is != allowed, Lines: []string{t.String()}, Tooltip: a.Tooltip},
		at.X-p.left+math.Copysign(0.12, awayX), p.upper-at.Y+math.Copysign(0.22, awayY))
}
