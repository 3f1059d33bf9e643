package engine

// This file is what the plain kernel of a part tells other parts: flits, credits and arrivals.

// sendCredit sends the credit for a slot of v if the channel of v comes from another part, and
// reports whether it did.
func (p *part) sendCredit(s *plainKernel, v int32, x *vc) bool {
	to := p.all.leaves[x.in]
	if to == p.number {
		return false
	}
	list := &p.out[p.all.parity][to].credits
	*list = append(*list, letter{v, noPacket, s.freeAt(x.in, 0)})
	return true
}

// sendFlit sends a flit of x to VC w if w enters another part, and reports whether it did.
func (p *part) sendFlit(s *plainKernel, w int32, x *vc) bool {
	to := p.all.enters[x.port]
	if to == p.number {
		return false
	}
	id := noPacket
	if x.fresh {
		id = x.id
	}
	list := &p.out[p.all.parity][to].flits
	*list = append(*list, letter{w, id, s.arrivesAt(x.port)})
	return true
}

// receive takes what the other parts have sent to part i in the window before.
func (d *parts) receive(i int) {
	p := d.list[i]
	for _, other := range d.list {
		from := &other.part.out[d.parity^1][i]
		for _, m := range from.credits {
			at := &p.credits[m.at&p.near]
			*at = append(*at, m.v)
		}
		for _, m := range from.flits {
			at := &p.arrivals[m.at&p.near]
			*at = append(*at, m.v)
			if m.id != noPacket {
				p.vc[m.v].enter(m.id, p.packet, p.none)
			}
		}
		from.credits, from.flits = from.credits[:0], from.flits[:0]
	}
}

// order records the rank of a tail that leaves now by output port o. Its input port is s.wins[k].
func (x *part) order(s *plainKernel, o int32, k int) {
	at := &x.ranks[s.arrivesAt(o)&s.near]
	*at = append(*at, rank{s.now, x.firsts[k]})
}

// note records the packets that arrive in this clock.
func (x *part) note(s *plainKernel, tails []PacketID) {
	ranks := &x.ranks[s.now&s.near]
	if x.reports {
		for i, id := range tails {
			p := &s.packet[id]
			x.arrived = append(x.arrived, arrival{Delivery{Packet: s.sent(p), Injected: p.injected, Arrived: s.now}, (*ranks)[i]})
		}
	}
	*ranks = (*ranks)[:0]
}

// enter appends packet p to those of a VC, as Sim.enter does. Whether the VC has a packet is hard
// to predict, so there is no branch: without a packet, the record of none is written.
func (y *vc) enter(p PacketID, packets []packet, none PacketID) {
	front, before := y.id, y.last
	if y.packets == 0 {
		front, before = p, none
	}
	packets[before].next = p
	y.id, y.last = front, p
	y.packets++
}
