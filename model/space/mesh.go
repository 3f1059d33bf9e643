package space

import "strings"

// This file defines the spaces of n-dimensional meshes with sides of 2 or more.

// letters are the names of the dimensions.
const letters = "xyzuvw"

// MaxDims is the maximum number of dimensions of a mesh or torus.
const MaxDims = len(letters)

// axisDirections returns x+, x-, y+, y-, ... Direction 2i is plus in dimension i.
func axisDirections(dims int) (list []Direction) {
	for i := range dims {
		list = append(list, Direction{letters[i:i+1] + "+", 2*i + 1}, Direction{letters[i:i+1] + "-", 2 * i})
	}
	return list
}

func coordinates(dims int) []string { return strings.Split(letters[:dims], "") }

// step returns the constraints of a move by sign in dimension axis.
func step(dims, axis, sign int) []Constraint {
	by := make([]int, dims)
	by[axis] = sign
	return change(by, by)
}

func newMesh(dims int, uTurns bool) *Space {
	s := &Space{Kind: Mesh, Dims: dims, UTurns: uTurns, Coords: coordinates(dims), Directions: axisDirections(dims),
		About: "all meshes of " + dimensions(dims) + " with sides of 2 or more"}
	for d := range s.Directions {
		s.Places = append(s.Places, Place{Name: s.Directions[d].Name, Direction: d, Axis: d / 2, Sign: 1 - 2*(d%2), Move: step(dims, d/2, 1-2*(d%2))})
		s.Straight = append(s.Straight, Step{d, d})
	}
	s.turnsBetween(func(in, out int) []Step { return []Step{{in, out}} })
	s.Basic = planeCycles(s, dims)
	s.Symmetries = axisImages(dims)
	return s
}

func dimensions(k int) string {
	if k == 1 {
		return "1 dimension"
	}
	return string(rune('0'+k)) + " dimensions"
}

// turnsBetween adds the class turns between different directions. It adds a turn to the reverse
// direction only with UTurns, and no turn for which steps returns nil.
func (s *Space) turnsBetween(steps func(in, out int) []Step) {
	for in := range s.Directions {
		for out := range s.Directions {
			if in == out || s.Directions[in].Reverse == out && !s.UTurns && s.Kind != HV && s.Kind != UpDown && s.Kind != Given {
				continue
			}
			if list := steps(in, out); list != nil {
				s.Turns = append(s.Turns, Turn{Name: s.Directions[in].Name + ">" + s.Directions[out].Name, In: in, Out: out, Steps: list})
			}
		}
	}
}

// planeCycles returns the two cycles of four turns of each plane (Glass and Ni 1992, figure 2).
// The planes of lower dimensions come first, so that all choices for n dimensions begin with
// those for n-1.
func planeCycles(s *Space, dims int) (cycles [][]int) {
	for j := 1; j < dims; j++ {
		for i := range j {
			a, b := 2*i, 2*j // plus directions
			for _, around := range [2][4]int{{a, b, a + 1, b + 1}, {a, b + 1, a + 1, b}} {
				var cycle []int
				for k, in := range around {
					cycle = append(cycle, s.between(in, around[(k+1)%4]))
				}
				cycles = append(cycles, cycle)
			}
		}
	}
	return cycles
}

// between returns the index of the turn from direction in to direction out, or -1.
func (s *Space) between(in, out int) int {
	for t := range s.Turns {
		if s.Turns[t].In == in && s.Turns[t].Out == out {
			return t
		}
	}
	return -1
}

// axisImages returns the permutations of the directions that exchange dimensions or reverse
// dimensions, the identity first.
func axisImages(dims int) (list [][]int) {
	order := make([]int, dims)
	used := make([]bool, dims)
	var place func(i int)
	place = func(i int) {
		if i == dims {
			for flips := range 1 << dims {
				image := make([]int, 2*dims)
				for d := range image {
					image[d] = 2*order[d/2] + (d%2 ^ flips>>(d/2)&1)
				}
				list = append(list, image)
			}
			return
		}
		for d := range dims {
			if !used[d] {
				used[d], order[i] = true, d
				place(i + 1)
				used[d] = false
			}
		}
	}
	place(0)
	return list
}

// Image returns the permutation of class turns that a permutation of directions induces.
func (s *Space) Image(directions []int) []int {
	to := make([]int, len(s.Turns))
	for t, turn := range s.Turns {
		to[t] = s.between(directions[turn.In], directions[turn.Out])
	}
	return to
}

// Reversal returns the permutation of class turns that reversing all channels induces. A turn
// from a to b becomes the turn from the reverse of b to the reverse of a. Reversal preserves
// cycles and connectedness.
func (s *Space) Reversal() []int {
	to := make([]int, len(s.Turns))
	for t, turn := range s.Turns {
		to[t] = s.between(s.Directions[turn.Out].Reverse, s.Directions[turn.In].Reverse)
	}
	return to
}
