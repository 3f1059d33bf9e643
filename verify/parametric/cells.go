package parametric

import (
	"fmt"
	"slices"
)

// This file finds ranks in pieces. A cell is the packets on the channels of a node whose tail satisfies some conditions.
// Hops between cells make a graph (cellgraph.go). A component of the graph is ranked if
//
//   - it has no hop; or
//   - some sum of coordinates falls on no hop of the component, and rises on all hops from some cell to some cell, and
//     the component without the hops on which it rises is ranked.
//
// So the rank of a cell is the number of its component and the sum, then the same for the component without these hops,
// and so on. A component that is not ranked is divided by a condition on the place (cellsplit.go). If no condition helps, two
// searches take the place of one, for the two cases of a condition that no hop changes (cellcases.go). The hops are examples:
// those of small networks, then those on which Z3 finds that a rank does not rise. Examples prove nothing; obligations
// prove the ranks.
//
// Source of the method: A. R. Bradley, Z. Manna and H. B. Sipma, Linear ranking with reachability, CAV 2005, for
// lexicographic ranks; conditions as in C. Urban, The abstract domain of segmented ranking functions, SAS 2013.

// spot is the points of a node that satisfy the same conditions.
type spot struct {
	node int
	bits []uint64 // bit i: condition i holds
}

func (s *spot) has(i int) bool { return s.bits[i/64]>>(i%64)&1 == 1 }

// isIn reports whether a spot satisfies all literals.
func (s *spot) isIn(all []literal) bool {
	return !slices.ContainsFunc(all, func(l literal) bool { return s.has(l.condition) != l.holds })
}

// literal is a condition, or its negation.
type literal struct {
	condition int
	holds     bool
}

// cell is the channels of a node whose tail satisfies all literals.
type cell struct {
	node     int
	literals []literal
}

// joint is the hops from one spot to another.
type joint struct {
	from, to int
	change
}

// cells is a search for ranks in pieces.
type cells struct {
	*system
	conditions []atom
	sums       [][]int64 // coefficients of the coordinates of the place
	nodes      []node
	spots      []spot
	index      map[string]int // of spots
	joints     []joint
	at         map[[2]int]int // index of the joint from a spot to a spot
	cells      []cell
	of         []int // the cell of each spot
	cases      *cellCases
	noCases    bool // no condition helps to divide the search
}

// maxCells bounds the cells, maxCellRounds the times that Z3 is asked about all pairs.
const (
	maxCells      = 100
	maxCellRounds = 100
)

// empty returns a search like g without hops.
func (g *cells) empty() *cells {
	e := &cells{system: g.system, conditions: g.conditions, sums: g.sums, nodes: g.nodes, index: map[string]int{}, at: map[[2]int]int{}}
	for i := range g.nodes {
		e.cells = append(e.cells, cell{node: i})
	}
	return e
}

// add adds a hop. It reports whether the conditions tell it from the hops before.
func (g *cells) add(d dependency) bool {
	from, to := g.spotOf(d.from, d.fromTail), g.spotOf(d.to, d.toTail)
	one := change{hops: 1}
	for i, sum := range g.sums {
		by := int64(0)
		for x, c := range sum {
			by += c * (d.toTail[x] - d.fromTail[x])
		}
		if by > 0 {
			one.rising |= 1 << i
		} else if by < 0 {
			one.falling |= 1 << i
		}
	}
	return g.addJoint(from, to, one)
}

// addJoint adds hops between two spots.
func (g *cells) addJoint(from, to spot, one change) bool {
	if g.cases != nil {
		return g.cases.of(from).addJoint(from, to, one)
	}
	key := [2]int{g.spotNumber(from), g.spotNumber(to)}
	i, known := g.at[key]
	if !known {
		i = len(g.joints)
		g.at[key] = i
		g.joints = append(g.joints, joint{from: key[0], to: key[1]})
	}
	before := g.joints[i].change
	g.joints[i].join(one)
	g.joints[i].hops = 1
	return g.joints[i].change != before
}

// spotOf returns the spot of a point on a channel of a node.
func (g *cells) spotOf(n node, point []int64) spot {
	i, _ := slices.BinarySearchFunc(g.nodes, n, compareNodes)
	return spotAt(i, g.conditions, point)
}

// spotAt returns the spot of a point on a channel of a node.
func spotAt(node int, conditions []atom, point []int64) spot {
	s := spot{node, make([]uint64, (len(conditions)+63)/64)}
	for k, c := range conditions {
		if c.holds(point) {
			s.bits[k/64] |= 1 << (k % 64)
		}
	}
	return s
}

// spotNumber returns the number of a spot.
func (g *cells) spotNumber(s spot) int {
	key := fmt.Sprint(s.node, s.bits)
	if found, known := g.index[key]; known {
		return found
	}
	g.index[key] = len(g.spots)
	g.spots = append(g.spots, s)
	g.of = append(g.of, slices.IndexFunc(g.cells, func(c cell) bool {
		return c.node == s.node && s.isIn(c.literals)
	}))
	return len(g.spots) - 1
}

// ranked returns the graph of all cells after its components were ranked.
func (g *cells) ranked() *cellGraph {
	h := g.graph()
	h.rank(h.all(), 0, nil)
	return h
}

// graph returns the graph of all cells.
func (g *cells) graph() *cellGraph {
	h := newCellGraph(len(g.cells), len(g.sums))
	for _, j := range g.joints {
		h.link(g.of[j.from], g.of[j.to]).join(j.change)
	}
	return h
}

// divide divides cell i by a condition. Some of its spots satisfy the condition, others do not.
func (g *cells) divide(i, condition int) {
	literals := slices.Clip(g.cells[i].literals)
	g.cells = append(g.cells, cell{g.cells[i].node, append(literals, literal{condition, false})})
	g.cells[i].literals = append(literals, literal{condition, true})
	for k := range g.spots {
		if g.of[k] == i && !g.spots[k].has(condition) {
			g.of[k] = len(g.cells) - 1
		}
	}
}

// ranks returns the ranks of the cells. All components are ranked.
func (g *cells) ranks() ranks {
	found := ranks{}
	longest := g.addRanks(found, nil)
	for _, list := range found {
		for i := range list {
			for len(list[i].tuple) < longest {
				list[i].tuple = append(list[i].tuple, g.number(0))
			}
		}
	}
	return found
}

// addRanks adds the ranks of the cells under more literals. It returns the length of the longest rank.
func (g *cells) addRanks(found ranks, more []literal) (longest int) {
	if c := g.cases; c != nil {
		for i, side := range c.sides {
			longest = max(longest, side.addRanks(found, append(slices.Clip(more), literal{c.condition, i == 1})))
		}
		return longest
	}
	tuples := make([][]form, len(g.cells))
	h := g.graph()
	h.rank(h.all(), 0, func(i, number, sum int) {
		f := g.number(0)
		if sum >= 0 {
			copy(f, g.sums[sum])
		}
		tuples[i] = append(tuples[i], g.number(int64(number)), f)
		longest = max(longest, len(tuples[i]))
	})
	for i, c := range g.cells {
		n := g.nodes[c.node]
		found[n] = append(found[n], piece{g.guard(append(slices.Clip(more), c.literals...)), tuples[i]})
	}
	return longest
}

// guard returns the conditions of literals, without those that others imply.
func (g *cells) guard(literals []literal) (list []atom) {
	for _, l := range literals {
		a := g.conditions[l.condition]
		if !l.holds {
			a = a.contrary()
		}
		if !slices.ContainsFunc(list, func(b atom) bool { return b.implies(a) }) {
			list = slices.DeleteFunc(list, a.implies)
			list = append(list, a)
		}
	}
	return list
}

// contrary returns the negation of an inequality, or of a divisibility by 2.
func (a atom) contrary() atom {
	if a.mod == 2 {
		return atom{form: a.form.add(1), mod: 2}
	}
	return a.negated()[0]
}

// implies reports whether b is a, or differs from a by a weaker bound.
func (a atom) implies(b atom) bool {
	d := b.form.plus(a.form, -1)
	return a.mod == b.mod && d.isConstant() && (d.constant() == 0 || a.mod == 0 && d.constant() > 0)
}

// cellCases is a condition, and the searches for the hops that do not satisfy it and for those that do.
type cellCases struct {
	condition int
	sides     [2]*cells
}

// of returns the search for the hops of a spot.
func (c *cellCases) of(s spot) *cells {
	if s.has(c.condition) {
		return c.sides[1]
	}
	return c.sides[0]
}

// isOnPlace reports whether hops change a condition.
func (g *cells) isOnPlace(condition int) bool {
	for _, c := range g.conditions[condition].form[:g.dims] {
		if c != 0 {
			return true
		}
	}
	return false
}
