package space

// This file defines the spaces of H/V graphs, for three kinds of trees, and of up*/down*.
//
// Source: Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003, section 3.1: a switch
// has coordinates (h, d), its number in preorder and its depth on a spanning tree; table 1: LU,
// LD, RU, RD.

// Tree is the kind of spanning trees that H/V graphs are built on.
type Tree string

// The three kinds of trees. AnyCoordinates needs no tree: switches have any distinct numbers h
// and any depths d.
const (
	AnyCoordinates Tree = "coordinates"
	AnyTree        Tree = "any"       // any shortest-path tree, with the children of a switch in any order
	CanonicalTree  Tree = "canonical" // the tree of a breadth-first search by ascending number, with children in the order of discovery
)

// Trees returns all values of Tree.
func Trees() []Tree {
	return []Tree{AnyTree, AnyCoordinates, CanonicalTree}
}

var treeAbout = map[Tree]string{
	AnyCoordinates: "all networks whose switches have coordinates (h, d), the h all different",
	AnyTree:        "all networks with a shortest-path tree and an order of the children of each switch",
	CanonicalTree:  "all networks with the tree of a breadth-first search by ascending numbers",
}

// The directions of an H/V graph, as numbers.
const (
	lu = iota
	ld
	ru
	rd
)

// newHV returns the space of H/V graphs.
//
// With AnyTree a channel changes the depth by at most 1. This is the only constraint. Every
// walk whose depths change by at most 1, with any numbers h, exists on some tree: there each
// switch of the walk ends its own chain of switches from the root.
//
// With CanonicalTree the parent of a switch is its leftmost neighbour above. LU leads to the
// parent, RD to a child. Let e be the last preorder number in the subtree of a switch. Then (h,
// e) is an interval, and two intervals are nested or disjoint. LU leads to an enclosing
// interval, RD to an enclosed one, RU to one on the right, LD to one on the left. A turn from
// RD to LU would be a turn back.
func newHV(tree Tree, uTurns bool) *Space {
	s := &Space{Kind: HV, Tree: tree, UTurns: uTurns, About: treeAbout[tree], Coords: []string{"h", "d"},
		Directions: []Direction{{"LU", rd}, {"LD", ru}, {"RU", ld}, {"RD", lu}}}
	moves := [][2][]int{{{-free, -free}, {-1, -1}}, {{-free, 0}, {-1, free}}, {{1, -free}, {free, 0}}, {{1, 1}, {free, free}}}
	if tree != AnyCoordinates {
		moves = [][2][]int{{{-free, -1}, {-1, -1}}, {{-free, 0}, {-1, 1}}, {{1, -1}, {free, 0}}, {{1, 1}, {free, 1}}}
	}
	for d, m := range moves {
		s.Places = append(s.Places, Place{Name: s.Directions[d].Name, Direction: d, Move: change(m[0], m[1])})
		s.Straight = append(s.Straight, Step{d, d})
	}
	if tree == CanonicalTree {
		s.Coords = []string{"h", "d", "e"}
		for d := range s.Places {
			s.Places[d].Move = canonicalMove(d)
		}
	}
	s.turnsBetween(func(in, out int) []Step {
		if tree == CanonicalTree && in == rd && out == lu && !uTurns {
			return []Step{} // the class turn exists but no packet makes it
		}
		return []Step{{in, out}}
	})
	for _, image := range [][]int{{lu, ld, ru, rd}, {lu, ru, ld, rd}, {rd, ru, ld, lu}, {rd, ld, ru, lu},
		{ld, lu, rd, ru}, {ld, rd, lu, ru}, {ru, lu, rd, ld}, {ru, rd, lu, ld}} {
		if tree == AnyCoordinates || image[lu] == lu {
			s.Symmetries = append(s.Symmetries, image)
		}
	}
	s.Basic = basicCycles(s)
	return s
}

// canonicalMove returns the constraints on (h, d, e) at both ends of a channel of direction d.
func canonicalMove(d int) []Constraint {
	const h, e = 0, 2
	at := func(tail, head []int, least int) Constraint { return Constraint{tail, head, least} }
	unit := func(i, x int) []int { v := make([]int, 3); v[i] = x; return v }
	list := []Constraint{at([]int{-1, 0, 1}, unit(0, 0), 0), at(unit(0, 0), []int{-1, 0, 1}, 0)} // e ≥ h at both ends
	depth := func(lo, hi int) {
		list = append(list, at(unit(1, -1), unit(1, 1), lo), at(unit(1, 1), unit(1, -1), -hi))
	}
	switch d {
	case lu: // h decreases, e does not
		list = append(list, at(unit(h, 1), unit(h, -1), 1), at(unit(e, -1), unit(e, 1), 0))
		depth(-1, -1)
	case rd:
		list = append(list, at(unit(h, -1), unit(h, 1), 1), at(unit(e, 1), unit(e, -1), 0))
		depth(1, 1)
	case ru: // the whole interval lies beyond e
		list = append(list, at(unit(e, -1), unit(h, 1), 1))
		depth(-1, 0)
	case ld:
		list = append(list, at(unit(h, 1), unit(e, -1), 1))
		depth(0, 1)
	}
	return list
}

// basicCycles returns the cycles L1 to L7 of the paper, section 3.2.3.
func basicCycles(s *Space) (cycles [][]int) {
	for _, around := range [][]int{{lu, rd, ru}, {lu, rd, ld}, {lu, rd}, {ru, rd, ld}, {rd, ru, ld}, {ld, ru}, {rd, ru, rd, ld}} {
		var cycle []int
		for k, in := range around {
			cycle = append(cycle, s.between(in, around[(k+1)%len(around)]))
		}
		cycles = append(cycles, cycle)
	}
	return cycles
}

// newUpDown returns the space of up*/down*. A channel is up if it leads to a smaller (depth,
// number).
//
// Source: M. D. Schroeder et al., Autonet, IEEE JSAC 9(8), 1991.
func newUpDown() *Space {
	s := &Space{Kind: UpDown, About: "all networks with a breadth-first tree; up is to a smaller depth, at the same depth to a smaller number",
		Coords:     []string{"order"},
		Directions: []Direction{{"up", 1}, {"down", 0}}}
	for d, m := range [][2]int{{-free, -1}, {1, free}} {
		s.Places = append(s.Places, Place{Name: s.Directions[d].Name, Direction: d, Move: change([]int{m[0]}, []int{m[1]})})
		s.Straight = append(s.Straight, Step{d, d})
	}
	s.turnsBetween(func(in, out int) []Step { return []Step{{in, out}} })
	s.Symmetries = [][]int{{0, 1}}
	s.Basic = [][]int{{0, 1}}
	return s
}
