package engine

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file runs a simulation until a deadlock closes, and finds the clock in which it did. Frozen
// packets stay frozen, so it suffices to look from time to time. After a look finds a deadlock,
// the clocks since the previous look are simulated again, from a copy of that state and a copy of
// the source, or the packets that the source has given since. Bisection finds the first clock after which a packet is
// frozen. Cost: a copy of the state and a call of Frozen for each look.

// Deadlock is the result of Watch: after Clock, and after no earlier clock, some packets can never
// move again.
type Deadlock struct {
	Clock   Clock
	Packets []Blocked
	Queues  []BlockedQueue // the queues of hosts that some of the packets wait for
	Tables  []BlockedTable // the tables of hosts that some of the packets wait for
}

// Bounds of the number of clocks between two looks, which is a quarter of the clocks so far.
const (
	leastWatch = 1 << 11
	mostWatch  = 1 << 16
)

// Watch simulates clocks as Run does and stops if a packet is frozen.
func (s *Sim) Watch(ctx context.Context, clocks Clock) (*Deadlock, error) {
	if d, err := s.Advance(ctx, clocks); d != nil || err != nil {
		return d, err
	}
	return s.Look(ctx)
}

// Advance does the same as Watch but does not look for a deadlock at the end; call Look for that.
// The clocks of the looks do not depend on how the clocks are divided among calls.
func (s *Sim) Advance(ctx context.Context, clocks Clock) (*Deadlock, error) {
	for end := s.now + clocks; s.now < end; {
		if s.before == nil {
			s.before = s.clone()
			if s.before.source = fork(s.source); s.before.source == nil {
				s.tape = make([][]Packet, len(s.hosts))
			}
			s.lookAt = s.now + max(leastWatch, min(s.now/4, mostWatch))
		}
		if err := s.Run(ctx, min(s.lookAt, end)-s.now); err != nil {
			return nil, err
		}
		if s.now == s.lookAt {
			if d, err := s.Look(ctx); d != nil || err != nil {
				return d, err
			}
		}
	}
	return nil, nil
}

// Look returns a deadlock that has closed since the last look, or nil.
func (s *Sim) Look(ctx context.Context) (*Deadlock, error) {
	before := s.before
	s.before = nil
	if before == nil || s.inNetwork == 0 || s.Frozen() == nil {
		s.tape = nil
		return nil, nil
	}
	return before.closing(ctx, s)
}

// closing returns the deadlock that closed between the state s and the state after, with its
// clock.
func (s *Sim) closing(ctx context.Context, after *Sim) (*Deadlock, error) {
	at := func(now Clock) (*Sim, error) {
		c := s.clone()
		if c.source, c.report, c.tape = fork(s.source), nil, nil; c.source == nil {
			c.source = newTape(after.tape)
			c.Refill() // hosts without a packet at the look that got one later by Refill or Wake
		}
		return c, c.Run(ctx, now-c.now)
	}
	low, high := s.now, after.now // invariant: no packet is frozen at low, some are at high
	for high-low > 1 {
		middle := (low + high) / 2
		c, err := at(middle)
		if err != nil {
			return nil, err
		}
		if c.Frozen() != nil {
			high = middle
		} else {
			low = middle
		}
	}
	c, err := at(high)
	if err != nil {
		return nil, err
	}
	r := c.reduce()
	return &Deadlock{Clock: high - 1, Packets: r.packets(), Queues: r.queues(), Tables: r.tables()}, nil
}

// fork returns a copy of a source, or nil if it has none.
func fork(source Source) Source {
	if f, ok := source.(Forker); ok {
		return f.Fork()
	}
	return nil
}

// tape is a source that repeats packets that another source has given.
type tape struct{ rest [][]Packet }

func newTape(packets [][]Packet) *tape { return &tape{slices.Clone(packets)} }

// Next implements Source.
func (t *tape) Next(h model.HostID) (Packet, bool) {
	if len(t.rest[h]) == 0 {
		return Packet{}, false
	}
	p := t.rest[h][0]
	t.rest[h] = t.rest[h][1:]
	return p, true
}

// clone copies the state. The copy shares only immutable data.
func (s *Sim) clone() *Sim {
	c := *s
	c.before, c.tape, c.journeys, c.parts = nil, nil, nil, nil
	c.vc, c.port, c.masks = slices.Clone(s.vc), slices.Clone(s.port), slices.Clone(s.masks)
	c.came = slices.Clone(s.came)
	c.packet, c.free, c.hosts = slices.Clone(s.packet), slices.Clone(s.free), slices.Clone(s.hosts)
	c.arrivals, c.credits, c.tails, c.ends, c.asks = cloneLists(s.arrivals), cloneLists(s.credits), cloneLists(s.tails), cloneLists(s.ends), cloneLists(s.asks)
	c.busy = s.busy.clone()
	c.heads, c.headsNext, c.wait = slices.Clone(s.heads), slices.Clone(s.headsNext), slices.Clone(s.wait)
	c.until, c.asleep, c.sleepNext = slices.Clone(s.until), slices.Clone(s.asleep), slices.Clone(s.sleepNext)
	c.released, c.sending = slices.Clone(s.released), slices.Clone(s.sending)
	c.bids, c.picks = slices.Clone(s.bids), slices.Clone(s.picks)
	c.router, c.grants, c.turns = slices.Clone(s.router), slices.Clone(s.grants), s.turns.clone()
	c.backAt, c.hopAt = nil, nil
	c.wins, c.asked, c.granted, c.classes, c.weights, c.choice, c.fronts = nil, nil, nil, nil, nil, nil, nil
	c.control, c.messages = s.control.clone(), s.messages.clone()
	c.rings = s.rings.clone()
	c.estimates = s.estimates.clone(&c)
	if s.loads != nil {
		l := *s.loads
		l.channel, l.turn = slices.Clone(l.channel), slices.Clone(l.turn)
		c.loads = &l
	}
	return &c
}

func cloneLists[T any](lists [][]T) [][]T {
	c := make([][]T, len(lists))
	for i := range lists {
		if len(lists[i]) > 0 {
			c[i] = slices.Clone(lists[i])
		}
	}
	return c
}
