package ethernet

// This file finds a freeze: accounts whose senders are stopped for ever.
//
// Definition: the greatest set S of accounts such that for each account i of S,
//
//	(1) its sender is stopped, the receiver's last message was XOFF and would still be XOFF, and
//	    no PAUSE that lifts the stop is in transit;
//	(2) more than XON frames of i wait in queues for channels whose accounts at the far end are in
//	    S. A frame being sent has left its queue and does not count.
//
// Sound: S never changes. Consider the first time at which a frame counted in (2) begins to be
// sent. Its queue was for an account j in S, so the sender of j had received XON before. By (1)
// this XON was not in transit yet, so j had shrunk to XON. But more than XON frames of j, those
// counted in (2), were still waiting: a contradiction. So every account of S stays above XON, and
// its sender stays stopped. Drops do not matter, since they concern only frames that are not
// queued yet.
//
// Complete: assume that a frame in a switch is never sent. Then the head of its queue is never
// sent either. Priorities are served round robin, so from some time on the queue's sender is
// stopped for ever. (If it were released again and again, it would begin at least one frame each
// time: under PFC, its own account cannot exceed XOFF without one once the frames on the cable
// have arrived. All priorities would then be served.) This assumes that PAUSEs do not occupy the
// channel for ever. So the account j of this sender stays above XON for ever, receives no further
// frame, and those of its frames that can leave will have left. The others wait in queues whose
// senders are stopped for ever, by the same argument. After these messages and the last possible
// frames, the set of all such accounts satisfies (1) and (2), and S contains it. So the next
// search finds a complete freeze.
//
// Hosts never send PAUSE, so no account waits for an ejection channel. A NIC may wait for an
// account of S, but has no account itself.
//
// When: a search is due ScanEvery after an XOFF has taken effect, and again while an account
// satisfies (1). Method: reduction, as for wait-for graphs: remove accounts that do not satisfy
// (2) until all do. Only suspects are considered (suspects.go). Cost: O(accounts + frames in
// queues of stopped channels).

// scan searches for a freeze and schedules the next search.
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

// Frozen returns the present freeze, or nil. It has no side effects.
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
	frames []int32 // by account: number of its frames counted in (2)
	list   []int32 // the members, ascending
}

// candidates returns the suspects that satisfy (1).
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

// reduce removes the accounts of x that do not satisfy (2).
func (s *Sim) reduce(x *subset) {
	for _, i := range x.list {
		s.waitingFor(i, func(_ int32, from *place) { x.frames[from.account]++ })
	}
	var out []int32 // accounts to remove
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

// waitingFor calls visit for each frame of a switch in the queues for account i, with the place
// from which the frame came: by priority, then in order.
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
