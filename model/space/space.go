package space

// This file is what a space of class turns is.

// Space is a family of networks, the directions of their channels, and the class
// turns between these.
type Space struct {
	Name       string      // as Parse reads it
	Kind       Kind        // of family
	Dims       int         // mesh, torus: dimensions
	VCs        int         // torus: virtual channels
	Rule       string      // torus with two VCs: which VC a packet has after a turn
	Tree       Tree        // H/V graph: which trees
	UTurns     bool        // turns back over the same cable are class turns, too
	About      string      // the family in words
	Coords     []string    // names of the coordinates of a switch
	Directions []Direction //
	Places     []Place     // at most MaxPlaces
	Turns      []Turn      // class turns, at most MaxTurns
	Straight   []Step      // steps that are always allowed
	Basic      [][]int     // cycles of turns that choose a turn each; nil: no such choices
	// Symmetries are permutations of the directions under which no verdict changes,
	// all of the group, the identity first.
	Symmetries [][]int
}

// MaxPlaces bounds the places of a space.
const MaxPlaces = 512

// Kind is a kind of family.
type Kind string

// The kinds.
const (
	Mesh   Kind = "mesh"
	Torus  Kind = "torus"
	HV     Kind = "hv"
	UpDown Kind = "updown"
	Given  Kind = "given"
)

// Direction is what channels are told apart by.
type Direction struct {
	Name    string
	Reverse int // the direction of the other channel of the cable
}

// Place is a direction, or a part of its channels.
type Place struct {
	Name      string
	Direction int
	Move      []Constraint
	// Axis and Sign tell a place of a mesh or torus: along dimension Axis, to
	// greater (+1) or smaller (-1) coordinates. Wrap: over the edge. VC: on it.
	// At: by dimension where the head of the channel lies.
	Axis, Sign int
	Wrap       bool
	VC         int
	At         []Where
}

// Where is where a coordinate lies: at the lower edge, at the upper, or between.
type Where uint8

// The three.
const (
	Low Where = iota
	Between
	High
)

// Constraint is Tail·(coordinates at the tail) + Head·(those at the head) ≥ Least.
type Constraint struct {
	Tail, Head []int
	Least      int
}

// Turn is a class turn, and the steps between places that it allows.
type Turn struct {
	Name    string
	In, Out int // directions
	Steps   []Step
}

// Step is from a channel of one place to a channel of another.
type Step struct{ From, To int }

// Steps returns all steps that a set allows, the straight ones first.
func (s *Space) Steps(set Set) []Step {
	steps := append([]Step(nil), s.Straight...)
	for _, t := range set.List() {
		steps = append(steps, s.Turns[t].Steps...)
	}
	return steps
}

// change is a move that is told by differences: lo ≤ head - tail ≤ hi in each
// coordinate; free leaves an end open.
const free = 1 << 30

func change(lo, hi []int) (list []Constraint) {
	unit := func(i, sign, least int) Constraint {
		c := Constraint{Tail: make([]int, len(lo)), Head: make([]int, len(lo)), Least: least}
		c.Head[i], c.Tail[i] = sign, -sign
		return c
	}
	for i := range lo {
		if lo[i] > -free {
			list = append(list, unit(i, 1, lo[i]))
		}
		if hi[i] < free {
			list = append(list, unit(i, -1, -hi[i]))
		}
	}
	return list
}
