package measure

import "github.com/turnproof/turnproof/engine"

// This file counts packets over time: how many set out from their hosts and how many
// arrived, window by window.

// Flow is a time series of packets sent and received.
type Flow struct {
	Window         engine.Clock
	Sent, Received []int64 // by window
}

// NewFlow returns one with windows of so many clocks.
func NewFlow(window engine.Clock) *Flow { return &Flow{Window: max(window, 1)} }

// Deliver counts a packet that has arrived, for the windows in which it set out and
// in which its tail arrived.
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
