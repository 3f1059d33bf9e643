package agree

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file judges a case by a search over all states of the network.

// Limits of the search. Worms of up to mostWorm VCs are tried, and as long ones as verify shows.
const (
	mostWorm   = 6
	mostShapes = 20_000
	mostVisits = 50_000
)

// askStates answers from all states of the network, if they are few enough. A packet under virtual
// cut-through or store-and-forward is a worm of one VC. Each packet of a refutation must be able to
// get to its place alone.
func askStates(ctx context.Context, s *subject) (a answers, err error) {
	most := 1
	if s.c.Switching == "wormhole" {
		most = mostWorm
	}
	most = longestWorm(longestWorm(most, s.rep), s.flat)
	all := newShapes(s.w, most, mostShapes, false)
	if all.full {
		return a, nil
	}
	for _, rep := range []*verify.Report{s.rep, s.flat} {
		if i := all.notAlone(s.rel.Network(), rep); i >= 0 {
			return a, fmt.Errorf("packet %d of the deadlock cannot get to its place in an empty network", i)
		}
	}
	switch found := all.backward(ctx, mostVisits); {
	case found.reached:
		a[deadlockFree] = refuted
	case found.complete && s.c.Switching != "wormhole":
		a[deadlockFree] = proved // for VCs that hold one packet at a time
	case found.complete:
		a[deadlockFree] = notFrozen
	}
	return a, nil
}

// unlessUnreached returns v, the answer of a judge that looks for VCs whose packets block each other. If verify
// proves that such packets exist and that none of these sets is reached, the judge has no answer: askStates has.
func (s *subject) unlessUnreached(v verdict) verdict {
	for _, rep := range []*verify.Report{s.rep, s.flat} {
		if v == refuted && (rep.DeadlockFree.ByUnreachable() || rep.DeadlockFree.ByNoWorms()) {
			return ""
		}
	}
	return v
}

// longestWorm returns the number of VCs of the longest worm of a refutation, and at least most.
func longestWorm(most int, rep *verify.Report) int {
	for _, held := range rep.Holds {
		most = max(most, held)
	}
	return most
}

// notAlone returns the first packet of a deadlock that cannot get to its place alone, or -1.
func (s *shapes) notAlone(n *model.Network, rep *verify.Report) int {
	if rep.Graph == nil { // its packets are on a line of the grid
		return -1
	}
	for i, p := range rep.Configuration {
		held := p.Path[len(p.Path)-heldBy(rep, i):]
		if !slices.ContainsFunc(s.list, func(x shape) bool {
			return x.length == len(held) && len(x.body) == len(held) && s.w.dest[x.body[0]] == int(p.Dest) && s.lie(x, n, held)
		}) {
			return i
		}
	}
	return -1
}

// lie reports whether a shape lies on some states; the last is that of its head.
func (s *shapes) lie(x shape, n *model.Network, held []model.State) bool {
	for k, st := range held {
		if s.w.c.unexpanded(s.w.at[x.body[len(held)-1-k]]) != placeOf(n, st.VC, st.Class) {
			return false
		}
	}
	return true
}

// stays returns the reason why a deadlock of the simulator is not one under the relation of the case, or
// "". The packets must lie on different VCs, and all next hops of each head must be VCs on which they lie.
// If chooses is true, each head waits for exactly one next hop.
func (w *walk) stays(n *model.Network, d *engine.Deadlock, chooses bool) string {
	on, next := map[model.VCID]bool{}, w.c.hops()
	for i, p := range d.Packets {
		for _, v := range p.On {
			if on[v] {
				return fmt.Sprintf("packet %d of a reached deadlock lies on VC %d, which another holds", i, v)
			}
			on[v] = true
		}
	}
	for i, p := range d.Packets {
		head := placeOf(n, p.On[len(p.On)-1], p.Class)
		if head.Channel < 0 {
			head.VC = 0 // cases have one injection VC
		}
		hops := next(int(p.Dest), head)
		if chooses {
			hops = slices.DeleteFunc(slices.Clone(hops), func(h place) bool { return h.Channel >= 0 && !slices.Contains(p.Waits, outVC(n, h)) })
			if len(p.Waits) != 1 {
				return fmt.Sprintf("packet %d of a reached deadlock waits for %d virtual channels", i, len(p.Waits))
			}
			if len(hops) > 1 { // it has not chosen the host
				hops = slices.DeleteFunc(hops, func(h place) bool { return h.Channel < 0 })
			}
		}
		if len(hops) == 0 {
			return fmt.Sprintf("packet %d of a reached deadlock has no next hop", i)
		}
		for _, h := range hops {
			if h.Channel < 0 || !on[outVC(n, h)] {
				return fmt.Sprintf("packet %d of a reached deadlock may leave for %v", i, h)
			}
		}
	}
	return ""
}
