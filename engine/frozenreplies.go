package engine

import "github.com/turnproof/turnproof/model"

// This file finds deadlocks through the queues of hosts (messages.go).
//
// A head that waits for an entry of a host waits for any of the host's entries. An entry becomes
// free when its message leaves the host. A message that a host still serves, or whose tail is in
// transit to the host, is not frozen. A message that waits at the host is frozen if the message
// ahead in its queue is frozen, or if no VC of its class gets room once the removed packets are
// gone.

// frozenMessages is what hosts hold back during a reduction.
type frozenMessages struct {
	noObstacle
	r *reduction
	m *messages
	frozenHosts
}

// freeze implements freezer.
func (m *messages) freeze(r *reduction) obstacle { return &frozenMessages{r: r, m: m} }

// lift implements obstacle.
func (f *frozenMessages) lift() bool {
	f.freezeHosts()
	return false
}

// explain implements explainer.
func (f *frozenMessages) explain(d *Deadlock) { d.Queues, d.Tables = f.queues(), f.tables() }

// consumes implements obstacle: it reports whether the host at port o consumes packet x, once it has an entry for the
// message that x causes.
func (f *frozenMessages) consumes(x *standing, o int32) bool {
	if f.m.graph != nil {
		t, h, c := f.atHost(x, o)
		if c < 0 {
			return true
		}
		queues, tables := f.lacks(t, h, c)
		return len(queues)+len(tables) == 0
	}
	i := f.entries(x, o)
	return i < 0 || f.frees(i)
}

// entries returns the index in taken of the entries that packet x waits for at the port to its
// host, or -1.
func (f *frozenMessages) entries(x *standing, o int32) int {
	m := f.m
	if m.Entries == 0 || m.from[x.p].taken {
		return -1
	}
	p := &f.r.packet[x.p]
	next := m.Causes[f.r.messageOf(p)]
	if next < 0 || model.HostID(f.r.hostOf[o]) != m.rel.DestinationHost(p.dest) {
		return -1
	}
	return int(f.r.hostOf[o])*m.classes + next
}

// frees reports whether an entry of list i is free or can become free.
func (f *frozenMessages) frees(i int) bool {
	m := f.m
	if int(m.taken[i]) < m.Entries {
		return true
	}
	list, moves := f.waiting(i)
	return moves || len(list) < int(m.taken[i]) // the others are served or in transit to the host
}

// waiting returns the messages with entries of list i that wait at their host, or are partly in the
// network, and whether the first of them can move on.
func (f *frozenMessages) waiting(i int) (list []Packet, moves bool) {
	m := f.m
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
		x := &f.r.all[f.r.number[f.r.nth(y.vc, f.r.vc[y.vc].packets-1)]]
		moves = x.gone || x.home == 0
	case y.has:
		moves = f.couldStart(h, &y.Packet)
	default:
		moves = true
	}
	if y.has && y.Message == class || !moves || len(list) == 0 {
		return list, moves
	}
	return list, f.couldStart(h, &list[0])
}

// couldStart reports whether a VC of host h gets room for message p once the removed packets are
// gone.
func (f *frozenMessages) couldStart(h int, p *Packet) bool {
	for _, w := range f.startsOf(h, p.Message) {
		if f.r.hasRoom(w, int32(p.Flits)) {
			return true
		}
	}
	return false
}

// startsOf returns the VCs in which messages of a class leave host h.
func (f *frozenMessages) startsOf(h, class int) (list []int32) {
	m := f.m
	for i := range m.count[class] {
		list = append(list, f.r.hosts[h].base+int32(m.first[class]+i))
	}
	return list
}

// queues returns the queues that remaining packets wait for, in the order of hosts and classes.
func (f *frozenMessages) queues() (list []BlockedQueue) {
	m := f.m
	if m.graph != nil {
		return f.blockedQueues()
	}
	blocked := map[int]bool{}
	for i := range f.r.all {
		if x := &f.r.all[i]; !x.gone {
			if k := f.waitsFor(x); k >= 0 {
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
		b.Entries, _ = f.waiting(i)
		y := &m.sends[h*m.queues+m.Queue[class]]
		first := &b.Entries[0]
		if y.has && y.Message != class {
			p := y.Packet
			b.Ahead, first = &p, &p
		}
		if b.Sending = y.has && y.vc >= 0; !b.Sending {
			for _, w := range f.startsOf(h, first.Message) {
				b.Waits = append(b.Waits, f.r.modelVC(w))
			}
		}
		list = append(list, b)
	}
	return list
}

// waitsFor returns the index in taken of the entries that the head of x waits for, or -1 if it
// waits for something else.
func (f *frozenMessages) waitsFor(x *standing) int {
	list := -1
	f.r.eachHost(x, func(o int32) { list = max(list, f.entries(x, o)) })
	return list
}
