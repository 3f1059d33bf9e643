package measure

import "github.com/turnproof/turnproof/engine"

// This file counts the packets that left their hosts and the packets that arrived, in each window
// of time.

// Flow is a time series of packets sent and received.
type Flow struct {
	Window         engine.Clock
	Sent, Received []int64 // by window
}

// NewFlow returns a Flow with windows of the given number of clocks, at least 1.
func NewFlow(window engine.Clock) *Flow { return &Flow{Window: max(window, 1)} }

// Deliver counts a delivered packet as sent in the window in which it left its host, and as
// received in the window in which its tail arrived.
func (f *Flow) Deliver(d engine.Delivery) {
	add(&f.Sent, int(d.Injected/f.Window))
	add(&f.Received, int(d.Arrived/f.Window))
}

func add(counts *[]int64, i int) {
	for len(*counts) <= i {
		*counts = append(*counts, 0)
	}
	(*counts)[i]++
}
