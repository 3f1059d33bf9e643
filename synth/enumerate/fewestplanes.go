package enumerate

import (
	"context"
	"strings"

	"github.com/turnproof/turnproof/model/space"
)

// This file lists the sets that prohibit the fewest class turns on tori of three dimensions with one VC, from the sets of
// two dimensions.
//
// A turn is inner if both of its directions have the same dimension. A torus of three dimensions contains the tori of each two
// of its dimensions as slices. So the turns of a free set between directions of two dimensions are a free set there. Let f be
// the fewest inner turns of a dimension that a free set of two dimensions prohibits, and g the fewest other turns. Then a free
// set of N dimensions prohibits at least N f + N (N-1)/2 g turns. It prohibits no more only if it prohibits f and g turns in
// each dimension and in each two. These sets of two dimensions are maximal, so they are in the list of the border. All
// sets that join three of them are tried.

// fewestByPlanes returns the sets that reach the bound, and the bound. It returns no sets if none does.
func (e *Enumerator) fewestByPlanes(ctx context.Context) (found []space.Set, bound int, err error) {
	dims := e.Space.Dims
	flat, err := space.Parse("torus:2", space.Options{UTurns: e.Space.UTurns})
	if err != nil {
		return nil, 0, err
	}
	two, err := New(flat)
	if err != nil {
		return nil, 0, err
	}
	two.Progress = e.Progress
	b, err := two.Border(ctx, 0)
	if err != nil {
		return nil, 0, err
	}
	best, f, g := fewestOfPlane(flat, b.Maximal)
	bound = dims*f + dims*(dims-1)/2*g
	j := &join{Enumerator: e, ctx: ctx, seen: map[space.Set]bool{}}
	for a := range dims {
		for c := a + 1; c < dims; c++ {
			p, err := e.plane(flat, best, a, c)
			if err != nil {
				return nil, 0, err
			}
			j.planes = append(j.planes, p)
		}
	}
	j.from(0, e.Space.All(), space.Set{})
	sortSets(j.found)
	return j.found, bound, ctx.Err()
}

// fewestOfPlane returns the sets of two dimensions that prohibit the fewest inner turns in both dimensions, f, and the
// fewest other turns, g.
func fewestOfPlane(s *space.Space, maximal []space.Set) (best []space.Set, f, g int) {
	f, g = len(s.Turns), len(s.Turns)
	of := make([][3]int, len(maximal)) // inner turns of both dimensions, other turns
	for i, set := range maximal {
		for _, t := range s.All().Minus(set).List() {
			k := 2
			if in, out := s.Turns[t].In, s.Turns[t].Out; axisOf(s, in) == axisOf(s, out) {
				k = axisOf(s, in)
			}
			of[i][k]++
		}
		f, g = min(f, of[i][0], of[i][1]), min(g, of[i][2])
	}
	for i, set := range maximal {
		if of[i] == [3]int{f, f, g} {
			best = append(best, set)
		}
	}
	return best, f, g
}

// axisOf returns the dimension of a direction.
func axisOf(s *space.Space, direction int) int {
	return strings.Index("xyz", s.Directions[direction].Name[:1])
}

// plane has sets of the turns between directions of two dimensions.
type plane struct {
	all  space.Set
	sets []space.Set // allowed turns
}

// plane returns sets of two-dimensional tori as sets of turns of dimensions a and c.
func (e *Enumerator) plane(flat *space.Space, sets []space.Set, a, c int) (*plane, error) {
	names := strings.NewReplacer("x", "xyz"[a:a+1], "y", "xyz"[c:c+1])
	to := make([]int, len(flat.Turns))
	p := &plane{}
	for t, turn := range flat.Turns {
		set, err := e.Space.ParseSet(names.Replace(turn.Name))
		if err != nil {
			return nil, err
		}
		to[t] = set.List()[0]
		p.all = p.all.With(to[t])
	}
	for _, set := range sets {
		p.sets = append(p.sets, set.Map(to))
	}
	return p, nil
}

// join tries the sets that have one of the sets of each plane.
type join struct {
	*Enumerator
	ctx    context.Context
	planes []*plane
	seen   map[space.Set]bool // sets tried, with their images
	found  []space.Set
}

// from chooses the sets of planes k and later. set has the turns that no plane before prohibits, fixed the turns of
// these planes.
func (j *join) from(k int, set, fixed space.Set) {
	if j.ctx.Err() != nil {
		return
	}
	if k == len(j.planes) {
		j.try(set)
		return
	}
	p := j.planes[k]
	shared := p.all.Minus(p.all.Minus(fixed))
	for _, allowed := range p.sets {
		if agrees := shared.Minus(allowed) == shared.Minus(set); agrees {
			j.from(k+1, set.Minus(p.all.Minus(allowed)), fixed.Or(p.all))
		}
	}
}

// try adds a set and its images to the sets found if they are free and connected.
func (j *join) try(set space.Set) {
	if j.seen[set] {
		return
	}
	stands := j.Free(set) && j.Connected(set)
	for _, g := range j.Space.Symmetries {
		image := set.Map(j.Space.Image(g))
		if !j.seen[image] {
			if j.seen[image] = true; stands {
				j.found = append(j.found, image)
			}
		}
	}
	if j.Progress != nil {
		j.Progress("sets", len(j.found))
	}
}
