package packets

import (
	"math/bits"

	"github.com/turnproof/turnproof/engine"
)

// This file is the calendar: which events come at which clock.
//
// Source: R. Brown, Calendar queues, Communications of the ACM 31(10), 1988, in
// its plainest form: a wheel with a list for each of the next near clocks, and a
// heap for what comes later. Clocks without events are passed over by their bits.
// Cost: O(1) an event that is near, O(log events) one that is far; no allocation
// once there have been as many events at a time as there ever are.
// Invariant: an event of the wheel is less than near clocks ahead, so a list holds
// events of one clock only.

// near is how many clocks the wheel has, a power of two.
const near = 1 << 10

// The kinds of events. Their order within a clock does not matter.
const (
	headReady = iota // the front packet of buffer which may ask
	tailGone         // the packet that channel which carries has passed it
	arrived          // packet which is at its host
	hostReady        // the channel of host which is idle, or its next packet created
	deadEnd          // the front packet of buffer which goes nowhere
	kinds
)

// event is what happens, and to which port, packet or host.
type event struct {
	which int32
	what  uint8
}

type node struct {
	event
	next int32 // 0: none
}

type farEvent struct {
	at engine.Clock
	event
}

type calendar struct {
	first [near]int32       // by clock modulo near, into node; 0: none
	some  [near / 64]uint64 // which of first are not 0
	node  []node            // 0 is not used
	free  int32             // first unused node, 0: none
	far   []farEvent        // a heap, the earliest first
}

func newCalendar() calendar { return calendar{node: make([]node, 1)} }

// add enters an event of clock at, which is not before now.
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

// open takes the list of events of clock t out of the wheel and returns its first,
// 0 if there is none; nothing may be entered for t from now on.
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

// take returns event k of an open list, and the next one there, 0 if there is none.
func (c *calendar) take(k int32) (event, int32) {
	x := &c.node[k]
	next := x.next
	x.next, c.free = c.free, k
	return x.event, next
}

// next returns the clock of the first event, not before now; never if there is none.
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
