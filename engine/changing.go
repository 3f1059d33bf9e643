package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file lets the relation change while packets are in the network.

// Changing is a relation that changes during a simulation: a head is routed by the relation of that clock, and keeps the hops that it got.
// Next of the value itself returns the hops of all times. Its sources, destinations and classes do not change. Hops have no weights.
type Changing interface {
	model.Relation
	// At returns the relation of a clock. The answer for a clock that was simulated must not change, because Watch simulates clocks again.
	At(now Clock) model.Relation
}

// Keeping is a relation that changes, and says what happens to packets without a next hop. If it is no Keeping, they are dropped.
type Keeping interface {
	Changing
	// Keeps reports whether packets without a next hop keep their VC for ever.
	Keeps() bool
}

// Dropping is a relation that changes, and in which packets of a state can be dropped at some time although they have next hops at another.
type Dropping interface {
	Changing
	// Drops reports whether packets in a state have no next hop at some time.
	Drops(s model.State) bool
}

// drops reports whether a packet that is not routed yet can be dropped.
func (c *changing) drops(s model.State) bool {
	d, ok := c.rel.(Dropping)
	return ok && !c.keeps() && d.Drops(s)
}

// changing sets the relation of each clock. Answers are not stored, so each head asks the relation.
type changing struct {
	rel Changing
	any *routes // the hops of all times
}

// newChanging returns the mechanism if the relation is one that changes.
func newChanging(s *kernel) (mechanism, error) {
	rel, ok := s.rel.(Changing)
	if !ok {
		return nil, nil
	}
	if s.routes.weighs != nil {
		return nil, fmt.Errorf("engine: hops with weights do not go with a relation that changes")
	}
	c := &changing{rel: rel, any: s.routes}
	s.routes = &routes{rel: rel, classes: c.any.classes, dests: c.any.dests, vcs: s.vcs, rows: make([]rowOf, len(s.vc)), number: map[string]int32{},
		shared: &sharedAnswers{number: map[string]int32{}}}
	return c, nil
}

// keeps implements keeper.
func (c *changing) keeps() bool {
	k, ok := c.rel.(Keeping)
	return ok && k.Keeps()
}

// prepare implements preparer.
func (c *changing) prepare(s *kernel) { s.routes.rel = c.rel.At(s.now) }

// clone implements mechanism.
func (c *changing) clone() mechanism { return c }
