package engine

import (
	"context"
	"sync"
	"sync/atomic"
)

// This file runs the parts of a simulation (parts.go) and exchanges flits and credits between them.

// letters are what one part sends to another in a window.
type letters struct {
	flits   []letter
	credits []letter
}

// letter is a flit that arrives at VC v in clock at, or a credit for v. If the flit is the first of a
// packet, id is its number, otherwise noPacket.
type letter struct {
	v  int32
	id PacketID
	at Clock
}

// sendCredit sends the credit for a slot of v if the channel of v comes from another part, and
// reports whether it did.
func (p *part) sendCredit(s *Sim, v int32, x *vc) bool {
	to := p.all.leaves[x.in]
	if to == p.number {
		return false
	}
	list := &p.out[p.all.parity][to].credits
	*list = append(*list, letter{v, noPacket, s.freeAt(x.in, 0)})
	return true
}

// sendFlit sends a flit of x to VC w if w enters another part, and reports whether it did.
func (p *part) sendFlit(s *Sim, w int32, x *vc) bool {
	to := p.all.enters[x.port]
	if to == p.number {
		return false
	}
	id := noPacket
	if x.fresh {
		id = x.id
	}
	list := &p.out[p.all.parity][to].flits
	*list = append(*list, letter{w, id, s.arrivesAt(x.port)})
	return true
}

// receive takes what the other parts have sent to part i in the window before.
func (d *parts) receive(i int) {
	p := d.list[i]
	for _, other := range d.list {
		from := &other.part.out[d.parity^1][i]
		for _, m := range from.credits {
			at := &p.credits[m.at&p.near]
			*at = append(*at, m.v)
		}
		for _, m := range from.flits {
			at := &p.arrivals[m.at&p.near]
			*at = append(*at, m.v)
			if m.id != noPacket {
				p.vc[m.v].enter(m.id, p.packet, p.none)
			}
		}
		from.credits, from.flits = from.credits[:0], from.flits[:0]
	}
}

// Run divides the state again after a number of clocks, unless little moves.
const (
	dividedClocks = 1024
	wholeClocks   = 64
	leastClocks   = 8   // fewer clocks are simulated without dividing the state
	partHops      = 64  // flit hops a clock and part for which parts pay
	teamHops      = 512 // flit hops a clock for which several processors pay
)

// alternate simulates until the given clock, in parts while enough moves.
func (d *parts) alternate(ctx context.Context, s *Sim, end Clock) (err error) {
	for s.now < end && err == nil {
		from, hops := s.now, s.hops
		if d.rate >= partHops*int64(len(d.list)) && end-from >= leastClocks {
			err = d.run(ctx, s, min(end, from+dividedClocks))
		} else {
			err = s.runWhole(ctx, min(end, from+wholeClocks))
		}
		if clocks := int64(s.now - from); clocks >= leastClocks {
			d.rate = (s.hops - hops) / clocks
		}
	}
	return err
}

// run simulates until the given clock.
func (d *parts) run(ctx context.Context, s *Sim, end Clock) (err error) {
	d.scatter(s)
	workers := 1
	if d.rate >= teamHops {
		workers = min(d.workers, len(d.list))
	}
	t := newTeam(workers, d.advance)
	for s.now < end && s.failed == nil {
		if err = ctx.Err(); err != nil {
			break
		}
		d.balance(s)
		d.until = min(s.now+d.window, end)
		t.do(len(d.list))
		s.now = d.until
		d.parity ^= 1
		if s.report != nil {
			d.tell(s)
		}
		for _, p := range d.list {
			if p.failed != nil {
				s.failed = p.failed
			}
			if p.routes.full {
				s.routes.full = true
			}
		}
		if s.routes.full {
			s.routes.widen()
			for _, p := range d.list {
				p.routes.small, p.routes.large, p.routes.full = nil, s.routes.large, false
			}
		}
	}
	t.end()
	d.gather(s)
	if err == nil {
		err = s.failed
	}
	return err
}

// advance simulates a window of part i.
func (d *parts) advance(i int) {
	d.receive(i)
	for p := d.list[i]; p.now < d.until; {
		p.part.firsts = p.part.firsts[:0]
		p.stepPlain()
	}
}

// team is a number of goroutines that do tasks together.
type team struct {
	task    func(i int)
	tasks   int32
	next    atomic.Int32 // the first task that is not begun
	working atomic.Int32 // goroutines, except the caller's, that have not finished
	round   atomic.Int32 // -1 at the end
	mu      sync.Mutex
	change  sync.Cond
	others  int32
	ended   sync.WaitGroup
}

// newTeam starts a team. Its size includes the goroutine that calls do.
func newTeam(size int, task func(i int)) *team {
	t := &team{task: task, others: int32(size - 1)}
	t.change.L = &t.mu
	for range t.others {
		t.ended.Go(func() {
			for round := int32(0); ; {
				t.wait(func() bool { return t.round.Load() != round })
				if round = t.round.Load(); round < 0 {
					return
				}
				t.work()
				if t.working.Add(-1) == 0 {
					t.wake()
				}
			}
		})
	}
	return t
}

// do does tasks 0 to n-1 and returns when all are done.
func (t *team) do(n int) {
	t.tasks = int32(n)
	t.next.Store(0)
	t.working.Store(t.others)
	if t.others > 0 {
		t.round.Store(t.round.Load()&0xffff + 1)
		t.wake()
	}
	t.work()
	t.wait(func() bool { return t.working.Load() == 0 })
}

// end ends the goroutines of the team.
func (t *team) end() {
	t.round.Store(-1)
	t.wake()
	t.ended.Wait()
}

// work does tasks until none is left.
func (t *team) work() {
	for i := t.next.Add(1) - 1; i < t.tasks; i = t.next.Add(1) - 1 {
		t.task(int(i))
	}
}

// spins is how often a goroutine asks before it sleeps: 10 to 20 microseconds.
const spins = 1 << 13

// wait returns when the condition is true.
func (t *team) wait(is func() bool) {
	for range spins {
		if is() {
			return
		}
	}
	t.mu.Lock()
	for !is() {
		t.change.Wait()
	}
	t.mu.Unlock()
}

// wake wakes the goroutines whose condition has become true.
func (t *team) wake() {
	t.mu.Lock()
	t.mu.Unlock() //nolint:staticcheck // a goroutine that has found its condition false must wait first
	t.change.Broadcast()
}
