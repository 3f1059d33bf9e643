package trial

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/packets"
	"github.com/turnproof/turnproof/model"
)

// This file runs a trial.

// Result of a trial. Figures that there are none of are NaN.
type Result struct {
	measure.Result
	Offered   float64 // flits per clock and host, in the mean; 0: the traffic ends by itself
	Delivered int64   // packets, from clock 0 on
	Dropped   int64   // packets that had nowhere to go
	InNetwork int64   // packets, at the end
	Clocks    engine.Clock
	FlitHops  int64
	MeanHops  float64          // switches passed, those of flits under way too, for each flit delivered
	Deadlock  *engine.Deadlock // the run ended with it
	Occupancy []measure.Sample // flits in buffers
	Loads     Loads            // nil without Settings.Engine.Loads
}

// Loads tells how many flits passed a channel, or a turn, from clock 0 on.
type Loads interface {
	ChannelFlits(c model.ChannelID) int64
	TurnFlits(in, out model.ChannelID) int64
}

// simulator is what both kernels can do.
type simulator interface {
	Loads
	Run(ctx context.Context, clocks engine.Clock) error
	Now() engine.Clock
	Delivered() int64
	Dropped() int64
	InNetwork() int64
	FlitHops() int64
	Check() []error
	Advance(ctx context.Context, clocks engine.Clock) (*engine.Deadlock, error)
	Look(ctx context.Context) (*engine.Deadlock, error)
}

// Run runs a trial of r. It fails for settings that do not fit each other or the
// network. The same settings give the same result.
func Run(ctx context.Context, r model.Relation, s Settings) (*Result, error) {
	s.fill()
	if err := s.check(); err != nil {
		return nil, err
	}
	source, err := s.source(r)
	if err != nil {
		return nil, err
	}
	meter := measure.New(measure.Options{Warmup: s.Warmup, Hosts: r.Network().NumHosts(), HostOf: r.DestinationHost, Batch: max(1000, (s.Clocks-s.Warmup)/30)})
	last, flits := engine.Clock(-1), 0
	told := &teller{report: s.Report, host: r.DestinationHost, keep: s.ByPackets(r)}
	tell := engine.Clock(0)
	report := func(d engine.Delivery) {
		if s.Progress != nil && s.Clocks > 0 && d.Arrived >= tell {
			s.Progress(d.Arrived, s.Clocks)
			tell = d.Arrived + max(1, s.Clocks/200)
		}
		meter.Deliver(d)
		flits += d.Flits
		if last = d.Arrived; s.Report != nil {
			told.deliver(d)
		}
	}
	sim, err := s.simulator(r, source, report)
	if err != nil {
		return nil, err
	}
	res := &Result{Offered: source.load}
	if err := s.run(ctx, sim, source.packets, res); err != nil {
		return nil, err
	}
	if res.Deadlock != nil && s.ByPackets(r) {
		return s.again(ctx, r)
	}
	told.end()
	if res.Clocks = sim.Now(); s.Clocks == 0 && res.Deadlock == nil {
		res.Clocks = last + 1 // the traffic ended by itself
	}
	res.Result = meter.Result(res.Clocks)
	res.Delivered, res.Dropped, res.InNetwork, res.FlitHops = sim.Delivered(), sim.Dropped(), sim.InNetwork(), sim.FlitHops()
	res.MeanHops = float64(res.FlitHops) / float64(flits) // NaN without any
	if s.Engine.Loads {
		res.Loads = sim
	}
	return res, nil
}

// ByPackets reports whether packet events are exact for the settings.
func (s *Settings) ByPackets(r model.Relation) bool {
	e := &s.Engine
	if model.CommitsIn(r, e.Waiting) != nil {
		return false
	}
	return e.Timing == engine.Paper && (e.Switching == model.CutThrough || e.Switching == model.StoreAndForward) && r.Network().VCs() == 1 && !e.Atomic && e.Arbiter != engine.FirstCome && (e.EjectClocks == 0 || e.EjectClocks == max(e.LinkClocks, 1)) &&
		e.Select != engine.SelectDrawn && e.Select != engine.SelectAhead && e.Gate == nil && e.Throttle == nil && !s.Flitwise && s.Occupancy == 0
}

// again runs a trial flit by flit in which packet events found a deadlock: that
// kernel tells the clock in which it closed.
func (s Settings) again(ctx context.Context, r model.Relation) (*Result, error) {
	s.Flitwise = true
	res, err := Run(ctx, r, s)
	if err == nil && res.Deadlock == nil {
		err = errors.New("internal error: a deadlock by packet events, none flit by flit")
	}
	return res, err
}

// byPackets is the kernel of packet events as a simulator.
type byPackets struct{ *packets.Sim }

// ChannelFlits implements Loads.
func (b byPackets) ChannelFlits(c model.ChannelID) int64 { return b.Sim.ChannelFlits()[c] }

// Advance runs and looks; its deadlock has no clock.
func (b byPackets) Advance(ctx context.Context, clocks engine.Clock) (*engine.Deadlock, error) {
	if err := b.Run(ctx, clocks); err != nil {
		return nil, err
	}
	return b.Look(ctx)
}

// Look looks.
func (b byPackets) Look(context.Context) (*engine.Deadlock, error) {
	if b.Frozen() == nil {
		return nil, nil
	}
	return &engine.Deadlock{Clock: b.Now()}, nil
}

func (s *Settings) simulator(r model.Relation, source engine.Source, report func(engine.Delivery)) (simulator, error) {
	if s.ByPackets(r) {
		sim, err := packets.New(r, source, s.Engine, report)
		return byPackets{sim}, err
	}
	return engine.New(r, source, s.Engine, report)
}

// run simulates until the clocks are over, the traffic has ended or a deadlock has
// closed.
func (s *Settings) run(ctx context.Context, sim simulator, all int64, res *Result) (err error) {
	end := s.Clocks
	if end == 0 {
		end = mostClocks
	}
	each := min(end, 1<<16)
	series := measure.NewSeries(s.Occupancy)
	switch {
	case s.Check:
		each = 1
	case s.Occupancy > 0 && s.Finite():
		each = 16
	case s.Finite() && (s.Engine.Gate != nil || s.Engine.Throttle != nil):
		each = 64 // an empty network still passes control information on
	case s.Occupancy > 0:
		each = max(1, min(end/engine.Clock(s.Occupancy), each))
	}
	for sim.Now() < end && res.Deadlock == nil && (!s.Finite() || sim.Delivered()+sim.Dropped() < all) {
		if s.Check {
			if errs := sim.Check(); len(errs) > 0 {
				return fmt.Errorf("internal error: %w", errs[0])
			}
		}
		if s.Occupancy > 0 {
			series.Add(sim.Now(), float64(sim.(*engine.Sim).Buffered()))
		}
		if res.Deadlock, err = sim.Advance(ctx, min(each, end-sim.Now())); err != nil {
			return err
		}
	}
	if res.Deadlock == nil {
		if res.Deadlock, err = sim.Look(ctx); err != nil {
			return err
		}
	}
	if s.Occupancy > 0 {
		res.Occupancy = series.Points()
	}
	return nil
}
