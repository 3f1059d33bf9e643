package engine

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file creates a simulation.

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
	fillRecords(&s.kernel)
	if o.Arbiter == FirstCome {
		s.came = make([]Clock, len(s.vc))
	}
	addRoutes(&s.kernel)
	if err := addMechanisms(&s.kernel); err != nil {
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
	s := &Sim{}
	s.net, s.rel, s.o = n, r, o
	if s.virtual, _ = r.(*model.VirtualNetworks); o.Messages == nil {
		s.virtual = nil
	}
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
	s.reserves = s.whole || s.atomic || o.NotFull
	s.hostsKeep = (s.atomic || o.NotFull) && o.Timing == BookSim
	return s
}

// fillRecords fills the records of VCs, hosts and ports, whose numbers and buffers are known.
func fillRecords(s *kernel) {
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

// makers make the mechanisms that options ask for, in the order in which they act. Each returns nil if the options do not ask
// for its mechanism, and fails if they contradict each other or do not fit the network.
var makers = []func(s *kernel) (mechanism, error){
	newChanging, newLoads, newJourneys, newMessages, newFlows, newDetours, newDrawn, newRegional, newGates, newAhead, newCounts, newRings,
	newPaced, newSelection, newWeighted,
}

// addMechanisms adds what the options ask for beside the kernel.
func addMechanisms(s *kernel) error {
	for _, make := range makers {
		m, err := make(s)
		if err != nil {
			return err
		}
		if m != nil {
			s.add(m)
		}
	}
	return nil
}

// addRoutes adds the answers of the routing.
func addRoutes(s *kernel) {
	s.routes = newRoutes(&s.state, s.rel, maxAhead)
	if words := s.rel.Sources() * wordsOf(s.routes); words <= maxPairsKnown/64 {
		s.routed = make([]uint64, words)
	}
	if s.o.Permitted != nil {
		s.allowed = newRoutes(&s.state, s.o.Permitted, maxAhead)
	}
}
