package states

import (
	"fmt"
	"math"
	"slices"
)

// This file finds places that matter. In a run to stuck packets all others can be left out: without them there is more room,
// gates are open and rings have fewer packets, so that each move of those that are left stays possible. So a packet
// matters only if its head can get to a place where it may wait for buffers that such packets can hold. Gates that stop flits in
// the middle of a packet are an exception: the head may be at its host then. So are messages that cause others.

// findUseful sets useful: the greatest set of places such that each leads to a place of the set where a head may wait for ever,
// at the front of its buffer or behind flits of a packet that does not move.
func (n *net) findUseful() {
	n.useful = slices.Repeat([]bool{true}, len(n.Places))
	for more := !n.plain && n.Messages == nil && !n.byFlit(); more; {
		held := n.buffersOf(n.useful)
		next := make([]bool, len(n.Places))
		for p := range n.Places {
			next[p] = n.useful[p] && n.mayWait(p, held)
		}
		if n.spans() {
			n.addBehind(next)
		} else {
			n.backward(next) // a packet behind others holds its own buffer only
		}
		more = !slices.Equal(n.useful, next)
		n.useful = next
	}
	n.addBehind(n.useful)
}

// spans reports whether a packet that cannot move can hold several buffers.
func (n *net) spans() bool {
	return (!n.whole || n.Reuse == WhenFull) && slices.ContainsFunc(n.Streams, func(x Stream) bool { return slices.Max(x.Flits) > 1 })
}

// addBehind adds to a set the places that lead into it, those that share a buffer with one of the set, and so on.
func (n *net) addBehind(set []bool) {
	for more := true; more; {
		more = false
		n.backward(set)
		held := n.buffersOf(set)
		for p := range n.Places {
			if b := n.Places[p].Buffer; !set[p] && held[b] && n.shares(b) {
				set[p], more = true, true
			}
		}
	}
}

// buffersOf returns the buffers of a set of places.
func (n *net) buffersOf(set []bool) []bool {
	held := make([]bool, len(n.Buffers))
	for p, x := range set {
		if x {
			held[n.Places[p].Buffer] = true
		}
	}
	return held
}

// shares reports whether several packets can be in buffer b.
func (n *net) shares(b int) bool {
	shortest := math.MaxInt
	for _, x := range n.Streams {
		shortest = min(shortest, slices.Min(x.Flits))
	}
	return n.Reuse != WhenEmpty && (!n.whole || n.Buffers[b].Flits >= 2*shortest)
}

// mayWait reports whether a head may wait for ever at place p, if only buffers of held stay taken.
func (n *net) mayWait(p int, held []bool) bool {
	x := &n.Places[p]
	blocked := 0
	for _, q := range x.Next {
		switch {
		case q != Leave && (held[n.Places[q].Buffer] || n.isGuarded(x.Buffer, n.Places[q].Buffer) || n.isGated(x.Buffer, n.Places[q].Buffer)):
			blocked++
		}
	}
	if x.All {
		return true // a copy belongs to a packet that others may keep
	}
	if x.Commits || n.Reuse == WhenFull {
		return blocked > 0
	}
	return blocked > 0 && blocked == len(x.Next)
}

// backward adds to a set the places that lead into it.
func (n *net) backward(set []bool) {
	for more := true; more; {
		more = false
		for p := range n.Places {
			if !set[p] && slices.ContainsFunc(n.Places[p].Next, func(q int) bool { return q != Leave && set[q] }) {
				set[p], more = true, true
			}
		}
	}
}

// merged returns the case in which places with the same future are one place. Packets there are interchangeable.
func (n *net) merged() *Case {
	n.findUseful()
	if n.plain || n.Messages != nil {
		return n.Case
	}
	kind := make([]int, len(n.Places))
	for count := 0; ; {
		number := map[string]int{}
		next := make([]int, len(kind))
		for p := range n.Places {
			text := fmt.Sprintf("%d: %s", kind[p], n.signature(p, kind))
			if _, ok := number[text]; !ok {
				number[text] = len(number)
			}
			next[p] = number[text]
		}
		kind = next
		if len(number) == count {
			break
		}
		count = len(number)
	}
	return n.replaced(kind)
}

// signature describes a place by its buffer and its hops, to places of kinds.
func (n *net) signature(p int, kind []int) string {
	x := &n.Places[p]
	var hops []string
	for _, q := range x.Next {
		switch {
		case q == Leave:
			hops = append(hops, fmt.Sprint("leave ", n.EjectVCs > 0, x.Host))
		case n.useful[q]:
			hops = append(hops, fmt.Sprint("to ", kind[q]))
		default:
			hops = append(hops, fmt.Sprint("buffer ", n.Places[q].Buffer))
		}
	}
	slices.Sort(hops)
	return fmt.Sprint(x.Buffer, x.All, x.Commits, n.useful[p], hops)
}

// replaced returns the case with one place of each kind.
func (n *net) replaced(kind []int) *Case {
	first := map[int]int{}
	for p := range kind {
		if _, ok := first[kind[p]]; !ok {
			first[kind[p]] = p
		}
	}
	c := *n.Case
	c.Places = slices.Clone(c.Places)
	for p := range c.Places {
		next := make([]int, 0, len(c.Places[p].Next))
		for _, q := range c.Places[p].Next {
			if q != Leave {
				q = first[kind[q]]
			}
			if c.Places[p].All || !slices.Contains(next, q) {
				next = append(next, q)
			}
		}
		c.Places[p].Next = next
	}
	c.Streams = slices.Clone(c.Streams)
	for i := range c.Streams {
		c.Streams[i].Start = first[kind[c.Streams[i].Start]]
	}
	return &c
}
