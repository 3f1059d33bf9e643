package transition

import (
	"reflect"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file opens a change between two routing relations. Both list the states that packets can reach which meet either of them at
// each hop. The entry of a switch for a destination is the next hops of all these states at the switch.
//
// Why a packet without a next hop depends on its own VC. Unless switches drop packets, it holds its VC for ever. Packets behind it wait for the
// VC in vain, so the state is not free of deadlock.

// openSides opens the old and the new routing.
func (x *change) openSides() (err error) {
	t := x.t
	tables, relations := t.Old != nil && t.New != nil, t.OldRelation != nil && t.NewRelation != nil
	if tables == relations || (t.Old == nil) != (t.New == nil) || (t.OldRelation == nil) != (t.NewRelation == nil) {
		return cert.Reject("subject", "want two tables, or two relations")
	}
	s := x.c.Subject
	s.Transition = nil
	open := func(table *cert.Table, relation *cert.Relation) (*cert.Routing, error) {
		s.Table, s.Relation = table, relation
		return cert.OpenRouting(&cert.Certificate{Schema: cert.Schema, Subject: s})
	}
	if x.old, err = open(t.Old, t.OldRelation); err != nil {
		return err
	}
	if x.now, err = open(t.New, t.NewRelation); err != nil {
		return err
	}
	if relations {
		x.destinations, x.sources = len(t.OldRelation.Destinations), t.OldRelation.Sources
		return x.checkRelations()
	}
	x.destinations, x.sources = len(t.Old.Destinations), t.Old.Sources
	a, b := *t.Old, *t.New
	a.Ports, b.Ports, a.Classes, b.Classes = nil, nil, nil, nil
	switch {
	case !reflect.DeepEqual(a, b):
		return cert.Reject("subject", "the two tables differ in more than their ports and classes")
	case t.Waiting != "" || t.Drops:
		return cert.Reject("subject", "waiting and drops are words for relations")
	}
	return x.checkVCs()
}

// checkRelations judges that both relations have the same states, and that no hop changes a class. It finds the entries that differ.
func (x *change) checkRelations() error {
	a, b := *x.t.OldRelation, *x.t.NewRelation
	a.States, b.States = nil, nil
	switch {
	case !reflect.DeepEqual(a, b) || a.Commits != nil || a.Flows != nil || len(a.Symmetries) > 0:
		return cert.Reject("subject", "the two relations differ in more than their next hops, or have more parts")
	case a.Classes > classes:
		return cert.Reject("subject", "%d classes, not at most %d", a.Classes, classes)
	case x.t.Waiting != "" && x.t.Waiting != cert.WaitingOne:
		return cert.Reject("subject", "waiting %.20q, not one", x.t.Waiting)
	}
	x.entries = make([]bool, x.destinations*x.old.Switches)
	for d := range x.destinations {
		lo, hi := x.old.StatesTo(d)
		if from, to := x.now.StatesTo(d); from != lo || to != hi {
			return cert.Reject("subject", "destination %d: the two relations have different states", d)
		}
		for i := lo; i < hi; i++ {
			at, old, now := x.old.State(i), x.old.Hops(i), x.now.Hops(i)
			if x.now.State(i) != at {
				return cert.Reject("subject", "state %d: %v in one relation, %v in the other", i, at, x.now.State(i))
			}
			for _, hops := range [][]int32{old, now} {
				for j := 1; j < len(hops); j += 2 {
					if hops[j] != at.Class {
						return cert.Reject("subject", "state %d: a hop changes the class", i)
					}
				}
			}
			if !x.t.Drops && int(at.VC) >= x.old.LinkVCs() && (len(old) == 0 || len(now) == 0) {
				return cert.Reject("subject", "state %d: a packet that has just been created has no next hop", i)
			}
			if !slices.Equal(old, now) {
				x.entries[d*x.old.Switches+int(x.old.Head[at.VC/x.old.VCs])] = true
			}
		}
	}
	return nil
}

// checkStates judges that the states of the relations are just those that packets can reach which meet either.
func (x *change) checkStates() error {
	for d := range x.destinations {
		x.walk.each(d, all(both), func(turn) {})
		lo, hi := x.old.StatesTo(d)
		reached := 0
		for _, s := range x.walk.queue {
			if int(s.VC/x.old.VCs) >= len(x.old.Head) {
				continue // ejected
			}
			if reached++; x.old.Find(lo, hi, s) < 0 {
				return cert.Reject("subject", "destination %d: packets reach %v, which is not listed", d, s)
			}
		}
		if reached != hi-lo {
			return cert.Reject("subject", "destination %d: packets reach %d of %d states", d, reached, hi-lo)
		}
	}
	return nil
}

// differs reports whether the entry of switch u for destination d changes.
func (x *change) differs(d, u int) bool {
	i := d*x.old.Switches + u
	if x.entries != nil {
		return x.entries[i]
	}
	return x.t.Old.Ports[i] != x.t.New.Ports[i] || x.levels[i]
}

// holds reports whether a packet without a next hop holds its VC for ever.
func (x *change) holds() bool { return x.t.OldRelation != nil && !x.t.Drops }

// lookup is a packet that meets the entry of a part: the old one, the new one, or either.
type lookup struct {
	part [2]int
	set  int
}

// partOf returns what stands for the part of an entry.
func (x *change) partOf(d int, u int32) [2]int {
	switch x.t.Parts {
	case "switch":
		return [2]int{-1, int(u)}
	case "destination":
		return [2]int{d, -1}
	}
	return [2]int{d, int(u)}
}

// lookUp notes which of the entries can give the hop from one state to another. The last lookup of a packet is the one for which the
// packet waits. If to is nil, the entry has to have no next hop.
func (m *meeting) lookUp(d int, at cert.State, to *cert.State, last bool) bool {
	x, set := m.x, 0
	for i, r := range []*cert.Routing{x.old, x.now} {
		hops := r.Next(d, at, nil)
		other := func(s cert.State) bool { return to == nil || s.VC != to.VC }
		switch {
		case to == nil && len(hops) > 0, to != nil && !slices.Contains(hops, *to):
		case last && x.t.Waiting == "" && slices.ContainsFunc(hops, other):
		default:
			set |= meetsOld << i
		}
	}
	k := len(m.lookups) - 1
	m.lookups[k] = append(m.lookups[k], lookup{x.partOf(d, x.old.Head[at.VC/x.old.VCs]), set})
	return set != 0
}

// inOrder judges that some order of all lookups and changes lets each packet meet its entries. Drained, there is one set of changed parts.
func (m *meeting) inOrder(claim *cert.Claim) error {
	if m.x.t.Drained {
		sets := map[[2]int]int{}
		for _, list := range m.lookups {
			for _, l := range list {
				if before, ok := sets[l.part]; ok {
					l.set &= before
				}
				if sets[l.part] = l.set; l.set == 0 {
					return cert.Reject(claim.Claim, "the packets need both entries of one part")
				}
			}
		}
		return nil
	}
	change := map[[2]int]int32{} // by part: the number of its change; lookups have the numbers before
	n := int32(0)
	for _, list := range m.lookups {
		n += int32(len(list))
	}
	var before []turn
	i := int32(0)
	for _, list := range m.lookups {
		last := int32(-1)
		for _, l := range list {
			if last >= 0 {
				before = append(before, turn{last, i})
			}
			if _, ok := change[l.part]; !ok {
				change[l.part] = n + int32(len(change))
			}
			switch l.set {
			case meetsOld:
				before = append(before, turn{i, change[l.part]})
			case meetsNew:
				before = append(before, turn{change[l.part], i})
			}
			last, i = i, i+1
		}
	}
	g := newGraph(int(n) + len(change))
	g.add(1, g.numbers(before))
	if !g.acyclic() {
		return cert.Reject(claim.Claim, "no order of lookups and changes lets the packets meet these entries")
	}
	return nil
}

// exact rejects a claim that rests on cycles, unless each of them means packets that block each other. With relations, each packet has to
// wait for one hop. In service, no packet may pass a switch twice: it could need the new entry first and the old one then. Else the next hops have
// to depend on switch and destination only. Then a packet that passes a switch twice is on a path that leads round, and a shortest such path
// visits each switch once, with one entry each: its own packets block each other.
func (x *change) exact(claim *cert.Claim, drained bool) error {
	if x.entries == nil {
		return nil
	}
	twice, byInput := -1, false
	for d := range x.destinations {
		lo, hi := x.old.StatesTo(d)
		byInput = byInput || x.asksInput(lo, hi)
		into := make([]map[int32]bool, x.old.Switches) // by switch: those before it on the paths of packets
		for i := lo; i < hi; i++ {
			u := x.old.Head[x.old.State(i).VC/x.old.VCs]
			for _, hops := range [][]int32{x.old.Hops(i), x.now.Hops(i)} {
				if len(hops) > 2 && x.t.Waiting == "" {
					return cert.Reject(claim.Claim, "packets choose among next hops, so a cycle need not be a deadlock")
				}
				for j := 0; j < len(hops); j += 2 {
					if c := hops[j] / x.old.VCs; int(hops[j]) < x.old.LinkVCs() {
						v := x.old.Head[c]
						if into[v] == nil {
							into[v] = map[int32]bool{}
						}
						into[v][u] = true
					}
				}
			}
		}
		if returns(into) {
			twice = d
		}
	}
	if !drained && twice >= 0 && byInput {
		return cert.Reject(claim.Claim, "a packet to destination %d can pass a switch twice, and would meet its new entry then", twice)
	}
	return nil
}

// asksInput reports whether the next hops in two states of one switch differ, among the states of a destination from lo up to hi.
func (x *change) asksInput(lo, hi int) bool {
	known := map[int32]int{} // by switch: a state
	for i := lo; i < hi; i++ {
		u := x.old.Head[x.old.State(i).VC/x.old.VCs]
		j, ok := known[u]
		if ok && (!sameVCs(x.old.Hops(i), x.old.Hops(j)) || !sameVCs(x.now.Hops(i), x.now.Hops(j))) {
			return true
		}
		known[u] = i
	}
	return false
}

// sameVCs reports whether two lists of hops, each a VC and a class, have the same VCs.
func sameVCs(a, b []int32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i += 2 {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// returns reports whether going from a switch to one before it, again and again, can lead back to it.
func returns(into []map[int32]bool) bool {
	const open, closed = 1, 2
	mark := make([]int, len(into))
	var visit func(u int32) bool
	visit = func(u int32) bool {
		mark[u] = open
		for v := range into[u] {
			if mark[v] == open || mark[v] == 0 && visit(v) {
				return true
			}
		}
		mark[u] = closed
		return false
	}
	for u := range into {
		if mark[u] == 0 && visit(int32(u)) {
			return true
		}
	}
	return false
}
