package space

import (
	"fmt"

	"github.com/turnproof/turnproof/internal/registry"
)

// This file defines the spaces of n-dimensional tori with sides of 3 or more.
//
// A wraparound channel leads from the last coordinate to the first, or back. Which directions
// can follow a channel therefore depends on the position of its head. A place combines the
// direction, wraparound or not, the virtual channel, and for each dimension whether the head is
// at the lower edge, at the upper edge, or between. A closed walk of places exists on some
// torus if in each dimension it touches an edge, or goes both up and down, or does not move:
// between the edges any number of straight moves is possible.

// Rule is a rule for packets on a torus with two virtual channels.
type Rule struct{ Name, About string }

// Rules returns the rules for packets on a torus with two virtual channels, the default first.
// A packet takes a wraparound channel on VC 0. Its next hop in this dimension is on VC 1. On VC
// 1 a packet takes no other wraparound channel of the dimension.
func Rules() []Rule {
	return []Rule{
		{"reset", "a packet starts on VC 0 in the dimension that it turns to; after a wraparound it may still turn"},
		{"keep", "a packet keeps its VC when it turns, VC 1 after a wraparound; it may still turn"},
		{"stop", "a packet starts on VC 0 in the dimension that it turns to; after a wraparound it does not turn"},
		{"nf+1", "a packet starts on VC 0 in the dimension that it turns to; after a wraparound in x it does not turn (North-First+1, section 4.2)"},
	}
}

func newTorus(dims, vcs int, rule string, uTurns bool) (*Space, error) {
	s := &Space{Kind: Torus, Dims: dims, VCs: vcs, Rule: rule, UTurns: uTurns, Coords: coordinates(dims),
		About: "all tori of " + dimensions(dims) + " with sides of 3 or more"}
	if vcs == 1 {
		s.Directions = wrapDirections(dims)
		s.About += "; wraparound channels have their own directions, such as x+w besides x+"
	} else {
		s.Directions = axisDirections(dims)
		r, err := registry.Find("rule", rule, Rules(), func(r Rule) string { return r.Name })
		if err != nil {
			return nil, err
		}
		s.About += " and 2 virtual channels; " + r.About
	}
	s.torusPlaces()
	if len(s.Places) > MaxPlaces {
		return nil, fmt.Errorf("%d places of channels; want at most %d", len(s.Places), MaxPlaces)
	}
	for from := range s.Places {
		for to := range s.Places {
			if s.Places[from].Direction == s.Places[to].Direction && s.follows(from, to) {
				s.Straight = append(s.Straight, Step{from, to})
			}
		}
	}
	s.turnsBetween(s.torusSteps)
	if vcs == 1 {
		s.wrapSymmetries(dims)
	} else {
		s.ruleSymmetries(dims)
	}
	return s, nil
}

// wrapDirections returns x+, x-, x+w, x-w, y+, ...
func wrapDirections(dims int) (list []Direction) {
	for i := range dims {
		x := letters[i : i+1]
		list = append(list, Direction{x + "+", 4*i + 1}, Direction{x + "-", 4 * i}, Direction{x + "+w", 4*i + 3}, Direction{x + "-w", 4*i + 2})
	}
	return list
}

// torusPlaces adds a place for each direction and each possible position of its head.
func (s *Space) torusPlaces() {
	wheres := []Where{Low, Between, High}
	for d := range s.Directions {
		kinds := []Place{{Axis: d / 2, Sign: 1 - 2*(d%2)}, {Axis: d / 2, Sign: 1 - 2*(d%2), Wrap: true}, {Axis: d / 2, Sign: 1 - 2*(d%2), VC: 1}}
		if s.VCs == 1 {
			kinds = []Place{{Axis: d / 4, Sign: 1 - 2*(d%2), Wrap: d%4 >= 2}}
		}
		for _, p := range kinds {
			p.Direction = d
			for at := range pow(3, s.Dims) {
				p.At = make([]Where, s.Dims)
				for i, rest := 0, at; i < s.Dims; i, rest = i+1, rest/3 {
					p.At[i] = wheres[rest%3]
				}
				if edge := [2]Where{High, Low}[(1-p.Sign)/2]; p.Wrap != (p.At[p.Axis] == opposite(edge)) || p.Wrap && p.At[p.Axis] == edge {
					continue // only a wraparound channel ends at the edge where its direction starts
				}
				p.Name = s.Directions[d].Name + placeText(&p, s.VCs)
				p.Move = torusMove(s.Dims, &p)
				s.Places = append(s.Places, p)
			}
		}
	}
}

func pow(b, e int) int {
	r := 1
	for range e {
		r *= b
	}
	return r
}

func opposite(w Where) Where { return High - w }

// placeText returns the part of a place's name after the direction.
func placeText(p *Place, vcs int) string {
	text := ""
	if vcs > 1 {
		text = fmt.Sprintf("/%d", p.VC)
		if p.Wrap {
			text = "/w"
		}
	}
	text += "@"
	for _, w := range p.At {
		text += [...]string{"0", "*", "k"}[w]
	}
	return text
}

// torusMove returns the constraints of a place. A channel inside the grid changes its
// coordinate by 1. A wraparound channel changes it by some number in the opposite direction.
func torusMove(dims int, p *Place) []Constraint {
	if !p.Wrap {
		return step(dims, p.Axis, p.Sign)
	}
	lo, hi := make([]int, dims), make([]int, dims)
	if p.Sign > 0 {
		lo[p.Axis], hi[p.Axis] = -free, -1
	} else {
		lo[p.Axis], hi[p.Axis] = 1, free
	}
	return change(lo, hi)
}

// follows reports whether a channel of place to can follow a channel of place from, by position
// and by virtual channel.
func (s *Space) follows(from, to int) bool {
	a, b := &s.Places[from], &s.Places[to]
	for i := range s.Dims {
		if i != b.Axis && a.At[i] != b.At[i] {
			return false
		}
	}
	tail, head := a.At[b.Axis], b.At[b.Axis]
	edge := [2]Where{High, Low}[(1-b.Sign)/2] // where a wraparound channel starts
	switch {
	case b.Wrap && tail != edge, !b.Wrap && tail == edge:
		return false
	case !b.Wrap && tail == opposite(edge) && head == tail, !b.Wrap && tail == Between && head == opposite(edge):
		return false
	}
	if s.VCs == 1 {
		return true
	}
	vc := b.VC
	switch {
	case a.Axis == b.Axis: // no turn
		return vc == 1 && (a.Wrap || a.VC == 1) || vc == 0 && !a.Wrap && a.VC == 0
	case s.Rule == "keep":
		return (a.Wrap || a.VC == 1) == (vc == 1)
	case s.Rule == "stop" && (a.Wrap || a.VC == 1), s.Rule == "nf+1" && (a.Wrap || a.VC == 1) && a.Axis == 0:
		return false
	}
	return vc == 0
}

// torusSteps returns the steps of a class turn. With one virtual channel, the step between a
// wraparound channel and the next channel of the same direction is a turn of its own.
func (s *Space) torusSteps(in, out int) (list []Step) {
	for from := range s.Places {
		for to := range s.Places {
			if s.Places[from].Direction == in && s.Places[to].Direction == out && s.follows(from, to) {
				list = append(list, Step{from, to})
			}
		}
	}
	return list
}

// wrapSymmetries adds the symmetries that exchange or reverse dimensions.
func (s *Space) wrapSymmetries(dims int) {
	for _, image := range axisImages(dims) {
		to := make([]int, len(s.Directions))
		for d := range to {
			axis := image[2*(d/4)+d%2]
			to[d] = 4*(axis/2) + axis%2 + d%4/2*2
		}
		s.Symmetries = append(s.Symmetries, to)
	}
}

// ruleSymmetries adds the symmetries of the mesh that preserve the rule. nf+1 treats x
// specially.
func (s *Space) ruleSymmetries(dims int) {
	for _, image := range axisImages(dims) {
		if s.Rule != "nf+1" || image[0]/2 == 0 {
			s.Symmetries = append(s.Symmetries, image)
		}
	}
}
