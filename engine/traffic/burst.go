package traffic

import (
	"math"

	"github.com/turnproof/turnproof/engine"
)

// Bursts: a host is on or off, for geometrically distributed times.
//
// While a host is on, it creates a packet in each clock with probability Peak/L, where L is the
// average length. After each packet the burst ends with probability 1/Burst. Then the host is off
// for a geometrically distributed time, which may be 0. The average off time makes the load right:
// a burst takes Burst*L/Peak clocks, and bursts start every Burst*L/load clocks on average.
//
// Source: the Markov modulated process of W. Dally and B. Towles, Principles and Practices of
// Interconnection Networks, 2004, chapter 24, with the length of bursts counted in packets.

// begin puts a host into its stationary state, so that the load is right from clock 0 on.
// Geometric times have no memory: the rest of a burst is distributed like a new burst, and
// likewise the off time, in which the present clock counts.
func (s *Steady) begin(x *stream, load float64) {
	x.off = s.o.Burst * s.o.mean() * (1/load - 1/s.o.Peak)
	if x.rand.Float64() >= load/s.o.Peak {
		x.clock += geometric(&x.rand, x.ending())
	}
	x.left = s.packetsOfBurst(x)
}

// pause returns the off clocks before the next packet, and counts that packet.
func (s *Steady) pause(x *stream) (clocks engine.Clock) {
	if x.left == 0 {
		x.left = s.packetsOfBurst(x)
		clocks = geometric(&x.rand, x.ending()) - 1
	}
	x.left--
	return clocks
}

func (s *Steady) packetsOfBurst(x *stream) engine.Clock {
	return geometric(&x.rand, math.Log1p(-1/s.o.Burst))
}

// ending returns the log of 1 - the probability that the off time ends in a clock.
func (x *stream) ending() float64 { return math.Log1p(-1 / (x.off + 1)) }
