package cert

import "slices"

// This file opens a subject with a table or a relation. It rebuilds the network,
// validates the routing and enumerates all reachable states. Every dependency is
// compared with the ranks of the claims while the states are enumerated. The
// judges in acyclic.go, deadlock.go, connected.go and livelock.go work on the result.

// Routing is an opened subject with a table or a relation. Next, Traffic and the
// methods on states are those of the table or relation.
type Routing struct {
	Certificate *Certificate
	*Wiring
	forwarding
	*facts             // nil before Enumerate
	groups *multicast  // nil if the subject has no multicast groups
	places *wormStates // nil if no claim has the evidence no-worms or unreachable
}

// OpenRouting rebuilds the network of c and validates its table or relation.
func OpenRouting(c *Certificate) (*Routing, error) {
	wires, err := Rebuild(&c.Subject.Network)
	if err != nil {
		return nil, err
	}
	r := &Routing{Certificate: c, Wiring: wires}
	if slices.ContainsFunc(c.Claims, func(claim Claim) bool {
		return claim.Evidence == EvidenceNoWorms || claim.Evidence == EvidenceUnreachable
	}) {
		r.places = &wormStates{}
	}
	if c.Subject.Table != nil {
		r.forwarding, err = newTable(c.Subject.Table, wires)
		return r, err
	}
	if c.Blocks != nil {
		list, err := newStreamed(c, wires)
		if err != nil {
			return nil, err
		}
		list.worms, r.forwarding = r.places, list
		return r, nil
	}
	list, err := newListed(&c.Subject, wires)
	if err != nil {
		return nil, err
	}
	list.worms, r.forwarding = r.places, list
	return r, nil
}

// Enumerate visits all reachable states and compares every dependency with the
// ranks of the claims.
func (r *Routing) Enumerate() error {
	orders, err := orderings(r.Certificate.Claims, r.Wiring)
	if err != nil {
		return err
	}
	escape, err := escapeOf(r.Certificate, r.Wiring)
	if err != nil {
		return err
	}
	if r.facts, err = r.enumerate(orders, escape); err != nil {
		return err
	}
	if r.groups, err = newMulticast(&r.Certificate.Subject, r.Wiring, r.forwarding); err != nil || r.groups == nil {
		return err
	}
	return r.groups.enumerate(orders)
}

// opened returns r. A struct that embeds a *Routing has this method as well, so
// the judges of this package can judge it.
func (r *Routing) opened() *Routing { return r }

// StatesTo returns the numbers of the states to destination d: from lo up to, not including, hi.
// The subject must have a relation that lists its states; so must that of State, Hops and Find.
func (r *Routing) StatesTo(d int) (lo, hi int) {
	rel := r.forwarding.(*listed)
	return rel.firstOf[d], rel.firstOf[d+1]
}

// State returns state i.
func (r *Routing) State(i int) State { return r.forwarding.(*listed).key(i) }

// Hops returns the next hops of state i: VC and class of each in turn.
func (r *Routing) Hops(i int) []int32 { return r.forwarding.(*listed).hops(i) }

// Find returns the number of a state among the states from lo up to hi, or -1.
func (r *Routing) Find(lo, hi int, s State) int { return r.forwarding.(*listed).find(lo, hi, s) }

// orderings returns the ranks that the enumeration compares with dependencies.
func orderings(claims []Claim, wires *Wiring) ([]order, error) {
	var list []order
	for i := range claims {
		c := &claims[i]
		if c.Evidence != EvidenceNumbering && c.Evidence != EvidenceElimination {
			continue
		}
		if err := CheckPermutation(c, wires.LinkVCs()); err != nil {
			return nil, err
		}
		list = append(list, order{c.Claim, *c.Ranks, c.Evidence == EvidenceNumbering})
	}
	return list, nil
}

// CheckPermutation rejects a claim unless its ranks are a permutation of 0..n-1, where
// n is the number of VCs between switches.
func CheckPermutation(c *Claim, n int) error {
	if len(*c.Ranks) != n {
		return Reject(c.Claim, "%d ranks for %d VCs between switches", len(*c.Ranks), n)
	}
	taken := make([]bool, len(*c.Ranks))
	for vc, rank := range *c.Ranks {
		if rank < 0 || int(rank) >= len(taken) {
			return Reject(c.Claim, "rank %d of VC %d is not in 0..%d", rank, vc, len(taken)-1)
		}
		if taken[rank] {
			return Reject(c.Claim, "rank %d of VC %d is that of another VC too", rank, vc)
		}
		taken[rank] = true
	}
	return nil
}

// Talks reports whether endpoint e, a source, sends packets to destination d of another endpoint.
func (r *Routing) Talks(e, d int32) bool {
	sources, _ := r.Traffic()
	return int(e) < sources && r.talks(e, d)
}

// Injections returns the classes with which endpoint e may send to destination d of another endpoint.
func (r *Routing) Injections(e, d int) (list []int32) {
	sources, ends := r.Traffic()
	if e >= sources || int(ends[d]) == e || !r.talks(int32(e), int32(d)) {
		return nil
	}
	classes := int32(classesMax)
	if rel := r.Certificate.Subject.Relation; rel != nil {
		classes = int32(rel.Classes)
	}
	for k := range classes {
		if r.starts(e, d, k) {
			list = append(list, k)
		}
	}
	return list
}

// Commits reports whether a packet to destination d waits in a state for one next hop, which can be any of them.
func (r *Routing) Commits(d int, at State) bool { return r.commits(d, at) }
