package route

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file works out legal distances: how far it is by allowed turns.
//
// Promise: exact, over all ways that make only turns of the set, U-turns among
// them if the set has them.
// Method: breadth-first search over VCs, backwards from a switch. Per switch a
// row of bits holds the VCs into it that are not reached yet, per VC a row those
// from which it may be turned into; what one step reaches is their
// intersection.
// Cost: about one word operation for each VC between switches and destination,
// as long as no switch has more than 64 cables times VCs.

// Legal answers questions about the ways that a turn set leaves. It may be
// used concurrently; each goroutine needs a Search of its own.
type Legal struct {
	net     *model.Network
	set     *model.TurnSet
	width   []int32      // by switch: words of its rows
	rowOf   []int32      // by switch: its row in fresh
	tail    []int32      // by VC: the switch that it leaves,
	head    []int32      // and the one that it enters
	exit    []int32      // by VC: its bit, counted in all rows, among those out of its tail
	before  []int32      // by VC: its row in from
	from    []uint64     // the VCs into its tail from which a VC may be turned into
	behind  []int32      // by VC: its row in to
	to      []uint64     // the VCs out of its head that a VC may turn into
	fresh   []uint64     // all VCs into a switch
	into    []model.VCID // by switch, from bitOf: the VC into it that a bit stands for
	out     []model.VCID // by switch, from bitOf: the VC out of it
	bitOf   []int32
	follows []model.VCID // by VC, from after: the VCs allowed next, by port
	after   []int32
}

// NewLegal prepares for a turn set, which must not change afterwards.
// Memory: some bytes a VC and four a turn.
func NewLegal(set *model.TurnSet) *Legal {
	n := set.Network()
	l := &Legal{net: n, set: set, width: make([]int32, n.NumSwitches()), rowOf: make([]int32, n.NumSwitches()), bitOf: make([]int32, n.NumSwitches()),
		tail: make([]int32, n.NumLinkVCs()), head: make([]int32, n.NumLinkVCs()), exit: make([]int32, n.NumLinkVCs()),
		before: make([]int32, n.NumLinkVCs()), behind: make([]int32, n.NumLinkVCs()), after: make([]int32, n.NumLinkVCs()+1)}
	vcs := n.VCs()
	rows, bitsInAll := int32(0), int32(0)
	for u := range model.SwitchID(n.NumSwitches()) {
		k := len(n.Out(u)) * vcs
		l.width[u], l.rowOf[u], l.bitOf[u] = int32((k+63)/64), rows, bitsInAll
		rows, bitsInAll = rows+l.width[u], bitsInAll+int32(k)
	}
	l.fresh, l.into, l.out = make([]uint64, rows), make([]model.VCID, bitsInAll), make([]model.VCID, bitsInAll)
	words, more := int32(0), int32(0)
	for v := range model.VCID(n.NumLinkVCs()) {
		c, i := n.Channel(v)
		bit := n.InIndex(c)*vcs + i
		l.fresh[int(l.rowOf[n.Head(c)])+bit/64] |= 1 << (bit % 64)
		l.into[int(l.bitOf[n.Head(c)])+bit] = v
		l.out[int(l.bitOf[n.Tail(c)])+n.OutIndex(c)*vcs+i] = v
		l.tail[v], l.head[v] = int32(n.Tail(c)), int32(n.Head(c))
		l.exit[v] = 64*l.rowOf[n.Tail(c)] + int32(n.OutIndex(c)*vcs+i)
		l.before[v], l.behind[v] = words, more
		words, more = words+l.width[n.Tail(c)], more+l.width[n.Head(c)]
	}
	l.from, l.to = make([]uint64, words), make([]uint64, more)
	for t := range set.All() {
		in, i := n.Channel(t.In)
		bit := n.InIndex(in)*vcs + i
		l.from[int(l.before[t.Out])+bit/64] |= 1 << (bit % 64)
		out, j := n.Channel(t.Out)
		bit = n.OutIndex(out)*vcs + j
		l.to[int(l.behind[t.In])+bit/64] |= 1 << (bit % 64)
		l.follows = append(l.follows, t.Out)
		l.after[t.In+1]++
	}
	for v := range l.after[1:] {
		l.after[v+1] += l.after[v]
	}
	return l
}

// Set returns the turn set.
func (l *Legal) Set() *model.TurnSet { return l.set }

// After returns the VCs that may follow VC v, by ascending port and index. It
// must not be written to.
func (l *Legal) After(v model.VCID) []model.VCID { return l.follows[l.after[v]:l.after[v+1]] }

// Search holds the memory of searches.
type Search struct {
	*Legal
	// Dist, by VC between switches, is the number of channels on a shortest way
	// that begins with the VC and ends at the switch, Unreached if there is none.
	Dist  []uint32
	Order []model.VCID // the VCs from which there is a way, by ascending distance
	open  []uint64     // as fresh, those that are not reached yet
	on    []uint64     // scratch of Steps
	next  []model.VCID
}

// Unreached is the distance of what cannot get there.
const Unreached = far

// NewSearch returns memory for searches: eight bytes a VC.
func (l *Legal) NewSearch() *Search {
	return &Search{Legal: l, Dist: make([]uint32, l.net.NumLinkVCs()), Order: make([]model.VCID, 0, l.net.NumLinkVCs()), open: make([]uint64, len(l.fresh))}
}

// To searches for ways to switch v. What it returned before is overwritten.
func (s *Search) To(v model.SwitchID) {
	n := s.net
	for i := range s.Dist {
		s.Dist[i] = far
	}
	copy(s.open, s.fresh)
	s.Order = s.Order[:0]
	for _, out := range n.Out(v) {
		if n.Kind(out) != model.SwitchToSwitch {
			continue
		}
		for i := range n.VCs() {
			s.reach(n.VC(n.Reverse(out), i), 1)
		}
	}
	clear(s.open[s.rowOf[v] : s.rowOf[v]+s.width[v]])
	for i := 0; i < len(s.Order); i++ {
		b := s.Order[i]
		u := s.tail[b]
		open, from := s.open[s.rowOf[u]:s.rowOf[u]+s.width[u]], s.from[s.before[b]:]
		for w := range open {
			for next := from[w] & open[w]; next != 0; next &= next - 1 {
				at := 64*w + bits.TrailingZeros64(next)
				s.reach(s.into[int(s.bitOf[u])+at], s.Dist[b]+1)
			}
			open[w] &^= from[w]
		}
	}
}

func (s *Search) reach(a model.VCID, d uint32) {
	s.Dist[a] = d
	s.Order = append(s.Order, a)
}

// From returns the distance of switch u to the switch last searched to, over
// all VCs out of u, Unreached if there is no way. It is not meant for that
// switch itself.
func (s *Search) From(u model.SwitchID) uint32 {
	n, best := s.net, uint32(far)
	for _, c := range n.Out(u) {
		if n.Kind(c) != model.SwitchToSwitch {
			continue
		}
		for i := range n.VCs() {
			best = min(best, s.Dist[n.VC(c, i)])
		}
	}
	return best
}

// Steps visits the VCs from which there is a way to the switch last searched
// to, nearest first or farthest first, with those that may follow on shortest
// ways, by ascending port; next is valid until visit returns.
// Cost: about one word operation for each VC and one for each step.
func (s *Search) Steps(nearest bool, visit func(b model.VCID, next []model.VCID)) {
	if s.on == nil {
		s.on = make([]uint64, len(s.fresh))
	}
	level := func(from int) int { // the first of the next farther level
		to := from
		for to < len(s.Order) && s.Dist[s.Order[to]] == s.Dist[s.Order[from]] {
			to++
		}
		return to
	}
	var start []int
	for i := 0; i < len(s.Order); i = level(i) {
		start = append(start, i)
	}
	start = append(start, len(s.Order))
	for k := range len(start) - 1 {
		if !nearest {
			k = len(start) - 2 - k
		}
		var ahead []model.VCID
		if k > 0 {
			ahead = s.Order[start[k-1]:start[k]]
		}
		s.light(ahead, true)
		for _, b := range s.Order[start[k]:start[k+1]] {
			visit(b, s.lit(b))
		}
		s.light(ahead, false)
	}
}

// light turns the bits of VCs at the switches that they leave on or off.
func (s *Search) light(list []model.VCID, on bool) {
	for _, b := range list {
		if at := s.exit[b]; on {
			s.on[at>>6] |= 1 << (at & 63)
		} else {
			s.on[at>>6] = 0
		}
	}
}

// lit returns the VCs that may follow b and whose bits are on.
func (s *Search) lit(b model.VCID) []model.VCID {
	u := s.head[b]
	s.next = s.next[:0]
	to := s.to[s.behind[b]:]
	for w, on := range s.on[s.rowOf[u] : s.rowOf[u]+s.width[u]] {
		for next := to[w] & on; next != 0; next &= next - 1 {
			at := int(s.bitOf[u]) + 64*w + bits.TrailingZeros64(next)
			s.next = append(s.next, s.out[at])
		}
	}
	return s.next
}
