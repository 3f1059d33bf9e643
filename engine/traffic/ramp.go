package traffic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file creates packets at a load that rises evenly from 0: the ramp load
// method's traffic (T. Yokota, K. Ootsu and T. Baba, IPSJ Trans. ACS 2(3), 2009).
//
// The packets of a host are a Poisson process whose rate rises with the clock, one a
// clock at most.

// RampOptions say how the load rises. All but Dests and Seed must be given.
type RampOptions struct {
	To     float64      // flits per clock and host at the end
	Clocks engine.Clock // from a load of 0 to that
	Flits  int          // of a packet
	Seed   uint64
	Dests  []model.DestID // as in Options
}

// Ramp is such a source.
type Ramp struct {
	pattern Pattern
	o       RampOptions
	random  []*rand.Rand // by host
	at      []float64    // by host: of its last packet
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

// Next implements engine.Source: none is created after the ramp's end.
func (r *Ramp) Next(h model.HostID) (engine.Packet, bool) {
	share := Share(r.pattern, h)
	if share == 0 {
		return engine.Packet{}, false
	}
	// The rate at t is slope*t; between t and the next packet lies an exponential
	// share of its integral.
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
