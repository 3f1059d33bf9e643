package minimum

import "slices"

// This file stores the learned clauses in an arena. A clause is visited only when one of its two
// watched literals becomes false (Chaff: M. Moskewicz et al., DAC 2001). Old clauses over many
// decision levels are deleted (Glucose: G. Audemard and L. Simon, IJCAI 2009).

// clause is a learned clause: n literals at index at of the arena.
type clause struct {
	at, n  int32
	number int32 // of its step in the proof
	lbd    int32
}

type watcher struct {
	clause  int32
	blocker literal
}

// watch visits the clauses that watch the negation of l, after l has become true. It returns false
// if one of them is false.
func (d *decider) watch(l literal) bool {
	wrong := l ^ 1
	list := d.watchers[wrong]
	kept := list[:0]
	for i := 0; i < len(list); i++ {
		w := list[i]
		if d.value[w.blocker] > 0 {
			kept = append(kept, w)
			continue
		}
		c := &d.clauses[w.clause]
		lits := d.arena[c.at : c.at+c.n]
		if lits[0] == wrong {
			lits[0], lits[1] = lits[1], wrong
		}
		first := lits[0]
		if first != w.blocker && d.value[first] > 0 {
			kept = append(kept, watcher{w.clause, first})
			continue
		}
		moved := false
		for k := 2; k < len(lits); k++ {
			if d.value[lits[k]] >= 0 {
				lits[1], lits[k] = lits[k], wrong
				d.watchers[lits[1]] = append(d.watchers[lits[1]], watcher{w.clause, first})
				moved = true
				break
			}
		}
		if moved {
			continue
		}
		kept = append(kept, watcher{w.clause, first})
		if d.value[first] < 0 {
			kept = append(kept, list[i+1:]...)
			d.watchers[wrong] = kept
			return d.fails(lits, c.number)
		}
		d.assign(first, w.clause)
	}
	d.watchers[wrong] = kept
	return true
}

// add stores a clause of at least two literals, watches the first two, and returns its index.
func (d *decider) add(lits []literal, number, lbd int32) int32 {
	i := int32(len(d.clauses))
	at := int32(len(d.arena))
	d.arena = append(d.arena, lits...)
	d.clauses = append(d.clauses, clause{at, int32(len(lits)), number, lbd})
	d.watchers[lits[0]] = append(d.watchers[lits[0]], watcher{i, lits[1]})
	d.watchers[lits[1]] = append(d.watchers[lits[1]], watcher{i, lits[0]})
	return i
}

// reduce deletes up to half of the clauses, those of highest lbd. It must be called at level 0.
func (d *decider) reduce() {
	if len(d.starts) > 0 {
		panic("minimum: clauses are dropped at level 0 only")
	}
	byUse := make([]int32, len(d.clauses))
	for i := range byUse {
		byUse[i] = int32(i)
	}
	slices.SortFunc(byUse, func(a, b int32) int { // ascending by number of levels, then the youngest first
		x, y := d.clauses[a], d.clauses[b]
		if x.lbd != y.lbd {
			return int(x.lbd - y.lbd)
		}
		return int(b - a)
	})
	drop := make([]bool, len(d.clauses))
	for _, i := range byUse[len(byUse)/2:] {
		if c := &d.clauses[i]; c.lbd > 2 {
			drop[i] = true
		}
	}
	old, arena := d.clauses, d.arena
	d.clauses, d.arena = nil, make([]literal, 0, len(arena))
	for l := range d.watchers {
		d.watchers[l] = d.watchers[l][:0]
	}
	for v := range d.reason {
		if d.reason[v] >= 0 {
			d.reason[v] = byDecision // at level 0 the unit clause is the reason
		}
	}
	for i, c := range old {
		lits := arena[c.at : c.at+c.n]
		if drop[i] {
			continue
		}
		satisfied := false
		for _, l := range lits {
			satisfied = satisfied || d.value[l] > 0
		}
		if satisfied {
			continue
		}
		// The first two literals are unassigned, since propagation is complete.
		d.add(lits, c.number, c.lbd)
	}
}
