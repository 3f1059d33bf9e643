package trial

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file reports packets in an order that does not depend on the kernel: by the clock of
// arrival, then by host. At most one packet arrives at a host in a clock.

type teller struct {
	report func(engine.Delivery)
	host   func(model.DestID) model.HostID
	keep   bool // hold all reports until the end, since the run may have to be repeated
	held   []engine.Delivery
}

func (t *teller) deliver(d engine.Delivery) {
	if !t.keep && len(t.held) > 0 && t.held[0].Arrived != d.Arrived {
		t.end()
	}
	t.held = append(t.held, d)
}

// end reports the packets that are still held.
func (t *teller) end() {
	slices.SortFunc(t.held, func(a, b engine.Delivery) int {
		return cmp.Or(cmp.Compare(a.Arrived, b.Arrived), cmp.Compare(t.host(a.Dest), t.host(b.Dest)))
	})
	for _, d := range t.held {
		t.report(d)
	}
	t.held = t.held[:0]
}
