package bubble

import (
	"math"

	"github.com/turnproof/turnproof/model"
)

// This file says when a packet may enter a ring, by the sizes of packets and buffers.

// Limits are the conditions of a rule for packets of one size.
type Limits struct {
	// Room is the number of free flits that a guarded entry needs in the next buffer. Worm: the next VC must
	// be empty.
	Room int
	// Most is, by ring, the number of packets in the ring up to which another may enter. A packet is
	// in a ring from the hop that enters it to the hop that leaves it; a worm until its tail has left.
	// It is -1 if no packet can ever enter.
	Most []int
}

// Limits returns the limits for packets of the given number of flits. buffer returns the flits that fit into
// the buffer of a VC.
func (g *Rings) Limits(flits int, buffer func(model.VCID) int) Limits {
	assumed := g.Rule.Assumed(flits)
	l := Limits{Room: flits, Most: make([]int, len(g.List))}
	if g.Rule.Kind == Local {
		l.Room = max(flits, 2*assumed)
	}
	for i, ring := range g.List {
		sum, least := 0, math.MaxInt
		for _, v := range ring {
			sum += buffer(v) / assumed
			least = min(least, buffer(v))
		}
		switch g.Rule.Kind {
		case Local:
			l.Most[i] = math.MaxInt32
		case Critical:
			l.Most[i] = max(sum-2, -1)
		case Worm: // (packets+1) × VCs of each < VCs of the ring
			each := (assumed + least - 1) / max(least, 1)
			l.Most[i] = (len(ring)-1)/each - 1
		}
	}
	return l
}
