package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file creates a simulation and runs the steps of a clock in order. All work is in lists of
// the VCs and ports that can act, so the cost of a clock grows with the moving flits, not with the
// network. The state is in state.go.

// New creates a simulation of routing r on r.Network(). It calls report, if not nil, for every
// packet that arrives. Within report no method of the simulation may be called if the source is
// Separate. New fails for options that contradict each other or do not fit the network.
func New(r model.Relation, source Source, o Options, report func(Delivery)) (*Sim, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := newSim(r, o)
	s.source, s.report = source, report
	if err := s.number(); err != nil {
		return nil, err
	}
	if err := s.readLinks(); err != nil {
		return nil, err
	}
	s.endless = s.isEndless()
	near := Clock(7)
	for near < s.longest() {
		near = 2*near + 1
	}
	s.wheels = newWheels(near)
	fillRecords(s)
	if err := addMechanisms(s); err != nil {
		return nil, err
	}
	s.plain = s.isPlain()
	s.newRouters()
	if parts := len(s.vc) / partVCs; parts >= manyParts || parts >= fewParts && o.Workers > 1 {
		s.divide(parts, max(o.Workers, 1))
	}
	for h := range int32(r.Sources()) {
		if s.fetch(h, 0) {
			s.list(h)
		}
	}
	return s, nil
}

// newSim returns a simulation with empty records, of the sizes of the network.
func newSim(r model.Relation, o Options) *Sim {
	n := r.Network()
	k, c := n.NumVCs(), n.NumChannels()
	s := &Sim{net: n, rel: r, o: o}
	s.delay = delaysOf(&o)
	s.vcs, s.vc = n.VCs(), make([]vc, k)
	s.port, s.hostOf, s.until = make([]port, c), make([]int32, c), make([]Clock, c)
	s.packet = make([]packet, noPacket+1)
	s.sleepNext, s.hosts = make([]int32, k), make([]host, r.Sources())
	s.bids, s.picks = slices.Repeat([]int32{-1}, k), slices.Repeat([]int32{-1}, k)
	s.whole, s.atomic = o.Switching != model.Wormhole, o.Atomic
	if o.Delays != nil {
		s.hostsKnow = Clock(o.Delays.Credit + o.Delays.Link - 1)
	}
	s.reserves, s.selects = s.whole || s.atomic || o.NotFull, o.Select != SelectAll && !o.Select.Commits()
	s.hostsKeep = (s.atomic || o.NotFull) && o.Timing == BookSim
	return s
}

// fillRecords fills the records of VCs, hosts and ports, whose numbers and buffers are known.
func fillRecords(s *Sim) {
	for v := range s.vc {
		in := v / s.vcs
		s.vc[v] = vc{target: -1, owner: -1, in: int32(in), credits: s.buffer[in], bit: s.port[in].number*int16(s.vcs) + int16(v%s.vcs)}
		if p := &s.port[in]; p.of > 0 {
			s.vc[v].place = p.index*int16(s.vcs) + int16(v%s.vcs)
		}
	}
	for h := range s.hosts {
		base := s.portOf[s.net.InjectChannel(model.HostID(h))] * int32(s.vcs)
		s.hosts[h] = host{vc: -1, base: base, last: int16(s.vcs - 1)}
	}
	s.busy = newPortSet(len(s.port))
	for range s.outs {
		s.asleep = append(s.asleep, -1)
	}
}

// addMechanisms adds what the options ask for beside the kernel. It fails for options that contradict each other or do not
// fit the network.
func addMechanisms(s *Sim) (err error) {
	r, o := s.rel, &s.o
	if o.Arbiter == FirstCome {
		s.came = make([]Clock, len(s.vc))
	}
	if o.Loads {
		s.loads = newLoads(s)
	}
	if o.Follow != nil {
		s.journeys = newJourneys(s, o.Follow)
	}
	if s.messages, err = newMessages(s); err != nil {
		return err
	}
	s.routes = newRoutes(s, r, maxAhead)
	if words := r.Sources() * s.routedWords(); words <= maxPairsKnown/64 {
		s.routed = make([]uint64, words)
	}
	if o.Permitted != nil {
		s.allowed = newRoutes(s, o.Permitted, maxAhead)
	}
	if s.commits, err = waitingOf(r, o.Waiting); err != nil {
		return err
	}
	if s.control, err = newControl(s); err != nil {
		return err
	}
	if s.rings, err = newRings(s); err != nil {
		return err
	}
	s.detours, s.estimates = newDetours(r, o), newEstimates(s)
	if s.commits != nil && s.detours != nil {
		return fmt.Errorf("engine: selection %s chooses the path of each packet, but the routing chooses the next hop of some; want waiting any", o.Select)
	}
	return nil
}

// newWheels returns wheels without events.
func newWheels(near Clock) wheels {
	w := wheels{near: near, arrivals: make([][]int32, near+1), credits: make([][]int32, near+1), tails: make([][]PacketID, near+1),
		ends: make([][]int32, near+1), asks: make([][]int32, near+1)}
	for i := range w.created {
		w.created[i] = -1
	}
	return w
}

// Now returns the number of the next clock to simulate.
func (s *Sim) Now() Clock { return s.now }

// Delivered returns the number of packets that have arrived.
func (s *Sim) Delivered() int64 { return s.delivered }

// Dropped returns the number of packets that were discarded because no output VC was permitted.
func (s *Sim) Dropped() int64 { return s.dropped }

// InNetwork returns the number of packets that have left their host and have neither arrived nor
// been dropped.
func (s *Sim) InNetwork() int64 { return s.inNetwork }

// FlitHops returns the sum over all flits of the switches that they have traversed.
func (s *Sim) FlitHops() int64 { return s.hops }

// Run simulates the given number of clocks. It returns early if ctx ends, or if a source creates a
// packet that must fit into a buffer and does not.
func (s *Sim) Run(ctx context.Context, clocks Clock) error {
	if s.parts != nil {
		return s.parts.alternate(ctx, s, s.now+clocks)
	}
	return s.runWhole(ctx, s.now+clocks)
}

// runWhole simulates until the given clock without dividing the simulation.
func (s *Sim) runWhole(ctx context.Context, end Clock) error {
	step := s.stepBookSim
	switch {
	case s.o.Timing == Paper:
		step = s.stepPaper
	case s.plain:
		step = s.stepPlain
	}
	for s.now < end {
		if s.now&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		step()
		if s.failed != nil {
			return s.failed
		}
	}
	return nil
}

// stepBookSim simulates one clock of the input-queued router of BookSim 2. VC allocation sees the
// output VCs that were free before the switch allocation of the same clock.
func (s *Sim) stepBookSim() {
	s.arrive()
	s.route()
	if len(s.sending) > 0 {
		s.inject()
	}
	s.allocateSwitch()
	s.beginAsking()
	if len(s.wait) > 0 {
		s.allocateVCs()
	}
	if len(s.released) > 0 {
		s.wakeReleased()
	}
	if s.control != nil {
		s.control.tick(s)
	}
	s.now++
}

// stepPaper simulates one clock of the papers' switch. A head is routed, gets an output VC and
// departs in the clock in which it arrives.
func (s *Sim) stepPaper() {
	s.arrive()
	s.route()
	s.wakeReleased()
	s.inject()
	s.beginAsking()
	s.allocateVCs()
	s.allocateSwitch()
	if s.control != nil {
		s.control.tick(s)
	}
	s.now++
}

// Buffered returns the number of flits in buffers.
func (s *Sim) Buffered() (flits int64) {
	for v := range s.vc {
		flits += int64(s.vc[v].have)
	}
	return flits
}
