package engine

import (
	"math"
	"slices"
)

// This file divides the state of a simulation among its parts before a run (parts.go), and puts it
// together afterwards. Cost: O(events, work and parts).

// scatter gives each part its share of the events and worklists of s, which keeps none.
func (d *parts) scatter(s *plainKernel) {
	for _, p := range d.list {
		p.now, p.source, p.hooks, p.counters = s.now, s.source, s.hooks, counters{lastMove: s.lastMove}
		p.packet, p.part.reports = s.packet, s.report != nil
		p.routes.answers, p.routes.small, p.routes.large, p.routes.full = s.routes.answers, s.routes.small, s.routes.large, false
	}
	for t := range s.arrivals {
		share(s.arrivals[t], func(v int32) *[]int32 { return &d.inPart(s, v).arrivals[t] })
		share(s.credits[t], func(v int32) *[]int32 { return &d.outPart(s, v).credits[t] })
		share(s.asks[t], func(v int32) *[]int32 { return &d.inPart(s, v).asks[t] })
		for i, id := range s.tails[t] {
			p := d.list[d.enters[s.portOf[s.net.EjectChannel(s.rel.DestinationHost(s.packet[id].dest))]]]
			p.tails[t], p.part.ranks[t] = append(p.tails[t], id), append(p.part.ranks[t], rank{math.MinInt64, int32(i)})
		}
		s.arrivals[t], s.credits[t], s.asks[t], s.tails[t] = s.arrivals[t][:0], s.credits[t][:0], s.asks[t][:0], s.tails[t][:0]
	}
	share(s.heads, func(v int32) *[]int32 { return &d.inPart(s, v).heads })
	share(s.headsNext, func(v int32) *[]int32 { return &d.inPart(s, v).headsNext })
	share(s.wait, func(v int32) *[]int32 { return &d.inPart(s, v).wait })
	share(s.sending, func(h int32) *[]int32 { return &d.hostPart(s, h).sending })
	s.heads, s.headsNext, s.wait, s.sending = s.heads[:0], s.headsNext[:0], s.wait[:0], s.sending[:0]
	moveCreated(s, func(h int32) *plainKernel { return d.hostPart(s, h) })
	s.busy.each(func(o int32) bool {
		d.list[d.leaves[o]].busy.add(o)
		return false
	})
	s.turns.each(func(u int32) bool {
		d.list[d.leaves[s.out[s.router[u].outs].port]].turns.add(u)
		return false
	})
	d.shareSleepers(s)
	for _, p := range d.list {
		if len(s.free) == 0 {
			s.free, s.packet = append(s.free, PacketID(len(s.packet))), append(s.packet, packet{})
		}
		p.none, s.free = s.free[len(s.free)-1], s.free[:len(s.free)-1]
	}
	for _, p := range d.list {
		p.packet = s.packet
	}
}

// share appends the elements of a list to other lists.
func share(list []int32, to func(int32) *[]int32) {
	for _, v := range list {
		at := to(v)
		*at = append(*at, v)
	}
}

// moveCreated moves the hosts in s.created to the wheels of other simulations.
func moveCreated(s *plainKernel, to func(h int32) *plainKernel) {
	for t, h := range s.created {
		s.created[t] = -1
		for h >= 0 {
			x, p := &s.hosts[h], to(h)
			next := x.after
			x.after, p.created[t] = p.created[t], h
			h = next
		}
	}
}

// shareSleepers counts the sleeping heads of each part.
func (d *parts) shareSleepers(s *plainKernel) {
	for _, p := range d.list {
		p.sleepers = 0
		if s.sleepers == 0 {
			continue
		}
		for _, v := range s.asleep[p.part.from:p.part.to] {
			for ; v >= 0; v = s.sleepNext[v] {
				p.sleepers++
			}
		}
	}
	s.sleepers = 0
}

// gather takes all events and worklists back.
func (d *parts) gather(s *plainKernel) {
	for i := range d.list {
		d.receive(i)
	}
	s.routes.answers = s.routes.shared.answers
	for _, p := range d.list {
		s.hops, s.flitsIn, s.flitsOut = s.hops+p.hops, s.flitsIn+p.flitsIn, s.flitsOut+p.flitsOut
		s.delivered, s.dropped, s.inNetwork = s.delivered+p.delivered, s.dropped+p.dropped, s.inNetwork+p.inNetwork
		s.lastMove, s.sleepers = max(s.lastMove, p.lastMove), s.sleepers+p.sleepers
		for t := range s.arrivals {
			take(&s.arrivals[t], &p.arrivals[t])
			take(&s.credits[t], &p.credits[t])
			take(&s.asks[t], &p.asks[t])
		}
		take(&s.heads, &p.heads)
		take(&s.headsNext, &p.headsNext)
		take(&s.wait, &p.wait)
		take(&s.sending, &p.sending)
		take(&s.free, &p.free)
		s.free = append(s.free, p.none)
		moveCreated(p, func(int32) *plainKernel { return s })
		p.busy.each(func(o int32) bool {
			s.busy.add(o)
			return false
		})
		p.turns.each(func(u int32) bool {
			s.turns.add(u)
			return false
		})
	}
	for t := range s.tails {
		d.gatherTails(s, t)
	}
}

// gatherTails takes back the packets whose tails arrive at index t of the wheel, in the order of
// their ranks.
func (d *parts) gatherTails(s *plainKernel, t int) {
	type tail struct {
		id   PacketID
		rank rank
	}
	var list []tail
	for _, p := range d.list {
		for i, id := range p.tails[t] {
			list = append(list, tail{id, p.part.ranks[t][i]})
		}
		p.tails[t], p.part.ranks[t] = p.tails[t][:0], p.part.ranks[t][:0]
	}
	slices.SortFunc(list, func(a, b tail) int { return a.rank.compare(b.rank) })
	for _, x := range list {
		s.tails[t] = append(s.tails[t], x.id)
	}
}

// take moves the elements of a list to the end of another.
func take[T any](to, from *[]T) { *to, *from = append(*to, *from...), (*from)[:0] }
