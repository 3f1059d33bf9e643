package enumerate

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/family"
)

// This file represents the sets to be counted as sequences of choices.

// Choices selects the sets of class turns to be counted.
type Choices string

// The values of Choices.
const (
	All         Choices = "all"           // every set
	OnePerCycle Choices = "one-per-cycle" // one turn of each basic cycle is prohibited, all others are allowed
	Maximal     Choices = "maximal"       // free sets to which no turn can be added
	Fewest      Choices = "fewest"        // free and connected sets with the fewest prohibited turns
)

// Kind is a value of Choices with its description.
type Kind struct {
	Name  Choices
	About string
}

// Kinds returns all values of Choices.
func Kinds() []Kind {
	return []Kind{
		{All, "every turn is allowed or prohibited"},
		{OnePerCycle, "one turn of each basic cycle is prohibited"},
		{Maximal, "deadlock-free, and no turn can be added"},
		{Fewest, "deadlock-free, connected, and the fewest turns prohibited"},
	}
}

// Find returns the kind of a name.
func Find(name string) (Kind, error) {
	return registry.Find("kind of sets", name, Kinds(), func(k Kind) string { return string(k.Name) })
}

// Enumerator counts and lists the sets of a space. It is not safe for concurrent use.
type Enumerator struct {
	Space   *space.Space
	Decider *family.Decider
	fast    *family.Fast
	con     *family.Connector
	whole   *border // between the free sets and the others, if it is known
	// Progress, if not nil, is called by long computations from time to time: found is their number, what is what they have found.
	Progress func(what string, found int)
}

// New returns an enumerator for a space.
func New(s *space.Space) (*Enumerator, error) {
	con, err := family.NewConnector(s)
	if err != nil {
		return nil, err
	}
	d := family.New(s)
	return &Enumerator{Space: s, Decider: d, fast: family.NewFast(d), con: con}, nil
}

// Free reports whether a set closes no cycle on any network of the family.
func (e *Enumerator) Free(set space.Set) bool { return e.fast.Acyclic(set) }

// Connected reports whether a set keeps all pairs connected on every network.
func (e *Enumerator) Connected(set space.Set) bool { return e.con.Connected(set) }

// Connector returns the object that explains why a set is not connected.
func (e *Enumerator) Connector() *family.Connector { return e.con }

// point is one choice: for each option, the turns that it allows.
type point []space.Set

// points returns the choices for OnePerCycle. Different sequences of options give different sets.
func (e *Enumerator) points() ([]point, error) {
	s := e.Space
	switch {
	case s.Basic == nil:
		return nil, fmt.Errorf("enumerate: %s has no basic cycles to choose from; --choices maximal lists the largest sets", s.Name)
	case s.Kind == space.HV:
		return nil, errOverlap
	}
	return cyclePoints(s, nil), nil
}

// errOverlap means that basic cycles share turns, so different choices could give the same set.
var errOverlap = errors.New("enumerate: basic cycles overlap")

// orbits returns the orbits of 0..n-1 under a permutation. If to is nil, it is the identity.
func orbits(n int, to []int) (list [][]int) {
	seen := make([]bool, n)
	for i := range n {
		var orbit []int
		for k := i; !seen[k]; {
			seen[k] = true
			orbit = append(orbit, k)
			if to != nil {
				k = to[k]
			}
		}
		if orbit != nil {
			list = append(list, orbit)
		}
	}
	return list
}

// cyclePoints returns a choice for each basic cycle: which of its turns is prohibited. With a
// permutation of turns, it returns only choices that are invariant under it.
func cyclePoints(s *space.Space, to []int) (points []point) {
	number := make([]int, len(s.Turns)) // by turn: its basic cycle
	for c, cycle := range s.Basic {
		for _, t := range cycle {
			number[t] = c
		}
	}
	var image []int
	if to != nil {
		image = make([]int, len(s.Basic))
		for c, cycle := range s.Basic {
			image[c] = number[to[cycle[0]]]
		}
	}
	for _, orbit := range orbits(len(s.Basic), image) {
		var all space.Set
		for _, c := range orbit {
			for _, t := range s.Basic[c] {
				all = all.With(t)
			}
		}
		var p point
		for _, t := range s.Basic[orbit[0]] {
			var prohibited space.Set
			for k := t; !prohibited.Has(k); {
				if prohibited = prohibited.With(k); to == nil {
					break
				}
				k = to[k]
			}
			if prohibited.Len() == len(orbit) { // one turn of each cycle
				p = append(p, all.Minus(prohibited))
			}
		}
		points = append(points, p)
	}
	return points
}

// base returns the turns that are always allowed: those in no basic cycle.
func (e *Enumerator) base() (base space.Set) {
	base = e.Space.All()
	for _, cycle := range e.Space.Basic {
		for _, t := range cycle {
			base = base.Without(t)
		}
	}
	return base
}

// ways returns the product of the numbers of options.
func ways(points []point) *big.Int {
	k := big.NewInt(1)
	for _, p := range points {
		k.Mul(k, big.NewInt(int64(len(p))))
	}
	return k
}

// Choose returns the number of sets with one turn of each basic cycle prohibited. It lists them,
// in the order of the choices, if there are at most most.
func (e *Enumerator) Choose(most int) (sets *big.Int, list []space.Set, err error) {
	points, err := e.points()
	overlap := errors.Is(err, errOverlap)
	if overlap {
		points = nil
		for _, cycle := range e.Space.Basic {
			var p point
			for _, t := range cycle {
				p = append(p, e.Space.All().Without(t))
			}
			points = append(points, p)
		}
	} else if err != nil {
		return nil, nil, err
	}
	if sets = ways(points); !overlap && sets.Cmp(big.NewInt(int64(most))) > 0 {
		return sets, nil, nil
	}
	seen := map[space.Set]bool{}
	var choose func(i int, set space.Set)
	choose = func(i int, set space.Set) {
		if i == len(points) {
			if !seen[set] {
				seen[set] = true
				list = append(list, set)
			}
			return
		}
		for _, option := range points[i] {
			if overlap {
				choose(i+1, set.Minus(e.Space.All().Minus(option)))
			} else {
				choose(i+1, set.Or(option))
			}
		}
	}
	start := e.base()
	if overlap {
		start = e.Space.All()
	}
	choose(0, start)
	return big.NewInt(int64(len(list))), list, nil
}
