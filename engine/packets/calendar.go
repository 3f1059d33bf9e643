package packets

import (
	"math/bits"

	"github.com/turnproof/turnproof/engine"
)

// This file is the calendar of future events.
//
// Source: R. Brown, Calendar queues, Communications of the ACM 31(10), 1988, in its simplest form:
// a wheel with a list for each of the next near clocks, and a heap for later events. Bits mark the
// clocks that have events, so that others are skipped. Cost: O(1) for a near event, O(log events)
// for a far one. Memory grows only to the largest number of simultaneous events. Invariant: an
// event in the wheel is less than near clocks ahead, so a list holds events of one clock.

// near is the number of clocks of the wheel, a power of two.
const near = 1 << 10

// Kinds of events. Their order within a clock does not matter.
const (
	headReady = iota // the front packet of buffer which may request a channel
	tailGone         // the tail of the packet on channel which has passed
	arrived          // packet which is at its host
	hostReady        // the channel of host which is idle, or its next packet is created
	deadEnd          // the front packet of buffer which has no permitted channel
	kinds
)

// event is a kind of event and the port, packet or host that it concerns.
type event struct {
	which int32
	what  uint8
}

type node struct {
	event
	next int32 // 0 at the end of a list
}

type farEvent struct {
	at engine.Clock
	event
}

type calendar struct {
	first [near]int32       // by clock modulo near: index into node, or 0
	some  [near / 64]uint64 // bits of the entries of first that are not 0
	node  []node            // index 0 is not used
	free  int32             // first unused node, or 0
	far   []farEvent        // heap, the earliest event first
}

func newCalendar() calendar { return calendar{node: make([]node, 1)} }

// add enters an event of clock at. at must not be before now.
func (c *calendar) add(now, at engine.Clock, what uint8, which int32) {
	if at-now >= near {
		c.addFar(farEvent{at, event{which, what}})
		return
	}
	k := c.free
	if k == 0 {
		k = int32(len(c.node))
		c.node = append(c.node, node{})
	} else {
		c.free = c.node[k].next
	}
	i := uint(at) % near
	c.node[k] = node{event{which, what}, c.first[i]}
	c.first[i] = k
	c.some[i/64] |= 1 << (i % 64)
}

// open removes the list of events of clock t from the wheel and returns the index of its first
// event, or 0. No event may be added for t afterwards.
func (c *calendar) open(t engine.Clock) int32 {
	i := uint(t) % near
	for len(c.far) > 0 && c.far[0].at == t {
		e := c.takeFar()
		c.add(t, t, e.what, e.which)
	}
	k := c.first[i]
	c.first[i] = 0
	c.some[i/64] &^= 1 << (i % 64)
	return k
}

// take returns event k of an open list and the index of the next one, or 0.
func (c *calendar) take(k int32) (event, int32) {
	x := &c.node[k]
	next := x.next
	x.next, c.free = c.free, k
	return x.event, next
}

// next returns the clock of the first event, at least now. It returns never if there is none.
func (c *calendar) next(now engine.Clock) engine.Clock {
	t := never
	if len(c.far) > 0 {
		t = c.far[0].at
	}
	i := uint(now) % near
	if x := c.some[i/64] >> (i % 64); x != 0 {
		return min(t, now+engine.Clock(bits.TrailingZeros64(x)))
	}
	for k := uint(1); k <= near/64; k++ {
		w := (i/64 + k) % (near / 64)
		if x := c.some[w]; x != 0 {
			at := w*64 + uint(bits.TrailingZeros64(x))
			return min(t, now+engine.Clock((at-i)%near))
		}
	}
	return t
}

const never = engine.Clock(1<<63 - 1)

func (c *calendar) addFar(e farEvent) {
	c.far = append(c.far, e)
	i := len(c.far) - 1
	for i > 0 && c.far[(i-1)/2].at > e.at {
		c.far[i] = c.far[(i-1)/2]
		i = (i - 1) / 2
	}
	c.far[i] = e
}

func (c *calendar) takeFar() event {
	first, last := c.far[0].event, c.far[len(c.far)-1]
	c.far = c.far[:len(c.far)-1]
	n := len(c.far)
	for i := 0; i < n; {
		k := 2*i + 1
		if k+1 < n && c.far[k+1].at < c.far[k].at {
			k++
		}
		if k >= n || c.far[k].at >= last.at {
			c.far[i] = last
			break
		}
		c.far[i] = c.far[k]
		i = k
	}
	return first
}
