package engine

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file assigns output VCs to heads.
//
// Method: every requested output VC grants the first head after its pointer, and a head accepts
// the first VC after its own pointer. Pointers move past a winner only if it was accepted (BookSim
// 2, allocator islip, one iteration). If only one head waits for an output port, and the head
// waits for no other port, the result is the first free VC after the head's pointer; no grants are
// computed.

// allocateVCs runs the requests, grants and acceptances of a clock.
func (s *kernel) allocateVCs() {
	rivals, several := s.wait[:0], s.selector == nil && !s.reserves && len(s.closers) == 0
	for _, v := range s.wait {
		x := &s.vc[v]
		if s.rests(v) {
			rivals = append(rivals, v)
			continue
		}
		if x.answer < 0 || s.selector != nil {
			if several && s.askSeveral(v, x) || !several && s.mayAsk(v) {
				rivals = append(rivals, v)
			}
			continue
		}
		p := &s.port[x.port]
		m := p.free & x.mask
		if m != 0 && s.reserves && (!p.eject || s.hostsKeep) {
			m = s.roomy(x.port, m, s.room(x.port, s.packet[x.id].flits))
		}
		if s.closes(v, x.port, &m) {
			rivals = append(rivals, v) // the head requests again in each clock
			continue
		}
		switch {
		case m == 0:
			p.waiting--
			s.sleepNext[v], p.asleep = p.asleep, v
		case p.waiting == 1:
			p.waiting = 0
			s.assign(v, s.firstOf(m, x))
		default:
			rivals = append(rivals, v)
		}
	}
	if s.wait = rivals; len(rivals) > 0 {
		s.settleRivals()
	}
}

// askSeveral handles head v, which may use several ports. If no other head waits for the ports
// with free VCs, the head gets the VC that it accepts first. If no VC is free, the head sleeps.
// Otherwise askSeveral returns true: the head competes.
func (s *kernel) askSeveral(v int32, x *vc) bool {
	all, wide := s.port[x.in].ports*int16(s.vcs), int16(s.vcs)
	base, best, distance := s.port[x.in].outBase, int32(-1), all
	for _, set := range s.routes.sets[-1-x.answer] {
		o := s.outs[base+int32(set.port)]
		p := &s.port[o]
		m := p.free & set.mask
		if m == 0 {
			continue
		}
		if p.waiting > 1 {
			return true
		}
		if later := m >> uint16(x.accept-p.index*wide) << uint16(x.accept-p.index*wide); later != 0 {
			m = later
		}
		i := int16(bits.TrailingZeros64(m))
		if d := after(p.index*wide+i, x.accept, all); d < distance {
			best, distance = o*int32(wide)+int32(i), d
		}
	}
	s.count(v, -1)
	if best < 0 {
		s.sleep(v)
	} else {
		s.assign(v, best)
	}
	return false
}

// mayAsk reports whether a VC is free for head v. If none is, the head sleeps.
func (s *kernel) mayAsk(v int32) (found bool) {
	closed := false
	x := &s.vc[v]
	if x.answer == 0 {
		found, closed = s.mayHave(v, x.port, x.mask)
	} else {
		base := s.port[x.in].outBase
		for _, set := range s.routes.sets[-1-x.answer] {
			some, shut := s.mayHave(v, s.outs[base+int32(set.port)], set.mask)
			found, closed = found || some, closed || shut
		}
	}
	if !found && !closed {
		s.count(v, -1)
		s.sleep(v)
	}
	return found || closed // a head before a closed gate requests again in each clock
}

// mayHave reports whether head v can get a VC of mask at port o now, and whether only a closed
// gate prevents it.
func (s *kernel) mayHave(v, o int32, mask uint64) (found, closed bool) {
	m := s.freeOf(v, o, mask)
	closed = s.closes(v, o, &m)
	return m != 0, closed
}

// closes removes from mask the VCs of port o that a mechanism withholds from v. It reports whether mask became empty by that.
func (s *kernel) closes(v, o int32, mask *uint64) bool {
	for _, c := range s.closers {
		if *mask == 0 {
			return false
		}
		if *mask = c.open(s, v, o, *mask); *mask == 0 {
			return true
		}
	}
	return false
}

// admits reports whether v may still have w, after other heads have got their VCs in this clock.
func (s *kernel) admits(v, w int32) bool {
	for _, c := range s.closers {
		if !c.admits(s, v, w) {
			return false
		}
	}
	return true
}

// settleRivals runs grants and acceptances where several heads compete.
func (s *kernel) settleRivals() {
	s.asked, s.granted = s.asked[:0], s.granted[:0]
	for _, v := range s.wait {
		if !s.rests(v) {
			s.ask(v)
		}
	}
	for _, w := range s.asked {
		v := s.bids[w]
		s.bids[w] = -1
		switch pick := &s.picks[v]; {
		case *pick < 0:
			*pick = w
			s.granted = append(s.granted, v)
		case s.sooner(v, w, *pick):
			*pick = w
		}
	}
	for _, v := range s.granted {
		if !s.admits(v, s.picks[v]) {
			s.picks[v] = -1
			continue
		}
		s.count(v, -1)
		s.assign(v, s.picks[v])
		s.picks[v] = -1
	}
	keep := s.wait[:0]
	for _, v := range s.wait {
		if s.vc[v].state == waiting {
			keep = append(keep, v)
		}
	}
	s.wait = keep
}

// roomy returns the VCs of mask at port o that have at least room free slots.
func (s *state) roomy(o int32, mask uint64, room int16) uint64 {
	base := o * int32(s.vcs)
	for m := mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); s.vc[base+int32(i)].credits < room {
			mask &^= 1 << i
		}
	}
	return mask
}

// freeOf returns the free VCs of mask at port o that have room for the front packet of v.
func (s *state) freeOf(v, o int32, mask uint64) uint64 {
	p := &s.port[o]
	m := p.free & mask
	if m != 0 && s.reserves && (!p.eject || s.hostsKeep) {
		m = s.roomy(o, m, s.room(o, s.packet[s.front(v)].flits))
	}
	return m
}

// firstOf returns the VC of mask m that head x accepts first.
func (s *state) firstOf(m uint64, x *vc) int32 {
	from := uint16(x.accept - s.port[x.port].index*int16(s.vcs)) // a pointer to a port before this one is a large number
	if later := m >> from << from; later != 0 {
		m = later
	}
	return x.port*int32(s.vcs) + int32(bits.TrailingZeros64(m))
}

// ask enters a bid of head v for each of its free VCs, or only for the one that the selection rule
// chooses.
func (s *kernel) ask(v int32) {
	if s.selector != nil {
		if w := s.selected(v); w >= 0 {
			s.bid(v, w)
		}
		return
	}
	for _, w := range s.candidates(v) {
		s.bid(v, w)
	}
}

// selected returns the output VC that head v requests in this clock, or -1 if it requests none.
func (s *kernel) selected(v int32) int32 {
	list := s.candidates(v)
	if len(list) == 0 {
		return -1
	}
	return s.selector.choose(s, v, list)
}

// candidates returns the VCs that head v can get.
func (s *kernel) candidates(v int32) []int32 {
	s.choice = s.choice[:0]
	x := &s.vc[v]
	if x.answer == 0 {
		s.addFree(v, x.port, x.mask)
		return s.choice
	}
	base := s.port[x.in].outBase
	for _, set := range s.routes.sets[-1-x.answer] {
		s.addFree(v, s.outs[base+int32(set.port)], set.mask)
	}
	return s.choice
}

// addFree adds the VCs of mask at port o that head v can get to s.choice.
func (s *kernel) addFree(v, o int32, mask uint64) {
	m := s.freeOf(v, o, mask)
	s.closes(v, o, &m)
	for ; m != 0; m &= m - 1 {
		s.choice = append(s.choice, o*int32(s.vcs)+int32(bits.TrailingZeros64(m)))
	}
}

// bid enters a bid of head v for output VC w.
func (s *kernel) bid(v, w int32) {
	y, first := &s.vc[w], s.bids[w]
	if first < 0 {
		s.bids[w] = v
		s.asked = append(s.asked, w)
		return
	}
	if s.o.Arbiter != RoundRobin {
		if s.older(v, first, s.vc[v].bit, s.vc[first].bit, y.grant) {
			s.bids[w] = v
		}
		return
	}
	all := s.port[y.in].of * int16(s.vcs)
	if after(s.vc[v].bit, y.grant, all) < after(s.vc[first].bit, y.grant, all) {
		s.bids[w] = v
	}
}

// assign gives output VC w to head v.
func (s *kernel) assign(v, w int32) {
	x, y := &s.vc[v], &s.vc[w]
	out := &s.port[y.in]
	all := out.of * int16(s.vcs)
	x.accept, y.grant = next(y.place, all), next(x.bit, all)
	y.owner = v
	out.free &^= 1 << (w - y.in*int32(s.vcs))
	x.target, x.state = w, active
	for _, g := range s.granters {
		g.grant(s, v, x, w)
	}
	if s.routes.classes > 1 {
		s.packet[x.id].class = s.classOn(v, w)
	}
	x.port = y.in
	if x.have > 0 && y.credits > 0 {
		s.setReady(x)
	}
}

// classOn returns the class that the front packet of v gets when it moves to w.
func (s *kernel) classOn(v, w int32) model.Class {
	x := &s.vc[v]
	if x.answer == 0 {
		return model.Class(x.class)
	}
	i := w - s.vc[w].in*int32(s.vcs)
	for _, set := range s.routes.sets[-1-x.answer] {
		if set.port == s.port[s.vc[w].in].index && set.mask>>i&1 == 1 {
			return model.Class(set.class)
		}
	}
	return 0
}
