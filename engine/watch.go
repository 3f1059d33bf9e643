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
				s.source = &recorder{s.source, make([][]Packet, len(s.hosts))}
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
	packets := s.forget()
	if before == nil || s.inNetwork == 0 || s.Frozen() == nil {
		return nil, nil
	}
	return before.closing(ctx, s.now, packets)
}

// forget forgets the state at the last look, and stops recording packets. It returns the recorded ones by host.
func (s *Sim) forget() (packets [][]Packet) {
	s.before = nil
	if r, ok := s.source.(*recorder); ok {
		s.source, packets = r.Source, r.packets
	}
	return packets
}

// closing returns the deadlock that closed between the state s and clock end, with its clock. packets are those of the source since s,
// by host, if the source has no copy.
func (s *Sim) closing(ctx context.Context, end Clock, packets [][]Packet) (*Deadlock, error) {
	at := func(now Clock) (*Sim, error) {
		c := s.clone()
		if c.source, c.report = fork(s.source), nil; c.source == nil {
			c.source = newTape(packets)
			c.Refill() // hosts without a packet at the look that got one later by Refill or Wake
		}
		return c, c.Run(ctx, now-c.now)
	}
	low, high := s.now, end // invariant: no packet is frozen at low, some are at high
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
	return c.reduce().deadlock(high - 1), nil
}

// deadlock returns the deadlock of the remaining packets, which closed in the given clock.
func (r *reduction) deadlock(closed Clock) *Deadlock {
	d := &Deadlock{Clock: closed, Packets: r.packets()}
	for _, o := range r.obstacles {
		o.explain(d)
	}
	return d
}

// fork returns a copy of a source, or nil if it has none.
func fork(source Source) Source {
	if f, ok := source.(Forker); ok {
		return f.Fork()
	}
	return nil
}

// recorder records the packets that a source gives.
type recorder struct {
	Source
	packets [][]Packet // by host
}

// Next implements Source.
func (r *recorder) Next(h model.HostID) (Packet, bool) {
	p, ok := r.Source.Next(h)
	if ok {
		r.packets[h] = append(r.packets[h], p)
	}
	return p, ok
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
	c.before, c.parts = nil, nil
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
	c.hooks = s.hooks.clone()
	return &c
}
