package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/hv"
)

// TurnDependencies draws the turn dependency graph of the allowed class turns. An arrow leads from
// T to U if U starts with the direction in which T ends, so that a packet may take U after T. Each
// basic cycle L1 to L7 that consists of allowed turns is drawn in its own colour.
//
// After figure 8 of Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003.
func TurnDependencies(allowed hv.ClassTurns, o Options) *Graph {
	turns := allowed.List()
	closed := closedCycles(allowed)
	g := &Graph{Title: o.Title, OwnLabels: true}
	node := make(map[hv.ClassTurn]int)
	for i, t := range circular(turns, closed) {
		x, y := onCircle(i, len(turns))
		node[t] = g.add(Node{Name: t.String(), Lines: []string{t.String()}, Strong: true, Fill: paleGrey, Pinned: true, X: x, Y: y,
			Tooltip: "class turn " + t.String()})
	}
	marked := make(map[[2]hv.ClassTurn]bool)
	for _, b := range closed {
		for i, t := range b.Turns {
			marked[[2]hv.ClassTurn{t, b.Turns[(i+1)%len(b.Turns)]}] = true
		}
	}
	count := 0
	for _, t := range turns {
		for _, u := range turns {
			if t.Out != u.In {
				continue
			}
			if count++; !marked[[2]hv.ClassTurn{t, u}] {
				g.join(Edge{From: node[t], To: node[u], Arrow: true, Color: lightGrey, Tooltip: t.String() + " then " + u.String()})
			}
		}
	}
	g.closedCycles(closed, node)
	g.Notes = []string{fmt.Sprintf("%s, %s: after the turn at the tail of an arrow a packet may make the one at its head.",
		plural(len(turns), "class turn"), pluralOf(count, "dependency", "dependencies"))}
	if len(closed) == 0 {
		g.Notes = append(g.Notes, "None of the basic cycles L1 to L7 is closed by these turns.")
	}
	return g
}

// closedCycles returns the basic cycles of which all turns are allowed.
func closedCycles(allowed hv.ClassTurns) (list []hv.BasicCycle) {
	for _, b := range hv.BasicCycles() {
		if hv.Classes(b.Turns...)&^allowed == 0 {
			list = append(list, b)
		}
	}
	return list
}

// closedCycles draws basic cycles in colours, and adds a legend.
func (g *Graph) closedCycles(closed []hv.BasicCycle, node map[hv.ClassTurn]int) {
	if len(closed) == 0 {
		return
	}
	g.Legend.Head = []string{"basic cycle"}
	for _, b := range closed {
		k, _ := strconv.Atoi(strings.TrimPrefix(b.Name, "L"))
		color, _ := SeriesAt(max(k-1, 0))
		var names []string
		for i, t := range b.Turns {
			u := b.Turns[(i+1)%len(b.Turns)]
			names = append(names, t.String())
			g.join(Edge{From: node[t], To: node[u], Arrow: true, Color: color, Width: 2.2, Label: b.Name, Badge: true,
				Tooltip: fmt.Sprintf("%s: %s then %s", b.Name, t, u)})
		}
		g.Legend.Rows = append(g.Legend.Rows, Row{Mark: b.Name, Color: color, Cells: []string{strings.Join(append(names, names[0]), " → ")}})
	}
}

// onCircle returns position i of of positions around a circle, in inches, clockwise from the top.
func onCircle(i, of int) (x, y float64) {
	r := max(0.36*float64(of), 1.3)
	sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / float64(max(of, 1)))
	return r * sin, r * cos
}

// circular orders turns around a circle so that arrows are short, especially those of cycles. It
// exchanges pairs of turns as long as that is an improvement.
func circular(turns []hv.ClassTurn, closed []hv.BasicCycle) []hv.ClassTurn {
	order := slices.Clone(turns)
	for {
		best, a, b := pathLength(order, closed), -1, -1
		for i := range order {
			for j := range i {
				order[i], order[j] = order[j], order[i]
				if l := pathLength(order, closed); l < best {
					best, a, b = l, i, j
				}
				order[i], order[j] = order[j], order[i]
			}
		}
		if a < 0 {
			return order
		}
		order[a], order[b] = order[b], order[a]
	}
}

// pathLength returns the sum of the distances between dependent turns, in steps around the circle.
// Dependencies of a cycle have weight four.
func pathLength(order []hv.ClassTurn, closed []hv.BasicCycle) (sum int) {
	steps := func(t, u hv.ClassTurn) int {
		d := slices.Index(order, t) - slices.Index(order, u)
		if d < 0 {
			d = -d
		}
		return min(d, len(order)-d)
	}
	for _, t := range order {
		for _, u := range order {
			if t.Out == u.In {
				sum += steps(t, u)
			}
		}
	}
	for _, b := range closed {
		for i, t := range b.Turns {
			sum += 4 * steps(t, b.Turns[(i+1)%len(b.Turns)])
		}
	}
	return sum
}
