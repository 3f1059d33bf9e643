package replay

import (
	"context"
	"math/rand/v2"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file simulates a proved routing at saturation: every host always has a packet to send, to a
// random destination.

// Saturation is the result of Saturate.
type Saturation struct {
	Clocks   engine.Clock
	Accepted float64 // flits per clock and host, without the first quarter of the run
	Deadlock *engine.Deadlock
}

// Saturate simulates r for o.Clocks. With wormhole switching and o.Atomic, a VC holds flits of one
// packet at a time.
func Saturate(ctx context.Context, r model.Relation, o Options) (*Saturation, error) {
	o.defaults(r.Network(), nil)
	e := *o.Engine
	if o.Facts == nil || o.Facts.Reuse == "" {
		e.Atomic = o.Atomic
	}
	random := rand.New(rand.NewPCG(o.Seed, 6))
	source := &eager{dest: anyDestination(r, random), random: random, flits: o.Flits, at: make([]engine.Clock, r.Sources())}
	res := &Saturation{}
	flits := 0
	s, err := engine.New(r, source, e, func(d engine.Delivery) {
		if d.Arrived >= o.Clocks/4 {
			flits += d.Flits
		}
	})
	if err != nil {
		return nil, err
	}
	if res.Deadlock, err = s.Watch(ctx, o.Clocks); err != nil {
		return nil, err
	}
	res.Clocks = s.Now()
	if hosts := r.Network().NumHosts(); s.Now() > o.Clocks/4 && hosts > 0 {
		res.Accepted = float64(flits) / float64(s.Now()-o.Clocks/4) / float64(hosts)
	}
	return res, nil
}

// anyDestination returns a function that draws a random destination to which a host may send. The
// function returns false if a hundred draws find none.
func anyDestination(r model.Relation, random *rand.Rand) func(model.HostID) (model.DestID, bool) {
	return func(h model.HostID) (model.DestID, bool) {
		for range 100 {
			if d := model.DestID(random.IntN(max(r.Destinations(), 1))); r.Destinations() > 0 && model.Sends(r, h, d) {
				return d, true
			}
		}
		return 0, false
	}
}
