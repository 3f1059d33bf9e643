package packets

import "github.com/turnproof/turnproof/engine"

// This file handles selection rules by which a head requests one channel. The channel grants one
// of the heads that request it. None of them has requested another channel, so every grant is
// accepted.
//
// Sources: W. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004,
// section 10.2 (least loaded, random). A choice depends on the clock and on the channels that are
// free in it. A head that loses chooses again in the next clock.

// allocateChosen assigns the touched channels of the list to heads that want them.
func (s *Sim) allocateChosen(t engine.Clock, list []int32) {
	for _, c := range list {
		s.summon(c)
	}
	for _, v := range s.heads {
		if c := s.choice(t, v); c != none {
			s.bid(v, c)
		}
	}
	for _, c := range s.bids {
		v := s.port[c].rival
		s.port[c].rival = none
		s.accept(t, v, c)
	}
	for _, v := range s.heads {
		s.port[v].asks = false
		s.again(v)
	}
	s.heads, s.bids = s.heads[:0], s.bids[:0]
}

// summon lists the heads that want channel c, if it is idle.
func (s *Sim) summon(c int32) {
	y := &s.port[c]
	if y.holder != none {
		return
	}
	for p := s.following(y, 0); p >= 0; p = s.following(y, p+1) {
		if x := &s.port[y.base+p]; !x.asks {
			x.asks = true
			s.heads = append(s.heads, y.base+p)
		}
	}
}

// can reports whether the head at x could take a hop now.
func (s *Sim) can(x *port, h *hop) bool {
	y := &s.port[x.base+h.place]
	return y.holder == none && x.need <= y.room
}

// choice returns the channel that head v requests in clock t, or none.
func (s *Sim) choice(t engine.Clock, v int32) int32 {
	x := &s.port[v]
	hops := s.routes.list(x.answer)
	if s.o.Select == engine.SelectRandom {
		return s.drawn(t, x, hops)
	}
	var best *hop
	for i := range hops {
		if h := &hops[i]; s.can(x, h) && (best == nil || s.better(x, h, best)) {
			best = h
		}
	}
	if best == nil {
		return none
	}
	return x.base + best.place
}

// better reports whether the head at x prefers hop a to b, whose port is lower.
func (s *Sim) better(x *port, a, b *hop) bool {
	switch s.o.Select {
	case engine.SelectTurn:
		return x.after(x.base+a.place, x.accept) < x.after(x.base+b.place, x.accept)
	case engine.SelectLoad:
		return s.port[x.base+a.place].room > s.port[x.base+b.place].room
	case engine.SelectOrder:
		return a.rank < b.rank
	}
	return false // prefer the lowest
}

// drawn returns a random channel among those that the head at x could take. It depends on the
// seed, the buffer and the clock only.
func (s *Sim) drawn(t engine.Clock, x *port, hops []hop) int32 {
	count := uint64(0)
	for i := range hops {
		if s.can(x, &hops[i]) {
			count++
		}
	}
	if count == 0 {
		return none
	}
	k := engine.Draw(s.o.Seed, uint64(x.id), uint64(t)) % count
	for i := range hops {
		if !s.can(x, &hops[i]) {
			continue
		}
		if k == 0 {
			return x.base + hops[i].place
		}
		k--
	}
	panic("packets: fewer channels than were counted")
}

// bid enters the request of head v for channel c, which grants the best one by its arbiter.
func (s *Sim) bid(v, c int32) {
	y := &s.port[c]
	switch w := y.rival; {
	case w == none:
		s.bids = append(s.bids, c)
		y.rival = v
	case s.byAge:
		if s.older(v, w) {
			y.rival = v
		}
	case y.after(v, y.grant) < y.after(w, y.grant):
		y.rival = v
	}
}

// again touches the channels that head v could still take, if v has lost.
func (s *Sim) again(v int32) {
	x := &s.port[v]
	if x.answer == none {
		return
	}
	hops := s.routes.list(x.answer)
	for i := range hops {
		if s.can(x, &hops[i]) {
			c := x.base + hops[i].place
			s.touch(c, &s.port[c])
		}
	}
}
