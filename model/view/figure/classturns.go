package figure

import (
	"math"

	"github.com/turnproof/turnproof/model/hv"
)

// ClassTurns draws the twelve class turns of an H/V graph as small pictures with an arrow in
// and an arrow out. Prohibited turns are crossed, conditional turns dashed.
//
// After figure 5 of Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003.
func ClassTurns(prohibited, conditionally hv.ClassTurns, o Options) *Graph {
	g := &Graph{Title: o.Title, Layout: Straight,
		Notes: []string{"Columns: the direction in which a packet comes. L, R: to smaller, larger horizontal spread; U, D: to smaller, larger depth."}}
	count := [len(standings)]int{}
	for in, d := range hv.Dirs() {
		row := 0
		for _, e := range hv.Dirs() {
			if d == e {
				continue
			}
			t := hv.ClassTurn{In: d, Out: e}
			is := standingOf(t, prohibited, conditionally)
			newPanel(g, row*len(hv.Dirs())+in, len(hv.Dirs()), 1.35, 1.6).classTurn(t, is)
			count[is]++
			row++
		}
	}
	g.Legend = standingLegend(count)
	return g
}

// standingOf returns the standing of t under a policy. Prohibited takes precedence.
func standingOf(t hv.ClassTurn, prohibited, conditionally hv.ClassTurns) standing {
	switch {
	case prohibited.Has(t):
		return forbidden
	case conditionally.Has(t):
		return conditional
	}
	return allowed
}

func standingLegend(count [len(standings)]int) Legend {
	l := Legend{Head: []string{"class turns", ""}}
	for i, words := range []string{"allowed", "dashed: conditional, prohibited only where it lies on a cycle", "crossed: prohibited"} {
		if count[i] > 0 || standing(i) != conditional {
			l.Rows = append(l.Rows, Row{Color: standings[i].color, Cells: []string{words, plural(count[i], "class turn")}})
		}
	}
	return l
}

// classTurn draws t around the middle of the panel. The arrow in is steeper than the arrow out,
// so that the two do not overlap if they are opposite.
func (p *panel) classTurn(t hv.ClassTurn, is standing) {
	const x, y, r = 0.675, 0.62, 0.46
	look := standings[is]
	tip := t.String() + ", " + look.word
	toward := func(d hv.Dir, flat float64) (float64, float64) {
		dx, dy := r*math.Cos(flat), r*math.Sin(flat)
		if d == hv.LU || d == hv.LD {
			dx = -dx
		}
		if d == hv.LU || d == hv.RU {
			dy = -dy
		}
		return dx, dy
	}
	inX, inY := toward(t.In, math.Pi*0.32)
	outX, outY := toward(t.Out, math.Pi*0.18)
	from := p.put(Node{Shape: Point}, x-inX, y-inY)
	at := p.put(turningPoint(is, tip), x, y)
	to := p.put(Node{Shape: Point}, x+outX, y+outY)
	line := Edge{From: from, To: at, Color: look.color, Style: look.style, Width: 2, Arrow: true, Tooltip: tip}
	p.g.join(line)
	line.From, line.To = at, to
	p.g.join(line)
	label := []string{t.String()}
	if is != allowed {
		label = append(label, look.word)
	}
	p.put(Node{Shape: Plain, Lines: label, Strong: true, Tooltip: tip}, x, 1.32)
}

// turningPoint returns the node at which a turn is drawn.
func turningPoint(is standing, tip string) Node {
	if is == forbidden {
		return Node{Shape: Cross, Stroke: standings[is].color, Tooltip: tip}
	}
	return Node{Shape: Dot, Fill: white, Stroke: darkGrey, Tooltip: tip}
}
