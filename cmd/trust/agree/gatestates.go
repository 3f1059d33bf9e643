package agree

import (
	"encoding/binary"
	"slices"
)

// This file is the judge of gates: all states of a small network under virtual cut-through, flit by flit.
//
// A move takes one flit over one hop. The first move of a packet takes its head from the host into the network.
// A gate sees all buffers at once. An endpoint receives as many packets at a time as its channel has VCs. A packet
// without a next hop is dropped. A state is a deadlock if some of its packets keep each other from moving: none of their
// flits could move if the others were gone.
//
// A buffer is a VC between switches, or the injection channel or the ejection channel of a host.

// gateRule is the rule of the gates, and the sizes.
type gateRule struct {
	turns, injection bool
	byFlit, reserved bool
	withinRow        bool
	bits             string // of which VCs: own, any or all
	level, hops      int
	closes           func(bits []bool) bool // the nearest bit first
	packet, buffer   int
}

// gatedNet is a grid with gates.
type gatedNet struct {
	*gateRule
	c     *Case
	wide  int              // switches of a row
	ahead []int            // by channel: the next one straight on, or -1
	next  map[[4]int]*Step // by destination, channel, VC and class
}

// worm is a packet in a state.
type worm struct {
	dest, class int
	buffers     []int // that it holds, its tail first
	flits       []int // by buffer; those that have arrived are not counted
}

// gatedState is the packets of the network in the order of the buffers of their tails, then of their queues. At most one
// packet enters a buffer, behind those whose tails are in it.
type gatedState []worm

// newGatedNet returns a grid with rows of some number of switches.
func newGatedNet(c *Case, wide int, rule *gateRule) *gatedNet {
	g := &gatedNet{gateRule: rule, c: c, wide: wide, next: map[[4]int]*Step{}}
	for i := range c.States.Steps {
		s := &c.States.Steps[i]
		g.next[[4]int{s.Dest, s.At.Channel, s.At.VC, s.At.Class}] = s
	}
	for ch := range 2 * len(c.Links) {
		to := -1
		for _, o := range c.out(c.head(ch)) {
			if g.heading(o) == g.heading(ch) && !(rule.withinRow && (g.isWrap(o) || g.isWrap(ch))) {
				to = o
			}
		}
		g.ahead = append(g.ahead, to)
	}
	return g
}

// step returns the difference of the coordinates of the switches of a channel.
func (g *gatedNet) step(ch int) (x, y int) {
	u, v := g.c.tail(ch), g.c.head(ch)
	return v%g.wide - u%g.wide, v/g.wide - u/g.wide
}

func (g *gatedNet) isWrap(ch int) bool {
	x, y := g.step(ch)
	return max(x, -x, y, -y) > 1
}

// heading returns the direction of a channel: 1 or -1 along a row, 2 or -2 along a column.
func (g *gatedNet) heading(ch int) int {
	x, y := g.step(ch)
	way := x + 2*y
	if g.isWrap(ch) {
		way = -way
	}
	if y == 0 {
		return min(max(way, -1), 1)
	}
	return min(max(way, -2), 2)
}

// gateOf reports whether a hop has a gate.
func (g *gatedNet) gateOf(from, to int) bool {
	links := 2 * len(g.c.Links) * g.c.VCs
	if to >= links {
		return false
	}
	if from >= links {
		return g.injection
	}
	a, b := g.heading(from/g.c.VCs), g.heading(to/g.c.VCs)
	return g.turns && a != b && a != -b
}

// entrance and exit return the buffers of a host.
func (g *gatedNet) entrance(host int) int { return 2*len(g.c.Links)*g.c.VCs + host }

func (g *gatedNet) exit(host int) int { return g.entrance(len(g.c.Hosts)) + host }

func (g *gatedNet) isExit(b int) bool { return b >= g.exit(0) }

// place returns the place of a packet with its head in a buffer.
func (g *gatedNet) place(b, class int) place {
	if b >= g.entrance(0) {
		return place{g.entrance(0) - 1 - b, 0, class}
	}
	return place{b / g.c.VCs, b % g.c.VCs, class}
}

// bufferOf returns the buffer that a hop enters.
func (g *gatedNet) bufferOf(to place) int {
	if to.Channel < 0 {
		return g.exit(-1 - to.Channel)
	}
	return to.Channel*g.c.VCs + to.VC
}

// view is a state, or some packets of it.
type view struct {
	*gatedNet
	list   gatedState
	used   []int  // by buffer: flits
	held   []int  // by buffer: packets that hold it
	enters []bool // by buffer: flits of a packet on it have not come
	first  []int  // by buffer: the first packet
}

// look returns a view of the packets that count; if counts is nil, all do.
func (g *gatedNet) look(list gatedState, counts []bool) *view {
	n := g.exit(len(g.c.Hosts))
	v := &view{g, list, make([]int, n), make([]int, n), make([]bool, n), make([]int, n)}
	for b := range v.first {
		v.first[b] = -1
	}
	for _, tail := range []bool{true, false} {
		for i := range list {
			if counts != nil && !counts[i] {
				continue
			}
			for j, b := range list[i].buffers {
				if tail != (j == 0) {
					continue
				}
				if v.first[b] < 0 {
					v.first[b] = i
				}
				v.used[b] += list[i].flits[j]
				v.held[b]++
				v.enters[b] = v.enters[b] || j > 0
			}
		}
	}
	return v
}

// isOpen reports whether no gate stops a flit on a hop.
func (v *view) isOpen(from, to int) bool {
	if !v.gateOf(from, to) {
		return true
	}
	var bits []bool
	for ch := to / v.c.VCs; ch >= 0 && len(bits) < v.hops; ch = v.ahead[ch] {
		some, all := false, true
		for k := range v.c.VCs {
			if v.bits == "own" && k != to%v.c.VCs {
				continue
			}
			b := ch*v.c.VCs + k
			taken := v.used[b]
			if v.reserved {
				taken = v.held[b] * v.packet
			}
			isFull := v.buffer-taken <= v.level
			some, all = some || isFull, all && isFull
		}
		bits = append(bits, v.bits != "all" && some || v.bits == "all" && all)
	}
	return !v.closes(bits)
}

// mayEnter reports whether a head may take a hop.
func (v *view) mayEnter(from, to int) bool {
	if v.isExit(to) {
		return v.held[to] < v.c.VCs
	}
	return !v.enters[to] && v.used[to]+v.packet <= v.buffer && v.isOpen(from, to)
}

// follows reports whether a flit of packet i may follow its head from place j.
func (v *view) follows(i, j int) bool {
	y := &v.list[i]
	return j+1 < len(y.buffers) && y.flits[j] > 0 && (!v.byFlit || v.isOpen(y.buffers[j], y.buffers[j+1]))
}

// hopsOf returns the hops that the head of packet i may take. isLost reports that it has no next hop.
func (v *view) hopsOf(i int) (list []place, isLost bool) {
	y := &v.list[i]
	last := len(y.buffers) - 1
	b := y.buffers[last]
	if v.isExit(b) || y.flits[last] == 0 || v.first[b] != i || slices.Index(y.buffers, b) < last {
		return nil, false
	}
	at := v.place(b, y.class)
	s := v.next[[4]int{y.dest, at.Channel, at.VC, at.Class}]
	if s == nil || len(s.Hops) == 0 {
		return nil, true
	}
	for _, h := range s.Hops {
		if v.mayEnter(b, v.bufferOf(h)) {
			list = append(list, h)
		}
	}
	return list, false
}

// canMove reports whether packet i can move.
func (v *view) canMove(i int) bool {
	for j := range v.list[i].buffers {
		if v.follows(i, j) {
			return true
		}
	}
	list, isLost := v.hopsOf(i)
	return isLost || len(list) > 0
}

// isDeadlock reports whether some packets keep each other from moving.
func (g *gatedNet) isDeadlock(list gatedState) bool {
	counts := make([]bool, len(list))
	for i := range counts {
		counts[i] = true
	}
	for left := len(list); left > 0; {
		v, before := g.look(list, counts), left
		for i := range list {
			if counts[i] && v.canMove(i) {
				counts[i] = false
				left--
			}
		}
		if left == before {
			return true
		}
	}
	return false
}

// without returns the state without packet i, and with y instead if y is not nil.
func without(list gatedState, i int, y *worm) gatedState {
	to := make(gatedState, 0, len(list)+1)
	if i >= len(list) || y == nil || y.buffers[0] != list[i].buffers[0] {
		for k := range list {
			if k == i {
				continue
			}
			if y != nil && list[k].buffers[0] > y.buffers[0] {
				to, y = append(to, *y), nil
			}
			to = append(to, list[k])
		}
		if y != nil {
			to = append(to, *y)
		}
		return to
	}
	to = append(to, list...)
	to[i] = *y
	return to
}

// shift returns the state after a flit of packet i, which is y, has left place j.
func (g *gatedNet) shift(list gatedState, i int, y worm, j int) gatedState {
	y.flits = slices.Clone(y.flits)
	if y.flits[j]--; !g.isExit(y.buffers[j+1]) {
		y.flits[j+1]++
	}
	for len(y.flits) > 0 && y.flits[0] == 0 {
		y.flits, y.buffers = y.flits[1:], y.buffers[1:]
	}
	if len(y.flits) == 0 {
		return without(list, i, nil)
	}
	return without(list, i, &y)
}

// enter returns the states after the hops of the head of packet i of a view.
func (v *view) enter(i int, f func(gatedState)) {
	hops, isLost := v.hopsOf(i)
	if isLost {
		f(without(v.list, i, nil))
	}
	for _, h := range hops {
		y := v.list[i]
		y.class = h.Class
		y.buffers, y.flits = append(slices.Clone(y.buffers), v.bufferOf(h)), append(slices.Clone(y.flits), 0)
		f(v.shift(v.list, i, y, len(y.flits)-2))
	}
}

// after calls f with the state after each move.
func (g *gatedNet) after(list gatedState, f func(gatedState)) {
	v := g.look(list, nil)
	for i := range list {
		for j := range list[i].buffers {
			if v.follows(i, j) {
				f(g.shift(list, i, list[i], j))
			}
		}
		v.enter(i, f)
	}
	for _, in := range g.c.States.Inject {
		b := g.entrance(in[0])
		if v.held[b] > 0 {
			continue
		}
		g.look(append(slices.Clone(list), worm{in[1], in[2], []int{b}, []int{g.packet}}), nil).enter(len(list), f)
	}
}

// key returns the text of a state.
func (list gatedState) key() string {
	var text []byte
	for i := range list {
		y := &list[i]
		text = append(binary.AppendUvarint(append(text, byte(y.dest)), uint64(y.class)), byte(len(y.flits)))
		for j, b := range y.buffers {
			text = append(binary.AppendUvarint(text, uint64(b)), byte(y.flits[j]))
		}
	}
	return string(text)
}

// reaches reports whether a run from the empty network reaches a deadlock. If there are more than most states, known is
// false unless a deadlock has been found.
func (g *gatedNet) reaches(most int) (found, known bool) {
	seen := map[string]bool{"": true}
	for work := []gatedState{nil}; len(work) > 0; {
		list := work[len(work)-1]
		work = work[:len(work)-1]
		g.after(list, func(to gatedState) {
			if key := to.key(); !found && !seen[key] {
				seen[key] = true
				work = append(work, to)
				found = g.isDeadlock(to)
			}
		})
		if found || len(seen) > most {
			return found, found
		}
	}
	return false, true
}
