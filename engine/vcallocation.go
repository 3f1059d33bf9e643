package engine

import "turnproof/model"

// This file gives output VCs to heads, and asks where heads may go.
//
// A head asks for every free VC that it may have, with or without a credit. A head
// that may have VCs of one channel only, none of them free, sleeps until one is.

// allocateVCs gives output VCs to heads: an output VC grants the first head
// after its pointer, a head accepts the first VC after its own.
func (s *Sim) allocateVCs() {
	for _, v := range s.wait {
		me := &s.at[v]
		for _, set := range s.routes.sets(s.asks[v]) {
			for w := set.lo; w < set.lo+int32(set.n); w++ {
				if s.vc[w].owner >= 0 {
					continue
				}
				if s.bestStamp[w] != s.now {
					s.bestStamp[w], s.bestHead[w] = s.now, v
				} else if after(me.in, s.vaGrant[w], me.all) < after(s.at[s.bestHead[w]].in, s.vaGrant[w], me.all) {
					s.bestHead[w] = v
				}
			}
		}
	}
	keep := s.wait[:0]
	for _, v := range s.wait {
		if !s.acceptVC(v) {
			keep = append(keep, v)
		}
	}
	s.wait = keep
	for _, w := range s.released {
		s.vc[w].owner = -1
		q := s.at[w].ch
		for v := s.asleep[q]; v >= 0; v = s.sleepNext[v] {
			s.wait = append(s.wait, v)
		}
		s.asleep[q] = -1
	}
	s.released = s.released[:0]
}

// acceptVC reports whether head v is off the list: it has got a VC, or sleeps
// until one of its channel gets free.
func (s *Sim) acceptVC(v int32) bool {
	me := &s.at[v]
	best, class, free := int32(-1), int16(0), false
	var least int16
	for _, set := range s.routes.sets(s.asks[v]) {
		for w := set.lo; w < set.lo+int32(set.n); w++ {
			if s.bestStamp[w] != s.now {
				continue
			}
			free = true
			if s.bestHead[w] != v {
				continue
			}
			if d := after(s.at[w].out, s.vaAccept[v], me.all); best < 0 || d < least {
				best, class, least = w, set.class, d
			}
		}
	}
	if best < 0 {
		sets := s.routes.sets(s.asks[v])
		if free || len(sets) != 1 {
			return false
		}
		q := s.at[sets[0].lo].ch
		s.sleepNext[v], s.asleep[q] = s.asleep[q], v
		return true
	}
	x, y := &s.vc[v], &s.vc[best]
	s.vaAccept[v], s.vaGrant[best] = next(s.at[best].out, me.all), next(me.in, me.all)
	y.owner = v
	x.target, x.state = best, active
	s.packet[s.front(v)].class = model.Class(class)
	if x.have > 0 && y.credits > 0 {
		s.makeReady(v, x)
	}
	return true
}

// route finds out where heads may go.
func (s *Sim) route() {
	for _, v := range s.heads {
		x := &s.vc[v]
		p := &s.packet[s.front(v)]
		x.left, x.fresh = int16(p.flits), true
		x.state = waiting
		s.asks[v] = s.routes.of(s, v, p.dest, p.class)
		if len(s.routes.sets(s.asks[v])) == 0 {
			x.state = dropping
			s.drop(v, x)
			continue
		}
		s.wait = append(s.wait, v)
	}
	s.heads, s.headsNext = s.headsNext, s.heads[:0]
}

// drop throws away the flits of a packet that may go nowhere, as they come: a
// dead end takes a packet, not a buffer.
func (s *Sim) drop(v int32, x *vc) {
	for ; x.have > 0 && x.left > 0; x.have, x.left = x.have-1, x.left-1 {
		s.credits[(s.now+2)&7] = append(s.credits[(s.now+2)&7], v)
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
