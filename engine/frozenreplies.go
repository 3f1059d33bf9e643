package engine

import "github.com/turnproof/turnproof/model"

// This file finds deadlocks through the queues of hosts (messages.go).
//
// A head that waits for an entry of a host waits for any of the host's entries. An entry becomes
// free when its message leaves the host. A message that a host still serves, or whose tail is in
// transit to the host, is not frozen. A message that waits at the host is frozen if the message
// ahead in its queue is frozen, or if no VC of its class gets room once the removed packets are
// gone.

// BlockedQueue is a full queue of caused messages whose messages can never leave their host.
type BlockedQueue struct {
	Host    model.HostID
	Message int      // the class of the messages
	Entries []Packet // the messages, in the order in which they leave
	// Ahead is the message that leaves before them, if it has another class. Sending is true if
	// the first message is partly in the network: it is one of the blocked packets.
	Ahead   *Packet
	Sending bool
	// Waits are the VCs that the first message waits for. All are full. Empty if Sending.
	Waits []model.VCID
}

// consumes reports whether the host at port o consumes packet x, once it has an entry for the
// message that x causes.
func (r *reduction) consumes(x *standing, o int32) bool {
	if r.atHosts != nil {
		t, h, c := r.atHost(x, o)
		if c < 0 {
			return true
		}
		queues, tables := r.lacks(t, h, c)
		return len(queues)+len(tables) == 0
	}
	i := r.entries(x, o)
	return i < 0 || r.frees(i)
}

// entries returns the index in taken of the entries that packet x waits for at the port to its
// host, or -1.
func (r *reduction) entries(x *standing, o int32) int {
	m := r.messages
	if m == nil || m.Entries == 0 || m.from[x.p].taken {
		return -1
	}
	p := &r.packet[x.p]
	next := m.Causes[r.messageOf(p)]
	if next < 0 || model.HostID(r.hostOf[o]) != m.rel.DestinationHost(p.dest) {
		return -1
	}
	return int(r.hostOf[o])*m.classes + next
}

// frees reports whether an entry of list i is free or can become free.
func (r *reduction) frees(i int) bool {
	m := r.messages
	if int(m.taken[i]) < m.Entries {
		return true
	}
	list, moves := r.waiting(i)
	return moves || len(list) < int(m.taken[i]) // the others are served or in transit to the host
}

// waiting returns the messages with entries of list i that wait at their host, or are partly in the
// network, and whether the first of them can move on.
func (r *reduction) waiting(i int) (list []Packet, moves bool) {
	m := r.messages
	h, class := i/m.classes, i%m.classes
	at := h*m.queues + m.Queue[class]
	y, pending := &m.sends[at], m.pending[at].all()
	if y.has && y.Message == class {
		list = append(list, y.Packet)
	}
	for k := range pending {
		if pending[k].Message == class {
			list = append(list, pending[k].Packet)
		}
	}
	switch {
	case y.has && y.vc >= 0:
		x := &r.all[r.number[r.nth(y.vc, r.vc[y.vc].packets-1)]]
		moves = x.gone || x.home == 0
	case y.has:
		moves = r.couldStart(h, &y.Packet)
	default:
		moves = true
	}
	if y.has && y.Message == class || !moves || len(list) == 0 {
		return list, moves
	}
	return list, r.couldStart(h, &list[0])
}

// couldStart reports whether a VC of host h gets room for message p once the removed packets are
// gone.
func (r *reduction) couldStart(h int, p *Packet) bool {
	for _, w := range r.startsOf(h, p.Message) {
		if r.hasRoom(w, int32(p.Flits)) {
			return true
		}
	}
	return false
}

// startsOf returns the VCs in which messages of a class leave host h.
func (r *reduction) startsOf(h, class int) (list []int32) {
	m := r.messages
	for i := range m.count[class] {
		list = append(list, r.hosts[h].base+int32(m.first[class]+i))
	}
	return list
}

// queues returns the queues that remaining packets wait for, in the order of hosts and classes.
func (r *reduction) queues() (list []BlockedQueue) {
	m := r.messages
	switch {
	case m == nil:
		return nil
	case m.graph != nil:
		return r.blockedQueues()
	}
	blocked := map[int]bool{}
	for i := range r.all {
		if x := &r.all[i]; !x.gone {
			if k := r.waitsFor(x); k >= 0 {
				blocked[k] = true
			}
		}
	}
	for i := range m.taken {
		if !blocked[i] {
			continue
		}
		h, class := i/m.classes, i%m.classes
		b := BlockedQueue{Host: model.HostID(h), Message: class}
		b.Entries, _ = r.waiting(i)
		y := &m.sends[h*m.queues+m.Queue[class]]
		first := &b.Entries[0]
		if y.has && y.Message != class {
			p := y.Packet
			b.Ahead, first = &p, &p
		}
		if b.Sending = y.has && y.vc >= 0; !b.Sending {
			for _, w := range r.startsOf(h, first.Message) {
				b.Waits = append(b.Waits, r.modelVC(w))
			}
		}
		list = append(list, b)
	}
	return list
}

// waitsForHost reports whether the head of x waits for room at its host.
func (r *reduction) waitsForHost(x *standing) (waits bool) {
	if r.messages == nil {
		return false
	}
	r.eachHost(x, func(o int32) { waits = waits || !r.consumes(x, o) })
	return waits
}

// waitsFor returns the index in taken of the entries that the head of x waits for, or -1 if it
// waits for something else.
func (r *reduction) waitsFor(x *standing) int {
	list := -1
	r.eachHost(x, func(o int32) { list = max(list, r.entries(x, o)) })
	return list
}
