package engine

import "turnproof/model"

// This file gives output VCs to heads, and asks where heads may go.
//
// Method: every output VC that is asked for grants the first head after its
// pointer, a head accepts the first VC after its own; pointers move past a winner
// on acceptance only (BookSim 2, allocator islip, one iteration). A head that finds
// no VC free sleeps until one of the port that it waits for is, or, if it waits for
// several ports, until one of any port of its switch is.

// want is what the head of a VC asks for.
type want struct {
	lo     int32 // the first VC, if its answer has one set
	n      int16
	class  int16
	answer int32 // else -1 - number of the answer
}

// vcState is what VC allocation knows of a VC.
type vcState struct {
	bid    int32 // as output: the head that it would grant, -1
	pick   int32 // as input: the output VC that its head would accept, -1
	grant  int16 // as output: the bit that is granted first
	accept int16 // as input: the output VC that is accepted first, counted over all ports
}

// allocateVCs lets heads ask, VCs grant and heads accept.
func (s *Sim) allocateVCs() {
	s.asked, s.granted = s.asked[:0], s.granted[:0]
	for i := len(s.wait) - 1; i >= 0; i-- {
		if v := s.wait[i]; !s.ask(v) {
			s.wait[i] = s.wait[len(s.wait)-1] // it has been looked at
			s.wait = s.wait[:len(s.wait)-1]
		}
	}
	if len(s.asked) == 0 {
		return
	}
	for _, w := range s.asked {
		v := s.va[w].bid
		s.va[w].bid = -1
		switch x := &s.va[v]; {
		case x.pick < 0:
			x.pick = w
			s.granted = append(s.granted, v)
		case s.sooner(v, w, x.pick):
			x.pick = w
		}
	}
	for _, v := range s.granted {
		s.assign(v, s.va[v].pick)
		s.va[v].pick = -1
	}
	keep := s.wait[:0]
	for _, v := range s.wait {
		if s.vc[v].state == waiting {
			keep = append(keep, v)
		}
	}
	s.wait = keep
}

// after returns how far place p comes after the pointer, of so many places.
func after(p, pointer, places int16) int16 {
	if p -= pointer; p < 0 {
		p += places
	}
	return p
}

// next returns the place after p.
func next(p, places int16) int16 {
	if p++; p == places {
		return 0
	}
	return p
}

// outPlace is the place of output VC w among those out of its switch.
func (s *Sim) outPlace(w int32) int16 {
	o := s.vc[w].in
	return s.port[o].index*int16(s.vcs) + int16(w-o*int32(s.vcs))
}

// sooner reports whether head v accepts w before other.
func (s *Sim) sooner(v, w, other int32) bool {
	all, from := s.port[s.vc[v].in].ports*int16(s.vcs), s.va[v].accept
	return after(s.outPlace(w), from, all) < after(s.outPlace(other), from, all)
}

// ask lets head v ask for the free VCs among those that it may have; false: there
// is none, and it sleeps.
func (s *Sim) ask(v int32) bool {
	x := &s.want[v]
	if s.o.Select != SelectAll && s.o.Select != SelectDrawn {
		if w := s.selected(v); w >= 0 {
			s.bid(v, w)
			return true
		}
		return s.sleep(v)
	}
	room := int16(0)
	if s.whole || s.atomic {
		room = s.room(s.packet[s.front(v)].flits)
	}
	found := false
	if x.answer == 0 {
		for w := x.lo; w < x.lo+int32(x.n); w++ {
			if y := &s.vc[w]; y.owner < 0 && (room == 0 || y.credits >= room || s.port[y.in].eject) {
				s.bid(v, w)
				found = true
			}
		}
		return found || s.sleep(v)
	}
	in := &s.port[s.vc[v].in]
	for _, set := range s.routes.sets[-1-x.answer] {
		lo := s.outs[in.outBase+int32(set.port)]*int32(s.vcs) + int32(set.lo)
		for w := lo; w < lo+int32(set.n); w++ {
			if y := &s.vc[w]; y.owner < 0 && (room == 0 || y.credits >= room || s.port[y.in].eject) {
				s.bid(v, w)
				found = true
			}
		}
	}
	return found || s.sleep(v)
}

// bid enters head v for output VC w.
func (s *Sim) bid(v, w int32) {
	y := &s.va[w]
	if y.bid < 0 {
		y.bid = v
		s.asked = append(s.asked, w)
		return
	}
	if s.o.Arbiter == OldestFirst {
		if s.older(v, y.bid) {
			y.bid = v
		}
		return
	}
	all := s.port[s.vc[w].in].of * int16(s.vcs)
	if after(s.vc[v].bit, y.grant, all) < after(s.vc[y.bid].bit, y.grant, all) {
		y.bid = v
	}
}

// assign gives output VC w to head v.
func (s *Sim) assign(v, w int32) {
	x, y := &s.vc[v], &s.vc[w]
	in, out := &s.port[x.in], &s.port[y.in]
	s.va[v].accept, s.va[w].grant = next(s.outPlace(w), in.ports*int16(s.vcs)), next(x.bit, out.of*int16(s.vcs))
	y.owner = v
	x.target, x.out, x.state = w, y.in, active
	if s.routes.classes > 1 {
		s.packet[s.front(v)].class = s.classOn(v, w)
	}
	if x.have > 0 && y.credits > 0 {
		s.setReady(x)
	}
}

// classOn is the class that the front packet of v has on w.
func (s *Sim) classOn(v, w int32) model.Class {
	x := &s.want[v]
	if x.answer == 0 {
		return model.Class(x.class)
	}
	i := int16(w - s.vc[w].in*int32(s.vcs))
	for _, set := range s.routes.sets[-1-x.answer] {
		if set.port == s.port[s.vc[w].in].index && set.lo <= i && i < set.lo+set.n {
			return model.Class(set.class)
		}
	}
	return 0
}

// sleep takes head v off the list until a VC that it may want gets free.
func (s *Sim) sleep(v int32) bool {
	x := &s.want[v]
	at := &s.asleep[s.port[s.vc[v].in].to] // several ports: with the others of its switch
	if x.answer == 0 {
		at = &s.port[x.lo/int32(s.vcs)].asleep
	}
	s.sleepNext[v], *at = *at, v
	return false
}

// wake puts back the heads that wait for a VC of port p.
func (s *Sim) wake(p *port) {
	for v := p.asleep; v >= 0; v = s.sleepNext[v] {
		s.wait = append(s.wait, v)
	}
	p.asleep = -1
	if p.from < 0 {
		return
	}
	for v := s.asleep[p.from]; v >= 0; v = s.sleepNext[v] {
		s.wait = append(s.wait, v)
	}
	s.asleep[p.from] = -1
}

// wakeReleased frees the output VCs whose packets are gone.
func (s *Sim) wakeReleased() {
	for _, w := range s.released {
		s.vc[w].owner = -1
		s.wake(&s.port[s.vc[w].in])
	}
	s.released = s.released[:0]
}

// route finds out where heads may go.
func (s *Sim) route() {
	for _, v := range s.heads {
		x := &s.vc[v]
		p := &s.packet[s.front(v)]
		x.left, x.fresh, x.state = int16(p.flits), true, waiting
		if answer := s.routes.of(s, v, p.dest, p.class); s.head(v, x, answer) {
			s.wait = append(s.wait, v)
		}
	}
}

// head notes what the head of v asks for; false: it has nowhere to go.
func (s *Sim) head(v int32, x *vc, answer int32) bool {
	sets := s.routes.sets[answer]
	if len(sets) == 0 {
		x.state = dropping
		s.drop(v, x)
		return false
	}
	set := sets[0]
	if s.o.Select == SelectDrawn && len(sets) > 1 {
		set = sets[Draw(s.o.Seed, uint64(v), uint64(s.now))%uint64(len(sets))]
	} else if len(sets) > 1 {
		s.want[v] = want{answer: -1 - answer}
		return true
	}
	s.want[v] = want{lo: s.outs[s.port[x.in].outBase+int32(set.port)]*int32(s.vcs) + int32(set.lo), n: set.n, class: set.class}
	return true
}

// drop throws away the flits of a packet that may go nowhere, as they come: a
// dead end takes a packet, not a buffer.
func (s *Sim) drop(v int32, x *vc) {
	back := &s.credits[(s.now+s.delay.credit)&s.near]
	for ; x.have > 0 && x.left > 0; x.have, x.left = x.have-1, x.left-1 {
		*back = append(*back, v)
		s.flitsOut++
		s.lastMove = s.now
	}
	if x.left > 0 {
		return
	}
	p := s.front(v)
	s.dropped++
	s.inNetwork--
	s.pop(v, x)
	s.free = append(s.free, p)
}
