package ethernet

// This file is the watchdog of PFC, as in SONiC (pfcwd, action drop). If the sender of a priority has been stopped for Options.Watchdog without
// a break, the frames in its queue are dropped, and so are those that arrive for it, until it has been released for Options.Restore.
//
// Frames that a switch has received before and not yet queued are dropped when they are queued. Hosts have no watchdog.

// watch notes that the sender of account i of a channel is stopped, or released.
func (s *Sim) watch(which int32, i int, stop bool) {
	if s.o.Watchdog == 0 {
		return
	}
	account := which*int32(s.net.VCs()) + int32(i)
	if stop {
		s.calendar.add(watched, s.now+s.o.Watchdog, account, 0)
	} else if s.account[account].isStorm {
		s.calendar.add(restored, s.now+s.o.Restore, account, 0)
	}
}

// isStopped reports whether the sender of an account is stopped.
func (s *Sim) isStopped(account int32) bool {
	v := int32(s.net.VCs())
	return s.channel[account/v].stopped>>(account%v)&1 == 1
}

// detect drops the frames of a queue whose sender has been stopped since Options.Watchdog ago.
func (s *Sim) detect(account int32) {
	a := &s.account[account]
	k := s.queue[account].first
	if !s.isStopped(account) || a.since != s.now-s.o.Watchdog || a.isStorm || k != none && s.place[s.frame[k].at].first {
		return
	}
	a.isStorm = true
	if s.count.storms++; s.count.storms == 1 {
		s.count.firstStorm = s.now
	}
	q, v := &s.queue[account], int32(s.net.VCs())
	for k != none {
		next, in := s.frame[k].next, &s.place[s.frame[k].at-1]
		q.length--
		s.count.stormed++
		s.drop(k)
		s.leave(in)
		k = next
	}
	q.first, q.last = none, none
	s.channel[account/v].waiting &^= 1 << (account % v)
}

// restore ends the drops of a queue whose sender has been released for Options.Restore.
func (s *Sim) restore(account int32) {
	if a := &s.account[account]; !s.isStopped(account) && a.released == s.now-s.o.Restore {
		a.isStorm = false
	}
}

// isStorm reports whether frames that are to be queued at p are dropped.
func (s *Sim) isStorm(p *place) bool { return s.o.Watchdog > 0 && s.account[p.account].isStorm }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
