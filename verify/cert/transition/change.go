package transition

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file opens the subject.

// The kinds of steps, as the format lists them.
const (
	inService = 0
	drained   = 1
	stop      = 2
	resume    = 3
)

// step is a step of a transition.
type step struct {
	kind  int32
	parts []int32
}

// change is an opened transition.
type change struct {
	c            *cert.Certificate
	t            *cert.Transition
	old, now     *cert.Routing
	destinations int
	sources      int
	entries      []bool    // with relations, by destination and switch: whether the entry differs
	levels       []bool    // by destination and switch: whether sources at the switch send with other classes
	starts       [][]start // by destination: the states of packets that have just been created
	steps        []step
	changed      []int32 // parts whose entries differ, ascending
	walk         walk
}

// open validates a transition.
func open(c *cert.Certificate) (any, error) {
	t := c.Subject.Transition
	x := &change{c: c, t: t}
	if err := x.openSides(); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"entry", "switch", "destination"}, t.Parts) {
		return nil, cert.Reject("subject", "parts %.20q, not entry, switch or destination", t.Parts)
	}
	if t.Drained && len(t.Steps) > 0 {
		return nil, cert.Reject("subject", "drained, and steps beside it")
	}
	x.findStarts()
	x.findChanged()
	if err := x.readSteps(); err != nil {
		return nil, err
	}
	x.walk.init(x)
	if t.OldRelation != nil {
		return x, x.checkStates()
	}
	return x, nil
}

// findChanged lists the parts with different entries.
func (x *change) findChanged() {
	parts := x.destinations
	if x.t.Parts == "switch" {
		parts = x.old.Switches
	}
	differs := make([]bool, parts)
	for d := range x.destinations {
		for u := range x.old.Switches {
			if !x.differs(d, u) {
				continue
			}
			if x.t.Parts == "switch" {
				differs[u] = true
			} else {
				differs[d] = true
			}
		}
	}
	for i, d := range differs {
		if d {
			x.changed = append(x.changed, int32(i))
		}
	}
}

// readSteps reads the steps, and rejects parts that are in two steps or in none.
func (x *change) readSteps() error {
	list := x.t.Steps
	if len(list) > 0 && x.t.Parts == "entry" {
		return cert.Reject("subject", "steps of single entries")
	}
	parts := x.destinations
	if x.t.Parts == "switch" {
		parts = x.old.Switches
	}
	changes, stopped := make([]bool, parts), make([]bool, parts)
	for len(list) > 0 {
		if len(list) < 2 || list[0] < inService || list[0] > resume || list[1] < 1 || int(list[1]) > len(list)-2 ||
			x.t.Parts == "switch" && list[0] > drained {
			return cert.Reject("subject", "step %d is cut off, or begins wrong", len(x.steps))
		}
		s := step{list[0], list[2 : 2+list[1]]}
		for i, p := range s.parts {
			if p < 0 || int(p) >= parts || changes[p] || stopped[p] != (s.kind == resume) || i > 0 && p <= s.parts[i-1] {
				return cert.Reject("subject", "step %d: part %d of %d is out of range or order, or in another step", len(x.steps), p, parts)
			}
			stopped[p] = s.kind == stop
			changes[p] = s.kind != stop
		}
		x.steps, list = append(x.steps, s), list[2+list[1]:]
	}
	if i := slices.Index(stopped, true); i >= 0 {
		return cert.Reject("subject", "destination %d gets no packets in the end", i)
	}
	for _, p := range x.changed {
		if len(x.steps) > 0 && !changes[p] {
			return cert.Reject("subject", "no step changes part %d", p)
		}
	}
	return nil
}
