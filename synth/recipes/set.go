package recipes

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	judge "github.com/turnproof/turnproof/verify/cert/recipes"
)

// Pair is a source with a destination.
type Pair struct {
	Source model.HostID
	Dest   model.HostID
}

// Set is a routing under which recipes are decided. It keeps the paths that it has computed.
type Set struct {
	rel   model.Relation
	n     *model.Network
	ring  []int32 // by VC: its protected ring, or -1; nil without rings
	next  []int32
	dests map[model.HostID]model.DestID
	paths map[Pair][]int32
	edges map[[2]int32]int32 // number of each dependency
	ends  [][2]int32         // by number
	steps map[Pair][]int32   // numbers of the dependencies of a path
}

// New returns a set. rings are those of flow control, or nil. A ring with an entry that is off is not protected.
func New(r model.Relation, rings *bubble.Rings, unprotected func(ring int) bool) (*Set, error) {
	s := &Set{rel: r, n: r.Network(), dests: map[model.HostID]model.DestID{}, paths: map[Pair][]int32{}, edges: map[[2]int32]int32{}, steps: map[Pair][]int32{}}
	for d := range model.DestID(r.Destinations()) {
		h := r.DestinationHost(d)
		if _, ok := s.dests[h]; ok {
			return nil, errors.New("a host has several addresses, so a pair has several paths")
		}
		s.dests[h] = d
	}
	if rings == nil {
		return s, nil
	}
	s.ring, s.next = make([]int32, s.n.NumLinkVCs()), make([]int32, s.n.NumLinkVCs())
	for v := range s.ring {
		s.ring[v] = -1
	}
	for k, list := range rings.List {
		if unprotected(k) {
			continue
		}
		for i, v := range list {
			s.ring[v], s.next[v] = int32(k), int32(list[(i+1)%len(list)])
		}
	}
	return s, nil
}

// Path returns the VCs between switches of the packets of a pair. It fails if the pair has no path, or a choice of paths.
func (s *Set) Path(p Pair) ([]int32, error) {
	if path, ok := s.paths[p]; ok {
		return path, nil
	}
	d, ok := s.dests[p.Dest]
	if !ok || p.Source == p.Dest {
		return nil, fmt.Errorf("no packet goes from %s to %s", s.n.HostLabel(p.Source), s.n.HostLabel(p.Dest))
	}
	classes := s.rel.Inject(p.Source, d, nil)
	if len(classes) != 1 {
		return nil, fmt.Errorf("packets from %s to %s have %d classes; want 1", s.n.HostLabel(p.Source), s.n.HostLabel(p.Dest), len(classes))
	}
	at, path := model.InjectState(s.rel, p.Source, d, classes[0]), []int32(nil)
	for range s.n.NumVCs()*s.rel.Classes() + 1 {
		hops := s.rel.Next(at, nil)
		if len(hops) != 1 {
			return nil, fmt.Errorf("a packet from %s to %s has %d next hops; want 1, one path for each pair", s.n.HostLabel(p.Source),
				s.n.HostLabel(p.Dest), len(hops))
		}
		if !s.n.IsLinkVC(hops[0].VC) {
			s.paths[p] = path
			return path, nil
		}
		path = append(path, int32(hops[0].VC))
		at = model.State{VC: hops[0].VC, Dest: d, Class: hops[0].Class}
	}
	return nil, fmt.Errorf("a packet from %s to %s goes round for ever", s.n.HostLabel(p.Source), s.n.HostLabel(p.Dest))
}

// dependencies returns the numbers of the dependencies of a pair.
func (s *Set) dependencies(p Pair) ([]int32, error) {
	if list, ok := s.steps[p]; ok {
		return list, nil
	}
	path, err := s.Path(p)
	if err != nil {
		return nil, err
	}
	list := make([]int32, 0, len(path))
	for i := 1; i < len(path); i++ {
		key := [2]int32{path[i-1], path[i]}
		n, ok := s.edges[key]
		if !ok {
			n = int32(len(s.ends))
			s.edges[key], s.ends = n, append(s.ends, key)
		}
		list = append(list, n)
	}
	s.steps[p] = list
	return list, nil
}

// Add computes the paths of pairs. Decide may then be called for them from several goroutines at a time.
func (s *Set) Add(pairs []Pair) error {
	for _, p := range pairs {
		if _, err := s.dependencies(p); err != nil {
			return err
		}
	}
	return nil
}

// recipe returns pairs in the form of the judge.
func (s *Set) recipe(pairs []Pair) (*judge.Recipe, error) {
	r := &judge.Recipe{VCs: s.n.NumLinkVCs(), Ring: s.ring, Next: s.next}
	for _, p := range pairs {
		path, err := s.Path(p)
		if err != nil {
			return nil, err
		}
		r.Paths = append(r.Paths, path)
	}
	return r, nil
}

// isMove reports whether dependency e goes to the next VC of a protected ring.
func (s *Set) isMove(e int32) bool {
	v, w := s.ends[e][0], s.ends[e][1]
	return s.ring != nil && s.ring[v] >= 0 && s.ring[v] == s.ring[w] && s.next[v] == w
}

// Answer is the answer for a recipe.
type Answer struct {
	Cycle []model.VCID // a shortest harmful cycle, or nil
	Drop  []int        // pairs by their places in the recipe, without which no such cycle is left
	Least int          // no set of fewer pairs does that; proved by the judge
	// Bound is the steps of the evidence for Least (cert.EvidenceFewestPairs), if the pairs are in the order of their sources, then of their
	// destinations.
	Bound []int32
}

// Decide decides a recipe. The search for the fewest pairs ends with the context limit; then Least can be below len(Drop).
func (s *Set) Decide(ctx, limit context.Context, pairs []Pair) (*Answer, error) {
	g, err := s.graph(pairs)
	if err != nil {
		return nil, err
	}
	a := &Answer{Cycle: g.shortest()}
	r, err := s.recipe(pairs)
	if err != nil {
		return nil, err
	}
	if a.Cycle == nil {
		return a, g.judge(r, nil)
	}
	cycle := make([]int32, len(a.Cycle))
	for i, v := range a.Cycle {
		cycle[i] = int32(v)
	}
	if err := judge.JudgeCycle(r, cycle); err != nil {
		return nil, fmt.Errorf("internal error: %w", err)
	}
	f := &finder{graph: g, recipe: r, pairs: pairs}
	if err := f.find(limit); err != nil {
		return nil, err
	}
	a.Drop, a.Least, a.Bound = f.best, f.proved, f.bound.Evidence()
	return a, ctx.Err()
}
