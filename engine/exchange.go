package engine

import (
	"cmp"
	"context"
)

// This file runs the parts of a simulation (parts.go) and exchanges flits and credits between them.

// Run divides the state again after a number of clocks, unless little moves.
const (
	dividedClocks = 1024
	wholeClocks   = 64
	leastClocks   = 8   // fewer clocks are simulated without dividing the state
	partHops      = 64  // flit hops a clock and part for which parts pay
	teamHops      = 512 // flit hops a clock for which several processors pay
)

// alternate simulates until the given clock, in parts while enough moves.
func (d *parts) alternate(ctx context.Context, s *plainKernel, end Clock) (err error) {
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
func (d *parts) run(ctx context.Context, s *plainKernel, end Clock) (err error) {
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
		d.agree(s)
	}
	t.end()
	d.gather(s)
	if err == nil {
		err = s.failed
	}
	return err
}

// agree takes an error of a part, and widens the table of answers if a part needs that.
func (d *parts) agree(s *plainKernel) {
	for _, p := range d.list {
		s.failed = cmp.Or(p.failed, s.failed)
		s.routes.full = s.routes.full || p.routes.full
	}
	if !s.routes.full {
		return
	}
	s.routes.widen()
	for _, p := range d.list {
		p.routes.small, p.routes.large, p.routes.full = nil, s.routes.large, false
	}
}

// advance simulates a window of part i.
func (d *parts) advance(i int) {
	d.receive(i)
	for p := d.list[i]; p.now < d.until; {
		p.part.firsts = p.part.firsts[:0]
		p.stepPlain()
	}
}
