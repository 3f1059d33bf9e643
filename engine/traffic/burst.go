package traffic

import (
	"math"

	"github.com/turnproof/turnproof/engine"
)

// This file is bursts: a host is on or off, with geometric times.
//
// While a host is on it creates a packet in each clock with probability Peak/L,
// where L is the mean length; after each packet the burst ends with probability
// 1/Burst. Then the host is off for a geometric time, which may be no clock, and
// whose mean makes the load right: a burst takes Burst*L/Peak clocks, and there
// is to be one in Burst*L/load clocks.
//
// Source: the Markov modulated process of W. Dally and B. Towles, Principles and
// Practices of Interconnection Networks, 2004, chapter 24, with the length of
// bursts counted in packets.

// begin puts a host into the state that it has in any clock, so that the load is
// right from clock 0 on. Geometric times do not remember: what is left of a burst
// is like a new one, and so is the time off, in which the clock looked at counts.
func (s *Steady) begin(x *stream, load float64) {
	x.off = s.o.Burst * s.o.mean() * (1/load - 1/s.o.Peak)
	if x.rand.Float64() >= load/s.o.Peak {
		x.clock += geometric(x.rand, x.ending())
	}
	x.left = s.packetsOfBurst(x)
}

// pause returns the clocks off before the next packet, and counts it.
func (s *Steady) pause(x *stream) (clocks engine.Clock) {
	if x.left == 0 {
		x.left = s.packetsOfBurst(x)
		clocks = geometric(x.rand, x.ending()) - 1
	}
	x.left--
	return clocks
}

func (s *Steady) packetsOfBurst(x *stream) engine.Clock {
	return geometric(x.rand, math.Log1p(-1/s.o.Burst))
}

// ending is the log of 1 - probability that the time off ends in a clock.
func (x *stream) ending() float64 { return math.Log1p(-1 / (x.off + 1)) }
