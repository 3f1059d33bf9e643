package cert

import "slices"

// This file judges a proof that no worms block each other (evidence "no-worms"). It is the specification of
// the evidence, with wormstates.go, which numbers states and edges.
//
// Theorem. Let a worm be a packet that lies on a path of states, a VC each, and waits at its head. A
// deadlock is worms that can all reach their places from the empty network, such that no VC is held
// twice and each worm waits only for VCs that are held. If the clauses below have no model, no
// run reaches a deadlock.
//
// Variables, by number, from 1 on: for each VC between switches, h (it is held); for each state, x (a worm lies on
// it); for each edge, e (a worm lies on its first state, and directly ahead on its second).
//
// Clauses of kind 0, which follow from the relation:
//
//	some h;
//	h of a VC implies x of one of its states;
//	e implies x of both its states;
//	x of a state implies e of one of its edges, or that the head waits there: in a state that permits
//	ejection, or has no hops, never; in a state that commits to one of several hops, h of one of the
//	next VCs; in other states, h of each next VC.
//
// Steps is a list of clauses. Each has its kind, the number of its literals, and the literals:
//
//	0: it follows from the clauses before it by unit propagation;
//	1: two literals -x of different states on one VC, or two literals -e of different edges into one state;
//	2: literals -e of edges, which form paths, and -x of states outside of these paths. Worms that lie on these
//	   paths and states, and hold just their VCs, cannot come there together (wormback.go);
//	3: literals -e of edges that form a ring;
//	4: literals -e of edges that form one path, on which no packet can lie by the facts of the subject (canHold).
//
// The last step is an empty clause of kind 0.
//
// Proof. Take a deadlock that a run reaches, and let x, e and h be true as the words above say. Each worm holds
// its VCs alone, so two states of one VC are not both used, and a state has one worm, which came by
// one edge. A worm is a path and no ring. The head of a worm waits, so all VCs that it may take are held, by worms of the
// deadlock: else it could move in some continuation. The flits of a worm fill its VCs but the last one, so clauses of kind 4
// hold. Longer worms contain shorter ones: if worms that hold just the
// paths of kind 2 cannot come there together, no deadlock contains these paths. For take a run to such a deadlock, remove
// the other worms, and stop each head at the end of its path. This only frees VCs. So all clauses are
// true in the deadlock.
//
// Premises: a VC holds flits of one packet at a time. Buffers between switches have the same size, so that
// a packet whose flits fill k of them never lies on fewer than k, or than its path has. Packets may
// have any length.

// The kinds of steps, besides stepDerived.
const (
	stepPair  = 1
	stepApart = 2
	stepRing  = 3
	stepLong  = 4
)

// noWorms judges the evidence no-worms.
func (r *Routing) noWorms(claim *Claim) error {
	if r.Certificate.Subject.Switching != "wormhole" {
		return Reject(claim.Claim, "worms block each other under wormhole switching only")
	}
	if r.groups != nil {
		return Reject(claim.Claim, "a proof about worms proves nothing about multicast packets")
	}
	w := r.places.join(r.LinkVCs())
	p := &wormProof{wormStates: w, claim: claim.Claim, clauses: newClauses(w.vcs + len(w.at) + len(w.to))}
	p.canHold = func(vcs []int32) bool { return r.Certificate.Subject.Facts.canHold(vcs, int(r.VCs)) }
	p.addRelation()
	return judgeSteps(p.claim, p.clauses, *claim.Steps, p.isShown)
}

// wormProof is a proof that is judged.
type wormProof struct {
	*wormStates
	*clauses
	claim   string
	canHold func(vcs []int32) bool // a blocked packet can hold these VCs, that of its tail first
	single  bool                   // packets hold one VC each (unreachable.go), so no clause has edges
}

func (p *wormProof) held(vc int32) int32 { return vc + 1 }
func (p *wormProof) lies(i int32) int32  { return int32(p.vcs) + i + 1 }
func (p *wormProof) goes(e int32) int32  { return int32(p.vcs+len(p.at)) + e + 1 }

// stateOf returns the state of a literal -x.
func (p *wormProof) stateOf(l int32) (i int32, ok bool) {
	i = -l - int32(p.vcs) - 1
	return i, l < 0 && i >= 0 && int(i) < len(p.at)
}

// edgeOf returns the edge of a literal -e.
func (p *wormProof) edgeOf(l int32) (e int32, ok bool) {
	e = -l - int32(p.vcs+len(p.at)) - 1
	return e, l < 0 && !p.single && e >= 0 && int(e) < len(p.to)
}

// addHeld adds the clauses that some VC is held, and that a packet lies on each held VC.
func (p *wormProof) addHeld() {
	var some []int32
	for vc := range int32(p.vcs) {
		some = append(some, p.held(vc))
		clause := []int32{-p.held(vc)}
		for _, i := range p.on[vc] {
			clause = append(clause, p.lies(i))
		}
		p.add(clause)
	}
	p.add(some)
}

// addRelation adds the clauses of kind 0.
func (p *wormProof) addRelation() {
	p.addHeld()
	for i := range int32(len(p.at)) {
		clause := []int32{-p.lies(i)}
		for e := p.first[i]; e < p.first[i+1]; e++ {
			p.add([]int32{-p.goes(e), p.lies(i)})
			p.add([]int32{-p.goes(e), p.lies(p.to[e])})
			clause = append(clause, p.goes(e))
		}
		vcs := p.nextVCs(i)
		for _, vc := range vcs {
			if p.commits[i] {
				clause = append(clause, p.held(vc))
			} else if !p.leaves[i] {
				p.add(append(slices.Clone(clause), p.held(vc)))
			}
		}
		if p.commits[i] || p.leaves[i] {
			p.add(clause)
		}
	}
}

// isShown judges a step of a kind of its own.
func (p *wormProof) isShown(kind int32, literals []int32) bool {
	switch kind {
	case stepPair:
		return !p.single && p.isPair(literals)
	case stepApart:
		return p.isApart(literals)
	case stepRing:
		return !p.single && p.isRing(literals)
	case stepLong:
		return !p.single && p.isLong(literals)
	}
	return false
}

// isLong judges a clause of kind 4.
func (p *wormProof) isLong(literals []int32) bool {
	next, alone, ok := p.follow(literals)
	if !ok || len(alone) > 0 || len(next) == 0 {
		return false
	}
	entered := map[int32]bool{}
	for _, to := range next {
		entered[to] = true
	}
	for from := range next {
		if entered[from] {
			continue
		}
		vcs := []int32{p.at[from]}
		for at, goes := next[from]; goes; at, goes = next[at] {
			vcs = append(vcs, p.at[at])
		}
		return len(vcs) == len(next)+1 && !p.canHold(vcs)
	}
	return false // a ring
}

// isPair judges a clause of kind 1. The literals differ.
func (p *wormProof) isPair(literals []int32) bool {
	if len(literals) != 2 {
		return false
	}
	i, ok := p.stateOf(literals[0])
	k, both := p.stateOf(literals[1])
	if ok && both {
		return p.at[i] == p.at[k]
	}
	a, ok := p.edgeOf(literals[0])
	b, both := p.edgeOf(literals[1])
	return ok && both && p.to[a] == p.to[b]
}

// follow returns, by state, the state that an edge of the clause leads to. It rejects a clause with other literals
// than -e, unless they are literals -x, which it returns. No two edges leave or enter one state.
func (p *wormProof) follow(literals []int32) (next map[int32]int32, alone []int32, ok bool) {
	next = map[int32]int32{}
	entered := map[int32]bool{}
	for _, l := range literals {
		if i, isState := p.stateOf(l); isState {
			alone = append(alone, i)
			continue
		}
		e, isEdge := p.edgeOf(l)
		if !isEdge {
			return nil, nil, false
		}
		from, to := p.from[e], p.to[e]
		if _, twice := next[from]; twice || entered[to] {
			return nil, nil, false
		}
		next[from], entered[to] = to, true
	}
	return next, alone, true
}

// isRing judges a clause of kind 3.
func (p *wormProof) isRing(literals []int32) bool {
	next, alone, ok := p.follow(literals)
	if !ok || len(alone) > 0 || len(next) == 0 {
		return false
	}
	first, _ := p.edgeOf(literals[0])
	at, steps := p.to[first], 1
	for at != p.from[first] {
		to, goes := next[at]
		if !goes {
			return false
		}
		at = to
		steps++
	}
	return steps == len(next)
}

// isApart judges a clause of kind 2.
func (p *wormProof) isApart(literals []int32) bool {
	next, alone, ok := p.follow(literals)
	if !ok {
		return false
	}
	entered := map[int32]bool{}
	for _, to := range next {
		entered[to] = true
	}
	var worms [][]int32
	for _, i := range alone {
		worms = append(worms, []int32{i})
	}
	for _, l := range literals {
		e, isEdge := p.edgeOf(l)
		if !isEdge || entered[p.from[e]] {
			continue
		}
		worm := []int32{p.from[e]}
		for to, goes := next[p.from[e]]; goes; to, goes = next[to] {
			worm = append(worm, to)
		}
		worms = append(worms, worm)
	}
	states, vcs := 0, map[int32]bool{}
	for _, worm := range worms {
		for _, i := range worm {
			states++
			vcs[p.at[i]] = true
		}
	}
	// A ring has no first state, so its states are missing.
	if len(vcs) != states || states != len(next)+len(worms) {
		return false
	}
	return p.areApart(worms)
}
