package ethernet

// This file finds a freeze: accounts whose senders are stopped for ever.
//
// Definition: the greatest set S of accounts such that for each of them, i,
//
//	(1) its sender is stopped, the receiver has said so last and wishes so still,
//	    and no PAUSE that lifts the stop is on its way;
//	(2) more than XON frames of i wait in queues for channels whose accounts at the
//	    far end are in S. A frame being sent has left its queue and does not count.
//
// Sound: nothing of S ever changes again. Take the first time at which a frame that (2)
// counts begins to be sent. Its queue was for an account j in S, whose sender had been
// told XON before, which by (1) was not on its way yet; so j had come down to XON. But
// more than XON frames of j had to wait until then, being counted by (2) themselves and
// none having been sent: a contradiction. So every account of S stays above XON, and
// its sender stopped. This holds whatever else happens: drops take away only frames that
// are not queued yet.
//
// Complete: say that a frame in a switch is never sent. The head of its queue is not,
// either. Priorities take turns, so the queue's sender is stopped from some time on for
// ever: were it let go again and again, each time it begins at least one frame (under
// PFC, its own account cannot pass XOFF without one, once the frames that were on the
// cable have come), and all priorities get their turn. (Premise: PAUSEs do not keep the
// channel busy for ever.) So its account j stays above XON for ever, no frame comes to it
// any more, and of those it has, those that can leave will have left; the others wait in
// queues whose senders are stopped for ever by the same argument. Once these have been
// told, and the last frames that can move have, the set of all such accounts fulfils (1)
// and (2), and S includes it. So a freeze that is complete is found by the next search.
//
// Hosts never send PAUSE, so no account waits for an ejection channel; a NIC may wait
// for an account of S, and no account is its.
//
// When: a search is due ScanEvery after an XOFF has taken effect, and again as long as
// any account fulfils (1).
// Method: reduction, as for wait-for graphs: accounts that do not fulfil (2) are taken
// away until all do. Only suspects are asked about (suspects.go).
// Cost: O(accounts + frames in queues of stopped channels).

// scan searches for a freeze and says when to search again.
func (s *Sim) scan() {
	s.scanAt = never
	stuck := s.candidates()
	if len(stuck.list) > 0 {
		s.scanAt = s.now + s.o.ScanEvery
	}
	if s.reduce(stuck); len(stuck.list) > 0 {
		s.deadlock, s.scanAt = s.report(stuck), never
	}
}

// Frozen returns what is frozen now, nil if nothing is. It has no side effects.
func (s *Sim) Frozen() *Deadlock {
	stuck := s.candidates()
	if s.reduce(stuck); len(stuck.list) == 0 {
		return nil
	}
	return s.report(stuck)
}

// subset is the set S while it shrinks.
type subset struct {
	in     []bool  // by account
	frames []int32 // by account: how many of its frames (2) counts
	list   []int32 // its members, ascending
}

// candidates returns the suspects that fulfil (1).
func (s *Sim) candidates() *subset {
	x := &subset{in: make([]bool, len(s.account)), frames: make([]int32, len(s.account))}
	for which := range s.channel {
		c := &s.channel[which]
		mask := c.stopped & c.told & c.over
		if mask == 0 {
			continue
		}
		a := s.accountsOf(int32(which))
		base := which * len(a)
		for i := range a {
			if mask>>i&1 == 1 && a[i].lifts == 0 && s.suspect[base+i] {
				x.in[base+i] = true
				x.list = append(x.list, int32(base+i))
			}
		}
	}
	return x
}

// reduce takes away of x what does not fulfil (2).
func (s *Sim) reduce(x *subset) {
	for _, i := range x.list {
		s.waitingFor(i, func(_ int32, from *place) { x.frames[from.account]++ })
	}
	var out []int32 // to be taken away
	for _, i := range x.list {
		if x.frames[i] <= s.z.xon {
			x.in[i], out = false, append(out, i)
		}
	}
	for len(out) > 0 {
		i := out[len(out)-1]
		out = out[:len(out)-1]
		s.waitingFor(i, func(_ int32, from *place) {
			k := from.account
			if x.frames[k]--; x.in[k] && x.frames[k] <= s.z.xon {
				x.in[k], out = false, append(out, k)
			}
		})
	}
	left := x.list[:0]
	for _, i := range x.list {
		if x.in[i] {
			left = append(left, i)
		}
	}
	x.list = left
}

// waitingFor calls visit for each frame of a switch in the queues for account i, with
// the place from which it came: by priority, then in order.
func (s *Sim) waitingFor(i int32, visit func(k int32, from *place)) {
	first, many := int(i), 1
	if s.o.Control == Pause {
		many = s.net.VCs()
		first = int(i) * many
	}
	for v := first; v < first+many; v++ {
		for k := s.queue[v].first; k != none; k = s.frame[k].next {
			if at := s.frame[k].at; !s.place[at].first {
				visit(k, &s.place[at-1])
			}
		}
	}
}
