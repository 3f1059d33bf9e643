package engine

import (
	"context"

	"github.com/turnproof/turnproof/model"
)

// This file is the simulation that callers see: it runs, and returns totals and the packet that is in the network for longest.

// Sim is a simulation. It is not safe for concurrent use.
type Sim struct {
	plainKernel
	before *Sim  // copy of the state at the last look of Watch
	lookAt Clock // the clock of the next look of Watch
}

// Run simulates the given number of clocks. It returns early if ctx ends, or if a source creates a
// packet that must fit into a buffer and does not.
func (s *Sim) Run(ctx context.Context, clocks Clock) error {
	if s.parts != nil {
		return s.parts.alternate(ctx, &s.plainKernel, s.now+clocks)
	}
	return s.runWhole(ctx, s.now+clocks)
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

// Buffered returns the number of flits in buffers.
func (s *Sim) Buffered() (flits int64) {
	for v := range s.vc {
		flits += int64(s.vc[v].have)
	}
	return flits
}

// Injected returns the number of flits that have left their hosts.
func (s *Sim) Injected() int64 { return s.flitsIn }

// BufferSlots returns the number of flits that the buffers of all switches hold: those at the ends
// of links and of channels from hosts.
func (s *Sim) BufferSlots() int64 {
	slots := int64(0)
	for p := range s.port {
		if !s.port[p].eject && int(s.hostOf[p]) < s.net.NumHosts() { // management endpoints are no hosts
			slots += int64(s.buffer[p])
		}
	}
	return slots * int64(s.vcs)
}

// Oldest returns the packet on a VC that was created first, and the one with the lowest ID among
// several. It reports false if there is no packet on a VC. Cost: O(VCs + packets in the network).
func (s *Sim) Oldest() (oldest Packet, ok bool) {
	for v := range int32(len(s.vc)) {
		x := &s.vc[v]
		id := x.id
		for i := range x.packets {
			if p := &s.packet[id]; (i > 0 || x.state != ending) && (!ok || p.created < oldest.Created || p.created == oldest.Created && p.id < oldest.ID) {
				oldest, ok = s.sent(p), true
			}
			id = s.packet[id].next
		}
	}
	return oldest, ok
}

// Refill asks the source again for each host that had no next packet. New packets must be created
// in the next clock to simulate or later.
func (s *Sim) Refill() {
	for h := range model.HostID(len(s.hosts)) {
		s.Wake(h)
	}
}

// Wake asks the source again for the next packet of host h, if the host had none. The packet must
// be created in the next clock to simulate or later. Call Wake between two calls of Run. Cost:
// constant, while Refill visits all hosts.
func (s *Sim) Wake(h model.HostID) {
	if x := &s.hosts[h]; !x.has && s.fetch(int32(h), s.now) {
		s.list(int32(h))
	}
}
