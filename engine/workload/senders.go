package workload

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
)

// This file is the source of packets. A host sends its messages one after the other, in the order
// in which they start. A message is cut into packets, and a packet into flits.

// senders implements engine.Source.
type senders struct {
	x       *runner
	sim     *engine.Sim
	dests   []model.DestID // by host
	hosts   []sender
	left    []OpID // sends whose last flit has left the host since the last call of takeLeft
	arrived []OpID // messages that have arrived since the last call of takeArrived
}

// sender is the queue of a host.
type sender struct {
	queue   []OpID
	next    int   // index in queue of the next message
	current OpID  // the message that is being sent, or NoOp
	flits   int64 // of current: those that are not in a packet yet
	asleep  bool  // whether the engine must be woken for a new message
}

// newSenders prepares the hosts. It fails for a message between hosts without a route.
func (x *runner) newSenders(r model.Relation) error {
	dests, err := traffic.Destinations(r)
	if err != nil {
		return err
	}
	x.sends = senders{x: x, dests: dests, hosts: make([]sender, r.Network().NumHosts())}
	for h := range x.sends.hosts {
		x.sends.hosts[h].current = NoOp
	}
	checked := map[[2]model.HostID]bool{}
	for i := range x.g.Ops {
		o := &x.g.Ops[i]
		if o.Kind != Send {
			continue
		}
		pair := [2]model.HostID{x.hosts[o.Rank], x.hosts[o.Peer]}
		if pair[0] == pair[1] || checked[pair] {
			continue
		}
		checked[pair] = true
		if len(r.Inject(pair[0], dests[pair[1]], nil)) == 0 {
			return x.g.errorAt(OpID(i), "the routing has no route from host %d to host %d for the %s", pair[0], pair[1], x.g.Describe(OpID(i)))
		}
	}
	return nil
}

// flits returns the number of flits of a message, at least 1.
func (s *Settings) flits(bytes int64) int64 {
	return max(1, (bytes+int64(s.FlitBytes)-1)/int64(s.FlitBytes))
}

// packets returns the number of packets of a message.
func (s *Settings) packets(bytes int64) int64 {
	return (s.flits(bytes) + int64(s.Packet) - 1) / int64(s.Packet)
}

// add appends a message to the queue of a host.
func (s *senders) add(h model.HostID, op OpID) {
	s.x.ops[op].packets = s.x.s.packets(s.x.g.Ops[op].Amount)
	q := &s.hosts[h]
	if q.next == len(q.queue) {
		q.queue, q.next = q.queue[:0], 0
	}
	if q.queue = append(q.queue, op); q.asleep {
		q.asleep = false
		s.sim.Wake(h)
	}
}

// Next implements engine.Source. The engine asks when the previous packet has left the host.
func (s *senders) Next(h model.HostID) (engine.Packet, bool) {
	q := &s.hosts[h]
	if q.current != NoOp && q.flits == 0 {
		s.left = append(s.left, q.current)
		q.current = NoOp
	}
	if q.current == NoOp {
		if q.next == len(q.queue) {
			q.asleep = true
			return engine.Packet{}, false
		}
		q.current = q.queue[q.next]
		q.next++
		q.flits = s.x.s.flits(s.x.g.Ops[q.current].Amount)
	}
	k := min(q.flits, int64(s.x.s.Packet))
	q.flits -= k
	to := s.x.hosts[s.x.g.Ops[q.current].Peer]
	return engine.Packet{Created: s.x.ops[q.current].start, Source: h, Dest: s.dests[to], Flits: int(k), ID: int64(q.current)}, true
}

// deliver takes note of a packet that has arrived.
func (x *runner) deliver(d engine.Delivery) {
	if x.s.Report != nil {
		x.s.Report(d)
	}
	s := &x.ops[d.ID]
	if s.first < 0 || d.Injected < s.first {
		s.first = d.Injected
	}
	switch s.packets--; {
	case s.packets == 0:
		x.sends.arrived = append(x.sends.arrived, OpID(d.ID))
	case s.packets < 0:
		x.err = fmt.Errorf("internal error: a packet of the %s more than it has", x.g.Describe(OpID(d.ID)))
	}
}

// events reports whether a message has left or arrived.
func (s *senders) events() bool { return len(s.left)+len(s.arrived) > 0 }

// takeLeft returns the sends that have left their host, in an order that does not depend on that of
// the simulator's work.
func (s *senders) takeLeft() []OpID { return take(&s.left) }

// takeArrived returns the messages that have arrived, in the same order.
func (s *senders) takeArrived() []OpID { return take(&s.arrived) }

func take(list *[]OpID) []OpID {
	all := *list
	*list = nil
	slices.Sort(all)
	return all
}
