package trial

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file tells of packets that arrive in an order that does not depend on the
// kernel: by clock, then by host, at which only one arrives in a clock.

type teller struct {
	report func(engine.Delivery)
	host   func(model.DestID) model.HostID
	keep   bool // all until the end: the run may have to be done anew
	held   []engine.Delivery
}

func (t *teller) deliver(d engine.Delivery) {
	if !t.keep && len(t.held) > 0 && t.held[0].Arrived != d.Arrived {
		t.end()
	}
	t.held = append(t.held, d)
}

// end tells of those that are held.
func (t *teller) end() {
	slices.SortFunc(t.held, func(a, b engine.Delivery) int {
		return cmp.Or(cmp.Compare(a.Arrived, b.Arrived), cmp.Compare(t.host(a.Dest), t.host(b.Dest)))
	})
	for _, d := range t.held {
		t.report(d)
	}
	t.held = t.held[:0]
}
