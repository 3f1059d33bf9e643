package space

// This file is H/V graphs, for three kinds of trees, and up*/down*.
//
// Source: Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003, section
// 3.1: a switch stands at (h, d), its number in preorder and its depth on a
// spanning tree; table 1: LU, LD, RU, RD.

// Tree says on which spanning trees H/V graphs stand.
type Tree string

// The three. With Coordinates switches may have any different numbers h and any
// depths: no tree need give them.
const (
	AnyCoordinates Tree = "coordinates"
	AnyTree        Tree = "any"       // any shortest-path tree, the children of a switch in any order
	CanonicalTree  Tree = "canonical" // that of a breadth-first search by ascending number, children in the order in which they are found
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

// newHV makes the space of H/V graphs.
//
// With AnyTree a channel between neighbours changes the depth by 1 at most, and
// nothing else is known: a walk whose depths change so, with any numbers h, stands
// on a tree in which each of its switches hangs on a chain of its own from the
// root.
//
// With CanonicalTree the parent of a switch is the leftmost of its neighbours above:
// LU leads to the parent, RD to a child. Let e be the last number in preorder below
// a switch; (h, e) is an interval, and intervals are nested or apart. LU: to an
// interval around; RD: to one within; RU: to one on the right; LD: to one on the
// left. From RD to LU would be a way back.
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
			return []Step{} // never made, a class turn all the same
		}
		return []Step{{in, out}}
	})
	for _, image := range [][]int{{lu, ld, ru, rd}, {lu, ru, ld, rd}, {rd, ru, ld, lu}, {rd, ld, ru, lu}, {ld, lu, rd, ru}, {ld, rd, lu, ru}, {ru, lu, rd, ld}, {ru, rd, lu, ld}} {
		if tree == AnyCoordinates || image[lu] == lu {
			s.Symmetries = append(s.Symmetries, image)
		}
	}
	s.Basic = basicCycles(s)
	return s
}

// canonicalMove is what is known of (h, d, e) at both ends.
func canonicalMove(d int) []Constraint {
	const h, e = 0, 2
	at := func(tail, head []int, least int) Constraint { return Constraint{tail, head, least} }
	unit := func(i, x int) []int { v := make([]int, 3); v[i] = x; return v }
	list := []Constraint{at([]int{-1, 0, 1}, unit(0, 0), 0), at(unit(0, 0), []int{-1, 0, 1}, 0)} // e ≥ h at both ends
	depth := func(lo, hi int) {
		list = append(list, at(unit(1, -1), unit(1, 1), lo), at(unit(1, 1), unit(1, -1), -hi))
	}
	switch d {
	case lu: // h falls, e does not
		list = append(list, at(unit(h, 1), unit(h, -1), 1), at(unit(e, -1), unit(e, 1), 0))
		depth(-1, -1)
	case rd:
		list = append(list, at(unit(h, -1), unit(h, 1), 1), at(unit(e, 1), unit(e, -1), 0))
		depth(1, 1)
	case ru: // all of it beyond e
		list = append(list, at(unit(e, -1), unit(h, 1), 1))
		depth(-1, 0)
	case ld:
		list = append(list, at(unit(h, 1), unit(e, -1), 1))
		depth(0, 1)
	}
	return list
}

// basicCycles are L1 to L7 of the paper, section 3.2.3.
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

// newUpDown makes the space of up*/down*: up leads to a smaller (depth, number).
//
// Source: M. D. Schroeder et al., Autonet, IEEE JSAC 9(8), 1991.
func newUpDown() *Space {
	s := &Space{Kind: UpDown, About: "all networks with a breadth-first tree; up is to a smaller depth, at the same depth to a smaller number", Coords: []string{"order"},
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
