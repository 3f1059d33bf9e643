package engine

import "github.com/turnproof/turnproof/model"

// This file makes hosts send messages.
//
// A host has queues for messages, and its channel carries one flit a clock. In each clock the host
// tries its queues from the last to the first, and the first one that can sends a flit. So a
// message that waits for room does not hold up messages of other queues. A queue sends one message
// after the other. When the previous one has left, it chooses the next one: the caused message that
// was created first, or a request if there is none. What is chosen stays chosen.
//
// A head takes the first VC of its class with room after the VC that the queue used last. If the
// class does not use that VC, only its first VC is tried. BookSim 2 does the same, with one queue
// (trafficmanager.cpp, _Step).

// inject implements endpoints: it lets each host in s.sending send a flit.
func (m *messages) inject(s *kernel) {
	keep := s.sending[:0]
	for _, h := range s.sending {
		if m.send(s, h) {
			keep = append(keep, h)
		} else {
			s.hosts[h].listed = false
		}
	}
	s.sending = keep
	m.retryFreed(s)
}

// send sends a flit of host h. It reports whether the host is to be considered again in the next
// clock. If not, an event lists the host: a slot becomes free, or a message is created.
func (m *messages) send(s *kernel, h int32) bool {
	base := s.hosts[h].base
	if s.slow && s.until[base/int32(s.vcs)] > s.now || s.rests(base) {
		return true
	}
	if !m.isChain {
		m.begin(s, h)
	}
	for q := m.queues - 1; q >= 0; q-- {
		y := &m.sends[int(h)*m.queues+q]
		if !y.has && !m.choose(s, h, q, y) || y.vc < 0 && !m.start(s, h, y) {
			continue
		}
		w := &s.vc[y.vc]
		if w.credits == 0 {
			continue
		}
		w.credits--
		s.flitsIn++
		s.lastMove = s.now
		if s.slow {
			s.until[w.in] = s.now + s.takes[w.in]
		}
		at := &s.arrivals[s.arrivesAt(w.in)&s.near]
		*at = append(*at, y.vc)
		if y.left--; y.left == 0 {
			y.vc, y.has = -1, false
			if y.taken {
				m.graph.held[int(h)*m.classes+y.Message]--
				m.graph.freed = append(m.graph.freed, h)
			}
		}
		return true
	}
	return false
}

// choose chooses the next message of queue q of host h, and reports whether there is one.
func (m *messages) choose(s *kernel, h int32, q int, y *sending) bool {
	if f := &m.pending[int(h)*m.queues+q]; f.len() > 0 {
		y.caused, y.has = f.pop(), true
		return true
	}
	return m.isChain && m.request(s, h, q, y)
}

// start chooses a VC for the chosen message of a queue, and reports whether there is one with room.
func (m *messages) start(s *kernel, h int32, y *sending) bool {
	base := s.hosts[h].base
	room := s.room(base/int32(s.vcs), int32(y.Flits))
	first, count := m.first[y.Message], m.count[y.Message]
	i, tries := y.last, count
	if i < first || i >= first+count {
		i, tries = first-1, 1
	}
	for range tries {
		if i++; i == first+count {
			i = first
		}
		if s.vc[base+int32(i)].credits >= room {
			y.vc, y.last, y.left = base+int32(i), i, int32(y.Flits)
			s.inNetwork++
			p := s.begin(y.Source, &y.Packet, y.vc)
			for int(p) >= len(m.from) {
				m.from = append(m.from, origin{})
			}
			m.from[p] = origin{tx: y.tx}
			return true
		}
	}
	return false
}

// request chooses the next request of host h for queue q, and reports whether there is one.
func (m *messages) request(s *kernel, h int32, q int, y *sending) bool {
	x := &s.hosts[h]
	if !x.has || x.timed || m.Queue[x.next.Message] != q || m.Outstanding > 0 && int(m.outstanding[h]) >= m.Outstanding {
		return false
	}
	t := m.graph.newTransaction(transaction{id: x.next.ID, began: x.next.Created, initiator: model.HostID(h), live: 1})
	y.caused, y.has = caused{x.next, origin{tx: t}}, true
	m.outstanding[h]++
	s.fetch(h, s.now)
	return true
}
