package cert

import (
	"math"
	"slices"
)

// This file validates a relation that lists its states (version 1), and cuts it into blocks.
//
// Promise: the states are ascending and in range. Each next hop leaves the switch that the
// VC of its state enters. reach.go judges that the list has exactly the reachable states.
// Cost: linear in the certificate. A state is found by bisection.

// relation is what a Relation has besides its states.
type relation struct {
	*Wiring
	*Relation
	one   bool        // packets wait for one next hop in every state
	mixed bool        // in some states
	flows [][]int32   // by destination: the endpoints that send to it, ascending; nil without Flows
	worms *wormStates // collects the states for the evidence no-worms; nil if no claim has this evidence
}

// newRelation validates the parts of a relation besides its states.
func newRelation(s *Subject, wires *Wiring) (relation, error) {
	w := s.Relation
	r := relation{Wiring: wires, Relation: w, one: s.Waiting == WaitingOne, mixed: s.Waiting == WaitingMixed}
	if w.Classes < 1 || w.Classes > math.MaxInt32 {
		return r, Reject("subject", "%d classes", w.Classes)
	}
	if r.mixed != (w.Commits != nil) {
		return r, Reject("subject", "commits belong to waiting mixed, not to %q", s.Waiting)
	}
	if err := wires.checkTraffic(w.Sources, w.Destinations); err != nil {
		return r, err
	}
	return r, r.readFlows()
}

// readFlows validates Flows, and sorts them by destination.
func (r *relation) readFlows() error {
	if r.Flows == nil {
		return nil
	}
	if len(r.Symmetries) > 0 {
		return Reject("subject", "flows and symmetries do not go together")
	}
	list := *r.Flows
	if len(list)%2 != 0 {
		return Reject("subject", "flows: %d numbers, not two per pair", len(list))
	}
	r.flows = make([][]int32, len(r.Destinations))
	for i := 0; i < len(list); i += 2 {
		e, d := list[i], list[i+1]
		switch {
		case e < 0 || int(e) >= r.Sources:
			return Reject("subject", "flow %d: endpoint %d of %d sources", i/2, e, r.Sources)
		case d < 0 || int(d) >= len(r.Destinations):
			return Reject("subject", "flow %d: destination %d of %d", i/2, d, len(r.Destinations))
		case r.Destinations[d] == e:
			return Reject("subject", "flow %d: endpoint %d sends to itself, destination %d", i/2, e, d)
		case i > 0 && !ascending(list[i-2:i], list[i:i+2]):
			return Reject("subject", "flow %d is not greater than the one before", i/2)
		}
		r.flows[d] = append(r.flows[d], e)
	}
	return nil
}

// talks reports whether endpoint e, a source, sends to destination d of another endpoint.
func (r *relation) talks(e, d int32) bool {
	if r.flows == nil {
		return true
	}
	_, ok := slices.BinarySearch(r.flows[d], e)
	return ok
}

func (r *relation) Traffic() (int, []int32) { return r.Sources, r.Destinations }

// tail returns the switch that a VC leaves; ok is false if it leaves none.
func (r *relation) tail(vc int32) (u int32, ok bool) {
	c := vc / r.VCs
	switch {
	case vc < 0 || c >= r.Ejection(r.Endpoints) || (c >= r.links && c < r.Ejection(0)):
		return 0, false
	default:
		return r.Head[r.Back(c)], true
	}
}
