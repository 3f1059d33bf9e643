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

// Result is the result of a trial. Figures that cannot be computed are NaN.
type Result struct {
	measure.Result
	Offered   float64 // mean created load in flits per clock and host; 0 if the traffic is finite
	Delivered int64   // packets delivered since clock 0
	Dropped   int64   // packets without a permitted VC
	InNetwork int64   // packets in the network at the end
	Clocks    engine.Clock
	FlitHops  int64
	MeanHops  float64           // switches traversed by flits, including flits in transit, divided by the flits delivered
	Deadlock  *engine.Deadlock  // the deadlock that ended the run, or nil
	Occupancy []measure.Sample  // flits in buffers over time
	Loads     Loads             // nil without Settings.Engine.Loads
	UnderWay  []*engine.Journey // of followed packets that are in the network at the end
	// With Settings.Messages: the figures of each class, those of the time from the creation of a
	// request to the arrival of its last reply, and the number of requests answered since clock 0.
	Classes    []ClassResult
	RoundTrips *measure.Result
	Answered   int64
}

// Loads returns the number of flits that have traversed a channel, or a turn, since clock 0.
type Loads interface {
	ChannelFlits(c model.ChannelID) int64
	TurnFlits(in, out model.ChannelID) int64
}

// simulator has the methods that both kernels share: flit by flit and packet events.
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

// Run runs a trial of r. It fails for settings that contradict each other or do not fit the
// network. The same settings give the same result.
func Run(ctx context.Context, r model.Relation, s Settings) (*Result, error) {
	s.fill()
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := s.checkMessages(r); err != nil {
		return nil, err
	}
	source, err := s.source(r)
	if err != nil {
		return nil, err
	}
	l := s.newListener(r)
	sim, err := s.simulator(r, source.Source, l.deliver)
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
	l.end(sim, res)
	res.Delivered, res.Dropped, res.InNetwork, res.FlitHops = sim.Delivered(), sim.Dropped(), sim.InNetwork(), sim.FlitHops()
	res.MeanHops = float64(res.FlitHops) / float64(l.flits) // NaN if no flit was delivered
	if s.Engine.Loads {
		res.Loads = sim
	}
	if s.Engine.Follow != nil {
		res.UnderWay = sim.(*engine.Sim).UnderWay()
	}
	return res, nil
}

// A listener measures the packets that arrive, and passes them on.
type listener struct {
	s       *Settings
	meter   *measure.Meter
	classes *classMeter // nil without classes of messages
	told    *teller
	flits   int
	last    engine.Clock // of an arrival
	next    engine.Clock // of the next call of Progress
}

// newListener returns a listener that has heard of no packet.
func (s *Settings) newListener(r model.Relation) *listener {
	o := measure.Options{Warmup: s.Warmup, Hosts: r.Network().NumHosts(), HostOf: r.DestinationHost,
		Batch: max(1000, (s.Clocks-s.Warmup)/30), Finite: s.Finite(), Between: s.meanFlits() / s.Load, Burst: s.Burst}
	return &listener{s: s, meter: measure.New(o), classes: s.newClassMeter(o), last: -1,
		told: &teller{report: s.Report, host: r.DestinationHost, keep: s.ByPackets(r)}}
}

// deliver measures a packet, and passes it to Watchers and Report.
func (l *listener) deliver(d engine.Delivery) {
	s := l.s
	if s.Progress != nil && s.Clocks > 0 && d.Arrived >= l.next {
		s.Progress(d.Arrived, s.Clocks)
		l.next = d.Arrived + max(1, s.Clocks/200)
	}
	if l.meter.Deliver(d); l.classes != nil {
		l.classes.deliver(d)
	}
	for _, w := range s.Watchers {
		w.Deliver(d)
	}
	l.flits += d.Flits
	if l.last = d.Arrived; s.Report != nil {
		l.told.deliver(d)
	}
}

// end adds the clocks and what was measured to the result.
func (l *listener) end(sim simulator, res *Result) {
	l.told.end()
	if res.Clocks = sim.Now(); l.s.Clocks == 0 && res.Deadlock == nil {
		res.Clocks = l.last + 1 // the finite traffic has ended
	}
	if res.Result = l.meter.Result(res.Clocks); l.classes != nil {
		l.classes.result(res, sim.(*engine.Sim))
	}
}

// ByPackets reports whether simulation with packet events is exact for the settings.
func (s *Settings) ByPackets(r model.Relation) bool {
	e := &s.Engine
	if model.CommitsIn(r, e.Waiting) != nil || e.Messages != nil || e.Uneven(r.Network()) {
		return false
	}
	return e.Timing == engine.Paper && (e.Switching == model.CutThrough || e.Switching == model.StoreAndForward) &&
		r.Network().VCs() == 1 && !e.Atomic && e.Arbiter != engine.FirstCome &&
		(e.EjectClocks == 0 || e.EjectClocks == max(e.LinkClocks, 1)) &&
		packets.Selects(e.Select) && e.Gate == nil && e.Flow == nil && e.Throttle == nil && e.Follow == nil &&
		!s.Flitwise && s.Occupancy == 0 && len(s.Watchers) == 0
}

// again simulates a trial flit by flit, after packet events found a deadlock in it. Only the
// flit-by-flit kernel finds the clock in which the deadlock closed.
func (s Settings) again(ctx context.Context, r model.Relation) (*Result, error) {
	s.Flitwise = true
	res, err := Run(ctx, r, s)
	if err == nil && res.Deadlock == nil {
		err = errors.New("internal error: a deadlock by packet events, none flit by flit")
	}
	return res, err
}

// byPackets makes the kernel of packet events a simulator.
type byPackets struct{ *packets.Sim }

// ChannelFlits implements Loads.
func (b byPackets) ChannelFlits(c model.ChannelID) int64 { return b.Sim.ChannelFlits()[c] }

// Advance simulates clocks and looks for a deadlock. The deadlock has no clock.
func (b byPackets) Advance(ctx context.Context, clocks engine.Clock) (*engine.Deadlock, error) {
	if err := b.Run(ctx, clocks); err != nil {
		return nil, err
	}
	return b.Look(ctx)
}

// Look returns a deadlock without its clock, or nil.
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

// ended returns the number of packets that have arrived or are dropped, or with messages of
// requests that are answered or lost.
func (s *Settings) ended(sim simulator) int64 {
	if s.Messages != nil {
		return sim.(*engine.Sim).Answered()
	}
	return sim.Delivered() + sim.Dropped()
}

// run simulates until the clocks are over, the traffic has ended or a deadlock has closed.
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
	case s.Finite() && s.Engine.Informs():
		each = 64 // control information still moves in an empty network
	case s.Occupancy > 0:
		each = max(1, min(end/engine.Clock(s.Occupancy), each))
	}
	for sim.Now() < end && res.Deadlock == nil && (!s.Finite() || s.ended(sim) < all) {
		if s.Check {
			if errs := sim.Check(); len(errs) > 0 {
				return fmt.Errorf("internal error: %w", errs[0])
			}
		}
		if s.Occupancy > 0 {
			series.Add(sim.Now(), float64(sim.(*engine.Sim).Buffered()))
		}
		if err = s.advance(ctx, sim, min(each, end-sim.Now()), all, res); err != nil {
			return err
		}
	}
	if res.Deadlock == nil {
		if res.Deadlock, err = sim.Look(ctx); err != nil {
			return err
		}
	}
	for _, w := range s.Watchers {
		w.Look(sim.(*engine.Sim))
	}
	if s.Occupancy > 0 {
		res.Occupancy = series.Points()
	}
	return nil
}
