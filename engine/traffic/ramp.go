package traffic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// A load that rises linearly from 0: the traffic of the ramp load method (T. Yokota, K. Ootsu and
// T. Baba, IPSJ Trans. ACS 2(3), 2009).
//
// The packets of a host are a Poisson process whose rate rises with the clock, at most one packet
// in a clock.

// RampOptions say how the load rises. All fields except Dests and Seed are required.
type RampOptions struct {
	To     float64      // flits per clock and host at the end
	Clocks engine.Clock // clocks from a load of 0 to To
	Flits  int          // length of a packet
	Seed   uint64
	Dests  []model.DestID // as in Options
}

// Ramp is a source whose load rises.
type Ramp struct {
	pattern Pattern
	o       RampOptions
	random  []*rand.Rand // by host
	at      []float64    // by host: time of its last packet
	sent    []int64
}

// NewRamp returns a source for n's hosts.
func NewRamp(n *model.Network, p Pattern, o RampOptions) (*Ramp, error) {
	if !(o.To > 0 && o.To <= 1) || o.Clocks < 1 || o.Flits < 1 {
		return nil, fmt.Errorf("traffic: a load up to %v in %d clocks, packets of %d flits; loads are above 0, up to 1", o.To, o.Clocks, o.Flits)
	}
	if err := checkDests(o.Dests, n.NumHosts()); err != nil {
		return nil, err
	}
	r := &Ramp{pattern: p, o: o, random: make([]*rand.Rand, n.NumHosts()), at: make([]float64, n.NumHosts()), sent: make([]int64, n.NumHosts())}
	for h := range r.random {
		r.random[h] = rand.New(rand.NewPCG(o.Seed, uint64(h)))
	}
	return r, nil
}

// Next implements engine.Source. It creates no packets after the end of the ramp.
func (r *Ramp) Next(h model.HostID) (engine.Packet, bool) {
	share := Share(r.pattern, h)
	if share == 0 {
		return engine.Packet{}, false
	}
	// The rate at t is slope*t. The integral of the rate from t to the next packet is
	// exponentially distributed.
	slope := share * r.o.To / float64(r.o.Flits) / float64(r.o.Clocks)
	t := r.at[h]
	t = max(math.Sqrt(t*t+2*r.random[h].ExpFloat64()/slope), math.Floor(t)+1)
	r.at[h] = t
	if t >= float64(r.o.Clocks) {
		return engine.Packet{}, false
	}
	d := r.pattern.Dest(h, r.random[h])
	if d == model.NoHost {
		return engine.Packet{}, false
	}
	k := r.sent[h]
	r.sent[h]++
	return engine.Packet{Created: engine.Clock(t), Source: h, Dest: dest(r.o.Dests, d), Flits: r.o.Flits, ID: k*int64(len(r.sent)) + int64(h)}, true
}
