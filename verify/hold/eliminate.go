// Package hold decides by elimination whether those that hold places can wait for each other forever.
//
// A place is whatever can be full: a VC, a ring of VCs, a queue or a table of a host. A wait is at the place that it holds.
// It ends as soon as one of its alternatives has room at all of its places. A place with no waits is eliminated, and a wait
// ends when all places of one alternative are eliminated. A place is left if a set of waits, each of which needs places of the
// set in every alternative, could hold it. So no wait lasts forever if no place is left.
//
// Sources: J. Duato, IEEE TPDS 1996, for alternatives (OR); Y. H. Song and T. M. Pinkston, IEEE TPDS 2003, for hosts that need
// several queues (AND).
//
// Cost: O(places + places of all alternatives).
package hold

// Elimination collects waits and eliminates places. Places are numbered from 0.
type Elimination struct {
	blocked []int32   // by place: the waits there that have not ended
	users   [][]int32 // by place: the waits that an alternative of this place alone ends, as ^wait, and numbers of other alternatives that need it
	at      []int32   // by wait: its place
	ended   []bool    // by wait
	needs   []int32   // by alternative of several places: those that are not eliminated
	of      []int32   // by alternative of several places: its wait

	order []int32 // places that are eliminated
	left  []bool  // by place; nil before the first run
	done  int     // places of order whose users are served
}

// New returns an elimination of places without waits.
func New(places int) *Elimination {
	return &Elimination{blocked: make([]int32, places), users: make([][]int32, places)}
}

// Wait adds a wait at a place, and returns its number. It needs alternatives, or the place is left.
func (e *Elimination) Wait(at int32) (wait int32) {
	e.blocked[at]++
	e.at, e.ended = append(e.at, at), append(e.ended, false)
	return int32(len(e.at) - 1)
}

// One adds an alternative of one place to a wait.
func (e *Elimination) One(wait, place int32) { e.users[place] = append(e.users[place], ^wait) }

// All adds an alternative to a wait that needs all of these places. A place may occur twice. If there are none, the wait ends.
func (e *Elimination) All(wait int32, places []int32) {
	switch {
	case len(places) == 1:
		e.One(wait, places[0])
		return
	case len(places) == 0:
		e.End(wait)
		return
	}
	k := int32(len(e.of))
	e.needs, e.of = append(e.needs, int32(len(places))), append(e.of, wait)
	for _, p := range places {
		e.users[p] = append(e.users[p], k)
	}
}

// End ends a wait. It may be called between calls of Run.
func (e *Elimination) End(wait int32) {
	if e.ended[wait] {
		return
	}
	e.ended[wait] = true
	p := e.at[wait]
	if e.blocked[p]--; e.blocked[p] == 0 && e.left != nil && e.left[p] {
		e.left[p] = false
		e.order = append(e.order, p)
	}
}

// Run eliminates places until nothing changes. It returns them in order, and by place whether it is left. The places of gone are
// eliminated in any case; gone may be nil. A later call goes on after End, and ignores gone.
func (e *Elimination) Run(gone map[int32]bool) (order []int32, left []bool) {
	if e.left == nil {
		e.left = make([]bool, len(e.blocked))
		for p := range e.left {
			if e.left[p] = e.blocked[p] > 0 && !gone[int32(p)]; !e.left[p] {
				e.order = append(e.order, int32(p))
			}
		}
	}
	for ; e.done < len(e.order); e.done++ {
		for _, u := range e.users[e.order[e.done]] {
			if u < 0 {
				e.End(^u)
			} else if e.needs[u]--; e.needs[u] == 0 {
				e.End(e.of[u])
			}
		}
	}
	return e.order, e.left
}

// Ranks returns by place its rank in an order of elimination: the first one has the greatest rank, and a place that is not in the
// order has -1. So each wait has an alternative all of whose places have greater ranks than its own.
func Ranks(order []int32, places int) []int32 {
	ranks := make([]int32, places)
	for p := range ranks {
		ranks[p] = -1
	}
	for i, p := range order {
		ranks[p] = int32(len(order) - 1 - i)
	}
	return ranks
}
