package figure

// This file draws sets of class turns side by side, with a panel for each.

// TurnSet is a set of class turns to be drawn.
type TurnSet struct {
	Head       []string     // lines of text above it
	Directions []string     // names of the directions
	Turns      [][]Standing // by input and output direction
}

// Standing says whether a class turn is allowed.
type Standing uint8

// Values of Standing. NoTurn is a pair of directions that is no class turn: straight on, or back
// where turning back is not a class turn.
const (
	NoTurn Standing = iota
	TurnAllowed
	TurnProhibited
)

// TurnSets draws sets of class turns. In the plane, with directions x+, x-, y+, y- and without
// turns back, it draws the four turns of each of the two abstract cycles, prohibited turns dashed
// (after Glass and Ni, ISCA 1992). Otherwise it draws a table by input and output direction.
func TurnSets(sets []TurnSet, o Options) *Graph {
	g := &Graph{Title: o.Title, Layout: Straight}
	inRow, wide, high := 4, 2.9, 1.55
	planar := len(sets) > 0 && isPlanar(&sets[0])
	if !planar && len(sets) > 0 {
		k := float64(len(sets[0].Directions))
		wide, high = 0.9+0.36*k, 0.66+0.3*k
		inRow = max(1, int(11/wide))
	}
	lines := 0
	for i := range sets {
		lines = max(lines, len(sets[i].Head))
	}
	extra := 0.2 * float64(lines)
	for i := range sets {
		p := newPanel(g, i, min(inRow, len(sets)), wide, high+extra)
		for line, text := range sets[i].Head {
			p.put(Node{Shape: Plain, Lines: []string{text}, Strong: line == 0}, wide/2, 0.2+0.2*float64(line))
		}
		if planar {
			p.corners(&sets[i], extra)
		} else {
			p.table(&sets[i], extra)
		}
	}
	look := "crossed"
	if planar {
		look = "dashed"
		g.Notes = append(g.Notes, "x+ to the right (east), y+ up (north). The four turns of a square close an abstract cycle.")
	} else {
		g.Notes = append(g.Notes, "Rows: the direction in which a packet comes; columns: that in which it goes on. "+
			"No mark: straight on, which is always allowed, or no class turn.")
	}
	g.Legend = Legend{Head: []string{"class turns"}, Rows: []Row{{Color: darkGrey, Cells: []string{"allowed"}}, {Color: Vermillion,
		Cells: []string{look + ": prohibited"}}}}
	return g
}

// isPlanar reports whether a set consists of the eight turns in the plane.
func isPlanar(s *TurnSet) bool {
	if len(s.Directions) != 4 || s.Directions[0] != "x+" {
		return false
	}
	for in := range s.Turns {
		for out, standing := range s.Turns[in] {
			if (standing != NoTurn) != (in/2 != out/2) {
				return false
			}
		}
	}
	return true
}

// ways are the vectors of x+, x-, y+, y- on the drawing, y downwards.
var ways = [4][2]float64{{1, 0}, {-1, 0}, {0, -1}, {0, 1}}

// corners draws both abstract cycles.
func (p *panel) corners(s *TurnSet, down float64) {
	const side = 0.72
	for k, around := range [2][4]int{{0, 2, 1, 3}, {0, 3, 1, 2}} {
		x, y := 0.75+1.4*float64(k), down+0.85
		for i, in := range around {
			out := around[(i+1)%4]
			// The corner is at the end of the incoming and the start of the outgoing direction.
			cx := x + side*(ways[in][0]-ways[out][0])/2
			cy := y + side*(ways[in][1]-ways[out][1])/2
			p.corner(in, out, s, cx, cy)
		}
	}
}

func (p *panel) corner(in, out int, s *TurnSet, x, y float64) {
	const leg = 0.28
	look := standings[allowed]
	if s.Turns[in][out] == TurnProhibited {
		look = standings[forbidden]
		look.style = Dashed
	}
	tip := s.Directions[in] + ">" + s.Directions[out] + ", " + look.word
	from := p.put(Node{Shape: Point}, x-leg*ways[in][0], y-leg*ways[in][1])
	at := p.put(Node{Shape: Point}, x, y)
	to := p.put(Node{Shape: Point}, x+leg*ways[out][0], y+leg*ways[out][1])
	line := Edge{From: from, To: at, Color: look.color, Style: look.style, Width: 2, Tooltip: tip}
	p.g.join(line)
	line.From, line.To, line.Arrow = at, to, true
	p.g.join(line)
}

// table draws a table of input directions by output directions.
func (p *panel) table(s *TurnSet, down float64) {
	const left, cell, row = 0.62, 0.36, 0.3
	for out, name := range s.Directions {
		p.put(Node{Shape: Plain, Lines: []string{name}}, left+cell*(float64(out)+0.5), down+0.32)
	}
	for in, name := range s.Directions {
		y := down + 0.32 + row*float64(in+1)
		p.put(Node{Shape: Plain, Lines: []string{name}, Strong: true}, left-0.24, y)
		for out, standing := range s.Turns[in] {
			x := left + cell*(float64(out)+0.5)
			tip := name + ">" + s.Directions[out]
			switch standing {
			case TurnAllowed:
				p.put(Node{Shape: Dot, Fill: darkGrey, Stroke: darkGrey, Tooltip: tip + ", allowed"}, x, y)
			case TurnProhibited:
				p.put(Node{Shape: Cross, Stroke: standings[forbidden].color, Tooltip: tip + ", prohibited"}, x, y)
			}
		}
	}
}
