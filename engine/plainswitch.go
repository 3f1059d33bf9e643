package engine

import "math/bits"

// This file is the switch allocation of the plain kernel, see switchallocation.go.

// allocateSwitchPlain moves the flits that win the allocation.
func (s *plainKernel) allocateSwitchPlain() {
	vcs, ports, busy := s.vc, s.port, &s.busy
	wins, single := s.wins[:0], s.words == 1
	for i, some := range busy.some {
		for ; some != 0; some &= some - 1 {
			k := i<<6 + bits.TrailingZeros64(some)
			for ready := busy.words[k]; ready != 0; ready &= ready - 1 {
				o := int32(k<<6 + bits.TrailingZeros64(ready))
				p := &ports[o]
				v, m := p.base, p.ready
				if m == 0 {
					busy.remove(o)
					continue
				}
				if m&(m-1) == 0 && single {
					v += int32(bits.TrailingZeros64(m))
				} else {
					v += s.winner(o, p)
				}
				in := vcs[v].in
				q := &ports[in]
				if q.win < 0 {
					q.win = v
					wins = append(wins, in)
					if s.part != nil {
						s.part.firsts = append(s.part.firsts, o)
					}
				} else if s.prefers(q, v) {
					q.win = v
				}
			}
			if busy.words[k] == 0 {
				busy.some[i] &^= 1 << (k & 63)
			}
		}
	}
	s.wins = wins
	if len(wins) > 0 {
		s.hops += int64(len(wins))
		s.lastMove = s.now
		if len(vcs) > cachedVCs {
			s.touch(wins)
		}
		s.leavePlain(wins)
	}
}

// cachedVCs is a number of VCs whose records, 4 MB, do not fit into a cache of the second level.
// With fewer VCs, touch costs more than it saves: 1.15 times on the 32x32 torus.
const cachedVCs = 1 << 16

// touch reads the records that leavePlain is about to use. The reads are independent of each other
// and have no branch between them, so the processor waits for many of them at the same time.
func (s *plainKernel) touch(wins []int32) {
	vcs, ports, sum := s.vc, s.port, int32(0)
	for _, i := range wins {
		sum += vcs[ports[i].win].target
	}
	for _, i := range wins {
		x := &vcs[ports[i].win]
		sum += int32(vcs[x.target].credits) + int32(ports[x.port].ready)
	}
	s.touched = sum
}

// leavePlain moves a flit of the VC that each of the input ports in wins has chosen, as leave
// does.
func (s *plainKernel) leavePlain(wins []int32) {
	vcs, ports, packets := s.vc, s.port, s.packet
	s.backAt, s.hopAt = &s.credits[(s.now+s.delay.credit)&s.near], &s.arrivals[(s.now+s.delay.hop)&s.near]
	back, hop, released := *s.backAt, *s.hopAt, s.released
	fronts, n := s.frontsFor(len(wins)), 0
	even, endless, single, byRouter := s.even && s.part == nil, s.endless, s.words == 1, s.byRouter()
	wide := int16(s.vcs)
	credits, arrivals, now, near := s.credits, s.arrivals, s.now, s.near // for channels that differ
	for k, i := range wins {
		in := &ports[i]
		v := in.win
		in.win = -1
		x := &vcs[v]
		w := x.target
		y, out := &vcs[w], &ports[x.port]
		in.bid, in.accept, out.grant = next(x.bit-in.firstBit, wide), out.indexNext, in.numberNext
		x.have--
		x.left--
		if even {
			back = append(back, v)
		} else if s.part == nil {
			at := &credits[(now+s.back[i])&near]
			*at = append(*at, v)
		} else if !s.part.sendCredit(s, v, x) {
			s.giveBack(v, x, 0)
		}
		more := true // whether the VC downstream has room for another flit
		if out.eject {
			s.flitsOut++
			if x.left == 0 || !endless {
				s.atHostPlain(x, y, w, k)
				more = y.credits > 0
			}
		} else {
			y.credits--
			more = y.credits > 0
			if even {
				if x.fresh {
					y.enter(x.id, packets, noPacket)
				}
				hop = append(hop, w)
			} else if s.part == nil {
				if x.fresh {
					y.enter(x.id, packets, noPacket)
				}
				at := &arrivals[(now+s.there[x.port])&near]
				*at = append(*at, w)
			} else if !s.part.sendFlit(s, w, x) {
				if x.fresh {
					y.enter(x.id, packets, s.none)
				}
				s.setOut(w, x.port)
			}
		}
		x.fresh = false
		if x.left > 0 {
			if x.have == 0 || !more {
				s.clearReady(x)
			}
			continue
		}
		if single {
			if out.ready &^= 1 << (x.bit & 63); out.ready == 0 {
				s.busy.remove(x.port)
			}
		} else {
			s.clearReady(x)
		}
		for _, t := range s.tailers {
			t.tail(&s.kernel, v, x)
		}
		x.target = -1
		if byRouter {
			y.owner, w = -1, y.from<<6|int32(y.place)
		}
		released = append(released, w)
		x.state = idle
		x.packets--
		x.id = packets[x.id].next // without meaning if there is no packet
		fronts[n] = v
		if x.have > 0 {
			n++
		}
	}
	if even {
		*s.backAt, *s.hopAt = back, hop
	}
	s.released = released
	s.routeFronts(fronts[:n], s.now+1, &s.headsNext)
}

// atHostPlain handles a flit to a host that is a tail or takes a credit. Its input port is
// number k of those that win in this clock.
func (s *plainKernel) atHostPlain(x, y *vc, w int32, k int) {
	if x.left == 0 {
		at := &s.tails[(s.now+s.there[y.in])&s.near]
		*at = append(*at, x.id)
		if s.part != nil {
			s.part.order(s, y.in, k)
		}
	}
	if !s.endless {
		y.credits--
		back := &s.credits[(s.now+s.back[y.in])&s.near]
		*back = append(*back, w)
	}
}
