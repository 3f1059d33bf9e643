package enumerate

import (
	"context"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model/space"
)

// This file finds both sides of the border of a monotone property of sets: the smallest sets that are bad, and
// the complements of the largest sets that are not. Every superset of a bad set is bad.
//
// The complement of a largest good set meets each smallest bad set, and is minimal in that (a minimal transversal).
// So a pass lists the minimal transversals of the bad sets known so far. If the complement of one is good, it is
// a largest good set. If it is bad, it contains a smallest bad set that was not known. A pass that finds no further
// bad set has found all. Sources: D. Gunopulos et al., Discovering all most specific sentences, ACM TODS 28(2), 2003
// (dualize and advance); K. Murakami and T. Uno, Efficient algorithms for dualizing large-scale hypergraphs,
// Discrete Applied Mathematics 170, 2014 (MMCS), for a pass.
// Cost: a pass takes time in proportion to the transversals, times the bad sets.

// Border separates the free sets from the others.
type Border struct {
	Maximal   []space.Set // in the order of Set.Less
	Conflicts []space.Set // in the order of Set.Less
	Complete  bool        // false if the limit was reached
}

// Border lists the maximal free sets and the conflicts. If limit is not 0, the search ends at that number of maximal sets, or a few
// more. If ctx ends, Border returns what it has found, and the error of ctx.
func (e *Enumerator) Border(ctx context.Context, limit int) (*Border, error) {
	b := e.whole
	if b == nil {
		b = e.border(func(set space.Set) bool { return !e.Free(set) })
		b.limit = limit
		if b.find(ctx) {
			e.whole = b
		}
	}
	found := &Border{Conflicts: slices.Clone(b.least), Complete: b == e.whole}
	for set := range b.most {
		found.Maximal = append(found.Maximal, set)
	}
	sortSets(found.Maximal)
	sortSets(found.Conflicts)
	return found, ctx.Err()
}

// border returns the border of a property of sets of turns that all symmetries keep.
func (e *Enumerator) border(bad func(space.Set) bool) *border {
	b := &border{n: len(e.Space.Turns), bad: bad}
	for _, g := range e.Space.Symmetries {
		b.images = append(b.images, e.Space.Image(g))
	}
	if e.Progress != nil {
		b.tell = func() { e.Progress("sets", len(b.least)+len(b.most)) }
	}
	return b
}

// Conflict returns a conflict within a set that is not free.
func (e *Enumerator) Conflict(set space.Set) space.Set {
	return (&border{bad: func(set space.Set) bool { return !e.Free(set) }}).shrink(set, false)
}

func sortSets(list []space.Set) {
	slices.SortFunc(list, func(a, b space.Set) int {
		if a.Less(b) {
			return -1
		}
		return 1
	})
}

// border is a monotone property with the two sides that are known.
type border struct {
	n      int // sets have elements 0 to n-1
	bad    func(space.Set) bool
	images [][]int            // permutations of the elements that keep the property
	least  []space.Set        // smallest bad sets
	most   map[space.Set]bool // largest good sets
	limit  int                // ends the search at this number of largest good sets; 0: no limit
	tell   func()             // called from time to time, if not nil
}

// find finds both sides, and reports whether they are complete. It ends early if ctx ends or the limit is reached.
func (b *border) find(ctx context.Context) (complete bool) {
	b.most = map[space.Set]bool{}
	for {
		// Small sets leave few choices.
		slices.SortStableFunc(b.least, func(x, y space.Set) int { return x.Len() - y.Len() })
		p := newPass(ctx, b)
		p.from(p.edges(len(b.least)), nil)
		b.add(p.fresh)
		switch {
		case ctx.Err() != nil || b.full():
			return false
		case len(p.fresh) == 0:
			return true
		}
	}
}

// full reports whether the limit is reached.
func (b *border) full() bool { return b.limit > 0 && len(b.most) >= b.limit }

// add adds smallest bad sets and their images.
func (b *border) add(list []space.Set) {
	known := map[space.Set]bool{}
	for _, set := range b.least {
		known[set] = true
	}
	for _, set := range list {
		for _, to := range b.images {
			if image := set.Map(to); !known[image] {
				known[image] = true
				b.least = append(b.least, image)
			}
		}
	}
}

// shrink returns a smallest bad set within a bad set. It leaves out elements in ascending order, or in descending order.
func (b *border) shrink(set space.Set, descending bool) space.Set {
	list := set.List()
	if descending {
		slices.Reverse(list)
	}
	for _, k := range list {
		if less := set.Without(k); b.bad(less) {
			set = less
		}
	}
	return set
}

// pass lists the minimal transversals of the smallest bad sets that are known when it begins.
type pass struct {
	*border
	ctx    context.Context
	of     [][]uint64  // by element: the bad sets with it, a bit for each
	chosen space.Set   // elements of the transversal so far
	barred space.Set   // elements that other branches choose
	fresh  []space.Set // further smallest bad sets
	seen   map[space.Set]bool
	enough int // ends the pass at this number of further bad sets
	visits int
}

func newPass(ctx context.Context, b *border) *pass {
	p := &pass{border: b, ctx: ctx, of: make([][]uint64, b.n), seen: map[space.Set]bool{}, enough: 1 + len(b.least)/len(b.images)}
	for k := range p.of {
		p.of[k] = make([]uint64, (len(b.least)+63)/64)
	}
	for i, set := range b.least {
		for _, k := range set.List() {
			p.of[k][i/64] |= 1 << (i % 64)
		}
	}
	return p
}

// edges returns the first k bad sets, a bit for each.
func (p *pass) edges(k int) []uint64 {
	list := make([]uint64, (k+63)/64)
	for i := range k {
		list[i/64] |= 1 << (i % 64)
	}
	return list
}

// ended reports whether the pass ends early.
func (p *pass) ended() bool {
	if p.visits++; p.visits%1024 == 0 && p.tell != nil {
		p.tell()
	}
	return len(p.fresh) >= p.enough || p.full() || p.visits%1024 == 0 && p.ctx.Err() != nil
}

// critical has the bad sets that a chosen element meets and no other does, a bit for each.
type critical []uint64

// from lists the transversals with the chosen elements. open has the bad sets that none of them meets, only has
// their critical sets.
func (p *pass) from(open []uint64, only []critical) {
	if p.ended() {
		return
	}
	free := p.smallest(open)
	if free == nil {
		p.take()
		return
	}
	list := free.List()
	for _, k := range list {
		p.barred = p.barred.With(k)
	}
	for _, k := range list {
		if next := p.choose(k, open, only); next != nil {
			p.chosen = p.chosen.With(k)
			p.from(minus(open, p.of[k]), next)
			p.chosen = p.chosen.Without(k)
		}
		p.barred = p.barred.Without(k)
	}
}

// mostCompared is the largest number of open bad sets that smallest compares.
const mostCompared = 64

// smallest returns the elements that may be chosen from an open bad set, or nil if none is open. It takes the set with the
// fewest such elements.
func (p *pass) smallest(open []uint64) *space.Set {
	var best *space.Set
	least, compared := p.n+1, 0
	for i, w := range open {
		for ; w != 0; w &= w - 1 {
			set := p.least[64*i+bits.TrailingZeros64(w)].Minus(p.barred)
			if k := set.Len(); k < least {
				best, least = &set, k
			}
			if compared++; least <= 1 || compared == mostCompared {
				return best
			}
		}
	}
	return best
}

// choose returns the critical sets with element k chosen too, or nil if some chosen element has none left.
func (p *pass) choose(k int, open []uint64, only []critical) []critical {
	next := make([]critical, 0, len(only)+1)
	for _, c := range only {
		left := minus(c, p.of[k])
		if !slices.ContainsFunc(left, func(w uint64) bool { return w != 0 }) {
			return nil
		}
		next = append(next, left)
	}
	mine := make(critical, len(open))
	for i := range mine {
		mine[i] = open[i] & p.of[k][i]
	}
	return append(next, mine)
}

func minus(a, b []uint64) []uint64 {
	list := make([]uint64, len(a))
	for i := range a {
		list[i] = a[i] &^ b[i]
	}
	return list
}

// take decides the complement of a transversal.
func (p *pass) take() {
	var set space.Set
	for k := range p.n {
		if !p.chosen.Has(k) {
			set = set.With(k)
		}
	}
	if p.most[set] {
		return
	}
	if !p.bad(set) {
		for _, to := range p.images {
			p.most[set.Map(to)] = true
		}
		return
	}
	for _, descending := range []bool{false, true} {
		if less := p.shrink(set, descending); !p.seen[less] {
			for _, to := range p.images {
				p.seen[less.Map(to)] = true
			}
			p.fresh = append(p.fresh, less)
		}
	}
}
