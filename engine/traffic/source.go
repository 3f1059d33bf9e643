package traffic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"turnproof/engine"
	"turnproof/model"
)

// This file creates packets by a pattern in steady load.
//
// Method: the gaps between the packets of a host are drawn as a whole, which is
// the same process as a trial in every clock. Bursts: a host is on or off, with
// geometric times; while it is on it creates a packet in each clock with a
// probability that makes up for the time off (J. Turner's on-off source).

// Options of steady load. Load and Flits must be given.
type Options struct {
	Load  float64 // flits per clock and host
	Flits int     // of a packet
	Seed  uint64
	// Mixed, if not empty, draws the length from these, each alike, in place of
	// Flits.
	Mixed []int
	// Burst is the mean number of packets in a burst; 0 or 1: no bursts. While a
	// burst lasts a host creates packets at Peak flits a clock, 0: 1.
	Burst float64
	Peak  float64
}

// Steady is a source of steady load.
type Steady struct {
	pattern Pattern
	o       Options
	host    []stream
	log     float64 // of 1 - probability of a packet in a clock
}

type stream struct {
	pcg   rand.PCG
	rand  *rand.Rand
	clock engine.Clock // of the last packet
	left  int          // packets of this burst
}

// New returns a source for n's hosts.
func New(n *model.Network, p Pattern, o Options) (*Steady, error) {
	mean := float64(o.Flits)
	for i, k := range o.Mixed {
		if k < 1 {
			return nil, fmt.Errorf("traffic: packets of %d flits", k)
		}
		if i == 0 {
			mean = 0
		}
		mean += float64(k) / float64(len(o.Mixed))
	}
	switch {
	case !(o.Load >= 0 && o.Load <= 1):
		return nil, fmt.Errorf("traffic: a load of %v flits per clock and host, allowed are 0 to 1", o.Load)
	case !(mean >= 1):
		return nil, fmt.Errorf("traffic: packets of %d flits", o.Flits)
	case o.Burst < 0 || math.IsNaN(o.Burst) || o.Peak < 0 || o.Peak > 1 || math.IsNaN(o.Peak):
		return nil, fmt.Errorf("traffic: bursts of %v packets at %v flits per clock", o.Burst, o.Peak)
	case o.Burst > 1 && o.Load >= peak(o):
		return nil, fmt.Errorf("traffic: a load of %v in bursts of %v flits per clock", o.Load, peak(o))
	}
	s := &Steady{pattern: p, o: o, host: make([]stream, n.NumHosts()), log: math.Log1p(-min(o.Load/mean, 1))}
	if o.Burst > 1 {
		s.log = math.Log1p(-min(peak(o)/mean, 1))
	}
	for h := range s.host {
		x := &s.host[h]
		x.pcg = *rand.NewPCG(o.Seed, uint64(h))
		x.rand = rand.New(&x.pcg)
		x.clock = -1
	}
	return s, nil
}

func peak(o Options) float64 {
	if o.Peak == 0 {
		return 1
	}
	return o.Peak
}

// Next implements engine.Source.
func (s *Steady) Next(h model.HostID) (engine.Packet, bool) {
	x := &s.host[h]
	if s.o.Load == 0 {
		return engine.Packet{}, false
	}
	flits := s.o.Flits
	if len(s.o.Mixed) > 0 {
		flits = s.o.Mixed[x.rand.IntN(len(s.o.Mixed))]
	}
	x.clock += s.gap(x)
	d := s.pattern.Dest(h, x.rand)
	if d == model.NoHost {
		return engine.Packet{}, false
	}
	return engine.Packet{Created: x.clock, Source: h, Dest: model.DestID(d), Flits: flits}, true
}

// gap draws the clocks from one packet to the next.
func (s *Steady) gap(x *stream) engine.Clock {
	g := geometric(x, s.log)
	if s.o.Burst <= 1 {
		return g
	}
	if x.left == 0 {
		x.left = int(geometric(x, math.Log1p(-1/s.o.Burst)))
		on := s.o.Burst * -1 / math.Expm1(s.log) // clocks that a burst takes in the mean
		off := on * (peak(s.o)/s.o.Load - 1)
		g += geometric(x, math.Log1p(-1/(off+1))) - 1
	}
	x.left--
	return g
}

// geometric draws how many trials it takes; log is that of 1 - probability.
func geometric(x *stream, log float64) engine.Clock {
	if math.IsInf(log, -1) {
		return 1
	}
	return 1 + engine.Clock(math.Log(1-x.rand.Float64())/log)
}
