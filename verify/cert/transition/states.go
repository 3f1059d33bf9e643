package transition

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the states of a transition in given steps, or of one in which all entries change in one step.

// deadlockFree judges that the dependencies of each state have no cycle.
func (x *change) deadlockFree(claim *cert.Claim) error {
	g := newGraph(x.old.LinkVCs())
	if len(x.steps) == 0 {
		return x.anyOrder(claim, g)
	}
	if x.t.Parts == "switch" {
		return x.switchSteps(claim, g)
	}
	return x.destinationSteps(claim, g)
}

// destinationSteps judges the states of steps that change destinations.
func (x *change) destinationSteps(claim *cert.Claim, g *graph) error {
	now := make([][]int32, x.destinations) // by destination: its dependencies in the current state
	for d := range x.destinations {
		now[d] = g.numbers(x.walk.dependencies(d, all(meetsOld)))
		g.add(1, now[d])
	}
	if !g.acyclic() {
		return cert.Reject(claim.Claim, "the state before the first step has a cycle")
	}
	for i, s := range x.steps {
		for _, d := range s.parts {
			g.add(-1, now[d])
			if now[d] = nil; s.kind == inService {
				now[d] = g.numbers(x.walk.dependencies(int(d), all(both)))
				g.add(1, now[d])
			}
		}
		if s.kind == inService && !g.acyclic() {
			return cert.Reject(claim.Claim, "in step %d the dependencies have a cycle", i)
		}
		for _, d := range s.parts {
			g.add(-1, now[d])
			if now[d] = nil; s.kind == stop {
				continue
			}
			now[d] = g.numbers(x.walk.dependencies(int(d), all(meetsNew)))
			g.add(1, now[d])
		}
		if !g.acyclic() {
			return cert.Reject(claim.Claim, "after step %d the dependencies have a cycle", i)
		}
	}
	return nil
}

// table is the entries that packets meet by switch, and the dependencies of the packets by destination.
type table struct {
	x    *change
	g    *graph
	sets []int     // by switch
	deps [][]int32 // by destination, in the graph
}

// newTable returns the old table. Its dependencies are in the graph.
func newTable(x *change, g *graph) *table {
	t := &table{x: x, g: g, sets: slices.Repeat([]int{meetsOld}, x.old.Switches), deps: make([][]int32, x.destinations)}
	t.renew(nil)
	return t
}

// renew computes the dependencies again, of the destinations whose entries differ at one of the switches, or of all if list is nil.
func (t *table) renew(list []int32) {
	for d := range t.deps {
		if list != nil && !slices.ContainsFunc(list, func(u int32) bool { return t.x.differs(d, int(u)) }) {
			continue
		}
		t.g.add(-1, t.deps[d])
		t.deps[d] = t.g.numbers(t.x.walk.dependencies(d, func(u int32) int { return t.sets[u] }))
		t.g.add(1, t.deps[d])
	}
}

// set changes the entries that packets meet at some switches.
func (t *table) set(list []int32, to int) {
	for _, u := range list {
		t.sets[u] = to
	}
	t.renew(list)
}

// switchSteps judges the states of steps that change switches.
func (x *change) switchSteps(claim *cert.Claim, g *graph) error {
	t := newTable(x, g)
	if !g.acyclic() {
		return cert.Reject(claim.Claim, "the state before the first step has a cycle")
	}
	for i, s := range x.steps {
		if s.kind == inService {
			if t.set(s.parts, both); !g.acyclic() {
				return cert.Reject(claim.Claim, "in step %d the dependencies have a cycle", i)
			}
		}
		if t.set(s.parts, meetsNew); !g.acyclic() {
			return cert.Reject(claim.Claim, "after step %d the dependencies have a cycle", i)
		}
	}
	return nil
}

// loopFree judges that no packet can come back to a state. With steps, it follows from deadlock-free: a loop is a cycle of dependencies.
func (x *change) loopFree(claim *cert.Claim) error {
	if len(x.steps) > 0 {
		if free := x.c.Claim(cert.ClaimDeadlockFree); free == nil || free.Verdict != cert.Proved {
			return cert.Reject(claim.Claim, "rests on %s, which the certificate does not prove", cert.ClaimDeadlockFree)
		}
		return nil
	}
	if list := x.loopTo(); len(list) > 0 {
		return cert.Reject(claim.Claim, "packets to destination %d can loop", list[0])
	}
	return nil
}

// loopTo returns the destinations to which packets can come back to a state, if they meet old and new entries.
func (x *change) loopTo() (list []int32) {
	x.walk.anyLevel = !x.t.Drained
	defer func() { x.walk.anyLevel = false }()
	for d := range x.destinations {
		var loops bool
		switch {
		case x.t.Parts != "destination":
			loops = x.walk.loops(d, all(both))
		case x.t.Drained:
			loops = x.walk.loops(d, all(meetsOld)) || x.walk.loops(d, all(meetsNew))
		default:
			loops = x.walk.loops(d, all(meetsOld)) || x.walk.afterwards(func() bool { return x.walk.loops(d, all(meetsNew)) })
		}
		if loops {
			list = append(list, int32(d))
		}
	}
	return list
}

// mixedLoops judges the list of destinations to which packets can loop.
func (x *change) mixedLoops(claim *cert.Claim) error {
	if err := x.noSteps(claim); err != nil {
		return err
	}
	if x.entries != nil { // the states of a loop may need both entries of a switch
		return cert.Reject(claim.Claim, "the evidence %s is for tables", claim.Evidence)
	}
	if list := x.loopTo(); len(list) == 0 || !slices.Equal(list, *claim.Steps) {
		return cert.Reject(claim.Claim, "packets to %d destinations can loop, and not just those that are listed", len(list))
	}
	return nil
}

// noSteps rejects steps.
func (x *change) noSteps(claim *cert.Claim) error {
	if len(x.steps) > 0 {
		return cert.Reject(claim.Claim, "the evidence %s is for transitions without steps", claim.Evidence)
	}
	return nil
}

// mixedCycle judges a cycle of dependencies of packets that meet old and new entries.
func (x *change) mixedCycle(claim *cert.Claim) error {
	if err := x.noSteps(claim); err != nil {
		return err
	}
	meets := x.newMeeting()
	visited := map[int32]bool{}
	first, last := int32(-1), int32(-1)
	for i := range claim.Packets {
		from, to, err := x.last(claim, i, meets)
		switch {
		case err != nil:
			return err
		case x.holds() && len(claim.Packets) == 1:
			return x.stranded(claim, meets)
		case i == 0:
			first = from
		case from != last:
			return cert.Reject(claim.Claim, "packet %d depends from VC %d, not from VC %d", i, from, last)
		}
		if visited[to] || to < first {
			return cert.Reject(claim.Claim, "the cycle visits VC %d twice, or does not begin with it", to)
		}
		visited[to], last = true, to
	}
	if first != last {
		return cert.Reject(claim.Claim, "the dependencies begin at VC %d and end at VC %d: no cycle", first, last)
	}
	return meets.inOrder(claim)
}

// stranded judges that the only packet of a claim has no next hop at the end of its path.
func (x *change) stranded(claim *cert.Claim, meets *meeting) error {
	p := &claim.Packets[0]
	at := cert.State{VC: p.Path[len(p.Path)-2], Class: p.Path[len(p.Path)-1]}
	if !meets.lookUp(p.Destination, at, nil, true) {
		return cert.Reject(claim.Claim, "the packet has a next hop at the end of its path")
	}
	return meets.inOrder(claim)
}

// last follows packet i, and returns the last two VCs of its path.
func (x *change) last(claim *cert.Claim, i int, meets *meeting) (from, to int32, err error) {
	p := &claim.Packets[i]
	if p.Destination < 0 || p.Destination >= x.destinations || len(p.Path) < 4 || len(p.Path)%2 != 0 {
		return 0, 0, cert.Reject(claim.Claim, "packet %d: destination %d, %d numbers of a path", i, p.Destination, len(p.Path))
	}
	at := cert.State{VC: p.Path[0], Class: p.Path[1]}
	alone := x.holds() && len(claim.Packets) == 1 // the packet is stranded behind its last hop
	meets.begin()
	if p.Source < 0 || p.Source >= x.sources || at.VC != x.old.Injection(int32(p.Source))*x.old.VCs || int(at.Class) != p.Class ||
		!slices.ContainsFunc(x.starts[p.Destination], func(s start) bool { return s.State == at && meets.sends(p.Destination, s) }) {
		return 0, 0, cert.Reject(claim.Claim, "packet %d: endpoint %d does not send it", i, p.Source)
	}
	for j := 2; j < len(p.Path); j += 2 {
		to := cert.State{VC: p.Path[j], Class: p.Path[j+1]}
		if int(at.VC/x.old.VCs) >= len(x.old.Head) {
			return 0, 0, cert.Reject(claim.Claim, "packet %d goes on from %v, where it has arrived", i, at)
		}
		if !meets.hop(p.Destination, at, to, !alone && j == len(p.Path)-2) {
			return 0, 0, cert.Reject(claim.Claim, "packet %d: %v is no next hop of %v by the old or the new entry, or not of one that it can meet", i, to, at)
		}
		from, at = at.VC, to
	}
	if links := int32(x.old.LinkVCs()); from >= links && !alone || at.VC >= links {
		return 0, 0, cert.Reject(claim.Claim, "packet %d does not depend on a VC between switches", i)
	}
	return from, at.VC, nil
}
