package engine

import "github.com/turnproof/turnproof/model"

// This file finds deadlocks through hosts that consume messages (messages.go).
//
// A head at its host waits for all the room that its message needs (AND). A queue has room unless
// messages that can never leave keep it full. The first message of a queue leaves if a VC of its
// class gets room once the removed packets are gone. A table has room unless its transactions can
// never go on. A transaction goes on if each missing message can come: some message of the
// transaction that is not frozen is of this class or can cause it. A complete one goes on if its
// queue gets room. What cannot be excluded counts as movement, so that all packets that are found
// are frozen. If nothing moves in the network, nothing of this can be.

// frozenMessages has, for one set of removed packets, what can never move at the hosts.
type frozenMessages struct {
	noObstacle
	r *reduction
	m *messages

	can    [][]bool   // by class c and class y: whether y can come before c
	stuck  [][]caused // by host and queue: messages that can never leave
	held   []int32    // by host and class: entries of queues that they keep
	tabled []int32    // by host and class: entries of tables that are kept for ever
	moving [][]bool   // by transaction and class: whether one of its messages, or an entry, can move
}

// freeze implements freezer.
func (m *messages) freeze(r *reduction) obstacle {
	f := &frozenMessages{r: r, m: m}
	f.can, _ = m.graph.Before()
	return f
}

// explain implements obstacle.
func (f *frozenMessages) explain(d *Deadlock) { d.Queues, d.Tables = f.queues(), f.tables() }

// consumes implements obstacle: it reports whether the host at port o gets all the room that packet x needs.
func (f *frozenMessages) consumes(x *standing, o int32) bool {
	t, h, c := f.atHost(x, o)
	if c < 0 {
		return true
	}
	queues, tables := f.lacks(t, h, c)
	return len(queues)+len(tables) == 0
}

// lift implements obstacle: it finds what cannot move at the hosts once the removed packets are gone.
func (f *frozenMessages) lift() bool {
	m := f.m
	g := m.graph
	f.stuck, f.held = make([][]caused, len(m.sends)), make([]int32, len(g.held))
	f.tabled, f.moving = make([]int32, len(g.tabled)), make([][]bool, len(g.tx))
	for t := range f.moving {
		f.moving[t] = make([]bool, g.classes)
	}
	for at := range m.sends {
		f.freezeQueue(at)
	}
	f.findMoving()
	for more := true; more; {
		more = false
		for t := range g.tx {
			for i := range g.tx[t].entries {
				if e := &g.tx[t].entries[i]; !f.moving[t][e.join] && f.goesOn(int32(t), e) {
					f.moving[t][e.join], more = true, true
				}
			}
		}
	}
	for t := range g.tx {
		for _, e := range g.tx[t].entries {
			if !f.goesOn(int32(t), &e) {
				f.tabled[int(e.host)*g.classes+int(e.join)]++
			}
		}
	}
	return false
}

// freezeQueue finds the messages of a queue that can never leave.
func (f *frozenMessages) freezeQueue(at int) {
	m := f.m
	y, h := &m.sends[at], at/m.queues
	blocked := false
	keep := func(x *caused) {
		if f.stuck[at] = append(f.stuck[at], *x); x.taken {
			f.held[h*m.classes+x.Message]++
		}
	}
	if y.has {
		if y.vc >= 0 {
			x := &f.r.all[f.r.number[f.r.nth(y.vc, f.r.vc[y.vc].packets-1)]]
			blocked = !x.gone && x.home > 0
		} else {
			blocked = !f.couldStart(h, &y.Packet)
		}
		if blocked {
			keep(&y.caused)
		} else {
			f.moving[y.tx][y.Message] = true
		}
	}
	list := m.pending[at].all()
	for i := range list {
		x := &list[i]
		if blocked = blocked || !f.couldStart(h, &x.Packet); blocked {
			keep(x)
		} else {
			f.moving[x.tx][x.Message] = true
		}
	}
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

// findMoving finds the messages in the network and in service that can move.
func (f *frozenMessages) findMoving() {
	m := f.m
	for i := range f.r.all {
		if x := &f.r.all[i]; x.gone {
			f.moving[m.from[x.p].tx][f.r.messageOf(&f.r.packet[x.p])] = true
		}
	}
	for _, list := range f.r.tails {
		for _, p := range list {
			f.moving[m.from[p].tx][f.r.messageOf(&f.r.packet[p])] = true
		}
	}
	for _, y := range m.graph.serving.all() {
		f.moving[y.tx][y.class] = true
	}
}

// goesOn reports whether transaction t can leave a table.
func (f *frozenMessages) goesOn(t int32, e *tableEntry) bool {
	g := f.m.graph
	if e.isDone {
		j := int(e.join)
		return len(g.Rules[j].To) == 0 || g.hasRoom(f.held[int(e.host)*g.classes+j], j)
	}
	for _, c := range g.Join(int(e.join)) {
		if !g.misses(e, c) {
			continue
		}
		comes := false
		for y, is := range f.moving[t] {
			comes = comes || is && f.can[c][y]
		}
		if !comes {
			return false
		}
	}
	return true
}

// atHost returns the transaction, the host and the class of a packet that waits for room at the
// host at port o, or a class of -1.
func (f *frozenMessages) atHost(x *standing, o int32) (t, h int32, c int) {
	m := f.m
	p := &f.r.packet[x.p]
	if y := &m.from[x.p]; !y.taken && model.HostID(f.r.hostOf[o]) == m.rel.DestinationHost(p.dest) {
		return y.tx, f.r.hostOf[o], f.r.messageOf(p)
	}
	return 0, 0, -1
}

// lacks returns the queues and the tables of host h that never get room for a message of class c of
// transaction t.
func (f *frozenMessages) lacks(t, h int32, c int) (queues, tables []int) {
	g := f.m.graph
	if g.Rules[c].Consumed || g.tx[t].dead {
		return nil, nil
	}
	for _, e := range g.effects[c] {
		if !g.hasRoom(f.held[int(h)*g.classes+e], e) {
			queues = append(queues, e)
		}
	}
	for _, j := range g.joins[c] {
		if g.entry(t, h, j) == nil && !g.hasSeat(f.tabled[int(h)*g.classes+j], j) {
			tables = append(tables, j)
		}
	}
	return queues, tables
}
