package engine

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file begins and ends transactions, and puts their messages into the queues of hosts.

// begin begins the transactions of the source of host h that are due, while the queues of their
// first messages are empty. So the first messages of a transaction leave in the same order in all queues.
func (m *messages) begin(s *kernel, h int32) {
	g, x := m.graph, &s.hosts[h]
	for x.has && !x.timed && (m.Outstanding == 0 || int(m.outstanding[h]) < m.Outstanding) {
		first := g.kindOf(s, h, &x.next)
		for _, c := range first {
			if at := int(h)*m.queues + m.Queue[c]; m.sends[at].has || m.pending[at].len() > 0 {
				return
			}
		}
		m.outstanding[h]++
		t := g.newTransaction(transaction{id: x.next.ID, number: g.begun, began: x.next.Created, initiator: model.HostID(h),
			dest: m.rel.DestinationHost(x.next.Dest), live: 1})
		g.begun++
		flits := x.next.Flits
		s.fetch(h, s.now)
		for _, c := range first {
			m.cause(s, t, h, c, model.HostID(h), g.tx[t].began, flits)
		}
		m.finish(s, t)
	}
}

// kindOf returns the classes that begin a transaction of host h. The kind is drawn.
func (g *protocol) kindOf(s *kernel, h int32, p *Packet) []int {
	var list [][]int
	for _, first := range g.kinds {
		if slices.Contains(g.Rules[first[0]].From, model.HostID(h)) {
			list = append(list, first)
		}
	}
	if len(list) == 0 {
		return g.kinds[0]
	}
	return list[Draw(s.o.Seed^kindStream, uint64(h), uint64(p.ID))%uint64(len(list))]
}

// kindStream separates the random numbers of kinds from others.
const kindStream = 0x94D049BB133111EB

func (g *protocol) newTransaction(x transaction) int32 {
	if k := len(g.unused); k > 0 {
		t := g.unused[k-1]
		g.unused, g.tx[t] = g.unused[:k-1], x
		return t
	}
	g.tx = append(g.tx, x)
	return int32(len(g.tx) - 1)
}

// finish removes one message of a transaction. The last one ends the transaction: it is answered or lost.
func (m *messages) finish(s *kernel, t int32) {
	x := &m.graph.tx[t]
	if x.live--; x.live == 0 {
		m.ended++
		m.outstanding[x.initiator]--
		if m.Outstanding > 0 {
			s.list(int32(x.initiator))
		}
		m.graph.unused = append(m.graph.unused, t)
		x.entries = nil
	}
}

// targets returns the hosts that host h sends class e of transaction t to. A transaction has one
// host of a role, which is the destination of its first message or drawn.
func (m *messages) targets(s *kernel, t, h int32, e int, sender model.HostID) []model.HostID {
	g := m.graph
	x, r := &g.tx[t], &g.Rules[e]
	switch {
	case r.Dest == model.ToInitiator:
		return []model.HostID{x.initiator}
	case r.Dest == model.ToSender:
		return []model.HostID{sender}
	}
	at, found := slices.BinarySearch(r.To, x.dest)
	if !found || g.isInitiatorRole(e, x.initiator) {
		at = int(Draw(s.o.Seed^messageStream, x.number, uint64(g.role[e])) % uint64(len(r.To)))
	}
	most := int(r.Copies)
	if r.Multicast {
		most = len(r.To)
	}
	var list []model.HostID
	for i := range r.To {
		to := r.To[(at+i)%len(r.To)]
		if int32(to) != h && (to != x.initiator || len(r.To) <= most+1) && len(list) < most {
			list = append(list, to)
		}
	}
	if len(list) == 0 {
		list = append(list, model.HostID(h))
	}
	return list
}

// isInitiatorRole reports whether class e goes to a role of the initiator. The host that it goes to
// is then drawn, not the destination of the first message.
func (g *protocol) isInitiatorRole(e int, initiator model.HostID) bool {
	return len(g.Rules[e].After) > 0 && slices.Contains(g.Rules[e].To, initiator)
}

// cause puts messages of class e of transaction t into the queue of host h, which has room for them.
func (m *messages) cause(s *kernel, t, h int32, e int, sender model.HostID, created Clock, flits int) {
	g := m.graph
	x, taken, at := &g.tx[t], len(g.Rules[e].After) > 0, int(h)*m.queues+m.Queue[e]
	multicast := g.Rules[e].Multicast
	free := func() {
		if taken {
			g.held[int(h)*g.classes+e]--
		}
	}
	last := (*caused)(nil)
	for _, to := range m.targets(s, t, h, e, sender) {
		p := Packet{Created: created, Source: model.HostID(h), Dest: m.dest[to], Flits: flits, ID: x.id, Message: e}
		switch {
		case int32(to) == h:
			if x.live++; !multicast {
				free()
			}
			m.consume(s, &handling{end: created, tx: t, class: int16(e), taken: g.take(t, h, e), host: to, sender: to})
		case m.put(s, caused{p, origin{taken && !multicast, t}}):
			last = &m.pending[at].list[len(m.pending[at].list)-1]
		case !multicast:
			free()
		}
	}
	switch {
	case multicast && last != nil:
		last.taken = taken
	case multicast:
		free()
	}
}

// put puts a message into its queue, which has room for it. It reports whether the message has a route; otherwise the message is lost.
func (m *messages) put(s *kernel, y caused) bool {
	if !s.hasRoute(&y.Packet) {
		s.dropped++
		m.kill(y.tx)
		return false
	}
	m.graph.tx[y.tx].live++
	m.pending[int(y.Source)*m.queues+m.Queue[y.Message]].push(y)
	s.list(int32(y.Source))
	return true
}

// kill ends a transaction of which a message is lost: its entries in tables become free.
func (m *messages) kill(t int32) {
	g := m.graph
	x := &g.tx[t]
	x.dead = true
	for len(x.entries) > 0 {
		h, j := x.entries[0].host, x.entries[0].join
		g.ready[h] = slices.DeleteFunc(g.ready[h], func(y seat) bool { return y == seat{t, j} })
		g.leave(t, h, int(j))
	}
}

// causeNext puts the message of class e that y causes into the queue of its host.
func (m *messages) causeNext(s *kernel, y *handling, e int) {
	x := &m.graph.tx[y.tx]
	p := Packet{Created: y.end, Source: y.host, Dest: m.dest[x.initiator], Flits: m.Flits[e], ID: x.id, Message: e}
	if m.Causes[e] >= 0 {
		p.Dest = m.Targets[Draw(s.o.Seed^messageStream, uint64(x.id), uint64(e))%uint64(len(m.Targets))]
	}
	if !m.put(s, caused{p, origin{y.taken, y.tx}}) && y.taken {
		m.graph.held[int(y.host)*m.classes+e]--
	}
}
