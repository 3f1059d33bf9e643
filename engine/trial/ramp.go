package trial

import (
	"context"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
)

// This file runs the ramp load method, see measure.RampMeter.

// RampResult has the figures of a ramp, or the deadlock that ended it.
type RampResult struct {
	*measure.RampResult
	Deadlock *engine.Deadlock
	FlitHops int64
}

// Ramp simulates s.Clocks clocks in which the load of s.Traffic rises linearly from 0 to s.Load.
// It measures the given number of windows, or the default of measure.RampOptions if windows is 0.
func Ramp(ctx context.Context, r model.Relation, s Settings, windows int) (*RampResult, error) {
	if err := s.noMessages("rising loads"); err != nil {
		return nil, err
	}
	s.NoWarm = true
	s.fill()
	if err := s.check(); err != nil {
		return nil, err
	}
	dests, err := traffic.Destinations(r)
	if err != nil {
		return nil, err
	}
	p, err := s.pattern(r.Network())
	if err != nil {
		return nil, err
	}
	if s.NoSelf {
		p = traffic.WithoutSelf(p)
	}
	source, err := traffic.NewRamp(r.Network(), p, traffic.RampOptions{To: s.Load, Clocks: s.Clocks, Flits: s.Flits, Seed: s.Seed, Dests: dests})
	if err != nil {
		return nil, err
	}
	meter := measure.NewRamp(measure.RampOptions{Hosts: senders(r.Network(), p), To: s.Load, Clocks: s.Clocks, Windows: windows})
	sim, err := engine.New(r, source, s.Engine, meter.Deliver)
	if err != nil {
		return nil, err
	}
	res := &RampResult{}
	if res.Deadlock, err = sim.Watch(ctx, s.Clocks); err != nil {
		return nil, err
	}
	res.RampResult, res.FlitHops = meter.Result(), sim.FlitHops()
	return res, nil
}

// senders returns the number of hosts that send packets, weighted by their shares of the load.
func senders(n *model.Network, p traffic.Pattern) int {
	sum := 0.0
	for h := range model.HostID(n.NumHosts()) {
		sum += traffic.Share(p, h)
	}
	return int(sum + 0.5)
}
