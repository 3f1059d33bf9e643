package agree

// This file lists the places of single worms, and their moves. It uses the walk of a case, and no code of
// turnproof.
//
// The model: a worm needs n VCs for its flits, with every buffer full. A VC holds flits of one worm at a
// time. A worm starts on a free injection VC of its source, after the source has sent all flits of the
// previous worm; injection channels have as many VCs as others. Its head enters any permitted next VC
// that is free. Its tail leaves a VC when the n VCs behind the head are enough. The worm leaves the
// network when its head is at a host or has no next hop. With n = 1 this is virtual cut-through.
//
// This model has the deadlocks of a search flit by flit. With buffers of b flits, a worm of n*b flits
// never lies on fewer than n VCs, since n-1 full buffers are too small. Once its buffers are full, it
// lies on exactly n VCs, or on all VCs of its path. To fill its buffers only frees VCs, so that each step
// that is possible beside longer worms is possible beside these. To leave at once only frees VCs, too. So
// every deadlock that some order of flits reaches is reached with full buffers.

// mostVCs is the number of VCs, injection VCs included, and sources that a mask holds.
const mostVCs = 64

// shape is a worm in one place.
type shape struct {
	body   []int  // states of the walk, that of the head first
	choice int    // the hop of its head that it has chosen; -1 if it takes any
	length int    // VCs that its flits need
	inject int    // the VC of the injection channel on which it started
	mask   uint64 // VCs on which it lies, and the bit of its source while the source has flits to send
	waits  uint64 // VCs that its head may enter
	leaves bool   // it may leave the network
	next   []step
	before []int  // the shapes from which one step leads here
	born   uint64 // bit of the source, if packets start with this shape while the bit is free; else 0
	final  bool   // it may be part of a deadlock
}

// step is a move of a head to a free VC.
type step struct {
	to int    // the shape after it
	vc uint64 // the VC that must be free
}

// shapes lists all places of worms of some lengths, each alone in the network.
type shapes struct {
	w    *walk
	one  bool // a worm chooses one of its next hops before it waits
	list []shape
	full bool // list is not complete, because a limit was reached
}

// newShapes follows worms of 1 to most VCs until limit shapes are known. If one is true, each chooses one
// of several next hops when its head arrives, and waits for it.
func newShapes(w *walk, most, limit int, one bool) *shapes {
	s := &shapes{w: w, one: one}
	if len(w.vcs)+len(w.c.Hosts)*(max(w.c.VCs, 1)+1) > mostVCs {
		s.full = true
		return s
	}
	number := map[string]int{}
	for _, starts := range w.first {
		for _, i := range starts {
			for n := range most * max(w.c.VCs, 1) {
				for _, k := range s.add(number, n/max(w.c.VCs, 1)+1, n%max(w.c.VCs, 1), []int{i}) {
					s.list[k].born = s.source(i)
				}
			}
		}
	}
	for k := 0; k < len(s.list); k++ {
		if s.expand(number, k); len(s.list) > limit {
			s.full = true
			return s
		}
	}
	s.mark()
	return s
}

// add returns the numbers of the shapes of a worm in a place: one for each hop that it may choose, or one
// if it takes any.
func (s *shapes) add(number map[string]int, length, inject int, body []int) (list []int) {
	if s.w.on[body[len(body)-1]] >= 0 {
		inject = 0 // it has left the injection channel
	}
	hops := len(s.w.next[body[0]])
	if !s.one || hops < 2 {
		return []int{s.addOne(number, shape{body: body, choice: -1, length: length, inject: inject})}
	}
	for choice := range hops {
		list = append(list, s.addOne(number, shape{body: body, choice: choice, length: length, inject: inject}))
	}
	return list
}

// addOne returns the number of a shape.
func (s *shapes) addOne(number map[string]int, x shape) int {
	key := append(make([]byte, 0, 4*len(x.body)+3), byte(x.length), byte(x.inject), byte(x.choice))
	for _, i := range x.body {
		key = append(key, byte(i), byte(i>>8), byte(i>>16))
	}
	if k, ok := number[string(key)]; ok {
		return k
	}
	number[string(key)] = len(s.list)
	for _, i := range x.body {
		x.mask |= s.bit(i, x.inject)
	}
	if last := x.body[len(x.body)-1]; s.w.on[last] < 0 && len(x.body) < x.length {
		x.mask |= s.source(last)
	}
	s.list = append(s.list, x)
	return len(s.list) - 1
}

// bit returns the VC of a state of the walk as a mask.
func (s *shapes) bit(i, inject int) uint64 {
	if v := s.w.on[i]; v >= 0 {
		return 1 << v
	}
	return 1 << (len(s.w.vcs) + (-1-s.w.at[i].Channel)*(max(s.w.c.VCs, 1)+1) + inject)
}

// source returns the bit of the source of a state on an injection channel.
func (s *shapes) source(i int) uint64 { return s.bit(i, max(s.w.c.VCs, 1)) }

// expand lists the moves of shape k.
func (s *shapes) expand(number map[string]int, k int) {
	head := s.list[k].body[0]
	s.list[k].leaves = len(s.w.next[head]) == 0
	hops := s.w.next[head]
	if c := s.list[k].choice; c >= 0 {
		hops = hops[c : c+1]
	}
	for _, j := range hops {
		if j < 0 {
			s.list[k].leaves = true
			continue
		}
		s.list[k].waits |= s.bit(j, 0)
		if s.list[k].mask&s.bit(j, 0) != 0 {
			continue // its own flits are there
		}
		body := append([]int{j}, s.list[k].body...)
		for _, to := range s.add(number, s.list[k].length, s.list[k].inject, body[:min(len(body), s.list[k].length)]) {
			s.list[k].next = append(s.list[k].next, step{to, s.bit(j, 0)})
		}
	}
}

// mark finds the shapes that may be part of a deadlock: such shapes can hold all VCs for which they wait.
// A shape on its injection VC is left out, since a worm that needs fewer VCs has the same place without
// that VC.
func (s *shapes) mark() {
	links := uint64(1)<<len(s.w.vcs) - 1
	for k := range s.list {
		s.list[k].final = !s.list[k].leaves && s.list[k].mask&^links == 0
		for _, m := range s.list[k].next {
			s.list[m.to].before = append(s.list[m.to].before, k)
		}
	}
	for more := true; more; {
		more = false
		var held uint64
		for k := range s.list {
			if s.list[k].final {
				held |= s.list[k].mask
			}
		}
		for k := range s.list {
			if x := &s.list[k]; x.final && x.waits&^held != 0 {
				x.final, more = false, true
			}
		}
	}
}
