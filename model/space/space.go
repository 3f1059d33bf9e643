package space

// Space is a family of networks with the directions of their channels and the class turns
// between directions.
type Space struct {
	Name       string      // as Parse accepts it
	Kind       Kind        // kind of family
	Dims       int         // mesh, torus: number of dimensions
	VCs        int         // torus: number of virtual channels
	Rule       string      // torus with two VCs: rule for the VC after a turn
	Tree       Tree        // H/V graph: kind of trees
	UTurns     bool        // turns back over the same cable are class turns as well
	About      string      // description of the family
	Coords     []string    // names of the coordinates of a switch
	Directions []Direction //
	Places     []Place     // at most MaxPlaces
	Turns      []Turn      // class turns, at most MaxTurns
	Straight   []Step      // steps that are always allowed
	Basic      [][]int     // cycles of which each must lose a turn; nil if the space does not enumerate such choices
	// Symmetries are the permutations of the directions that preserve all verdicts. They form a
	// group; the identity is first.
	Symmetries [][]int
}

// MaxPlaces is the maximum number of places of a space.
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

// Direction is a class of channels.
type Direction struct {
	Name    string
	Reverse int // index of the direction of the other channel of the cable
}

// Place is a set of channels of one direction: all of them or a part.
type Place struct {
	Name      string
	Direction int
	Move      []Constraint
	// The remaining fields describe a place of a mesh or torus. Its channels run along
	// dimension Axis, to greater (Sign +1) or smaller (Sign -1) coordinates. Wrap is set for
	// wraparound channels. VC is the virtual channel. At gives the position of the channel's
	// head by dimension.
	Axis, Sign int
	Wrap       bool
	VC         int
	At         []Where
}

// Where is the position of a coordinate: at the lower edge, at the upper edge, or between them.
type Where uint8

// The three positions.
const (
	Low Where = iota
	Between
	High
)

// Constraint means Tail·(coordinates of the tail) + Head·(coordinates of the head) ≥ Least.
type Constraint struct {
	Tail, Head []int
	Least      int
}

// Turn is a class turn with the steps between places that it allows.
type Turn struct {
	Name    string
	In, Out int // directions
	Steps   []Step
}

// Step is a dependency from a channel of place From to a channel of place To.
type Step struct{ From, To int }

// Steps returns all steps that a set allows, straight steps first.
func (s *Space) Steps(set Set) []Step {
	steps := append([]Step(nil), s.Straight...)
	for _, t := range set.List() {
		steps = append(steps, s.Turns[t].Steps...)
	}
	return steps
}

// free as a bound of change means that there is no bound.
const free = 1 << 30

// change returns the constraints lo ≤ head - tail ≤ hi for each coordinate.
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
