package route

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file computes distances along allowed turns.
//
// Promise: distances are exact over all paths that make only turns of the set. U-turns are
// allowed if the set contains them. Method: breadth-first search over VCs, backwards from a
// switch. Each switch has a bit row of the incoming VCs that are not reached yet. Each VC has a
// bit row of the VCs that may turn into the VC. One step reaches the intersection of the two
// rows. Cost: about one word operation per VC between switches and destination, if no switch
// has more than 64 cables times VCs.

// Legal is the graph of VCs and allowed turns of a turn set. It is safe for concurrent use;
// each goroutine needs its own Search.
type Legal struct {
	net     *model.Network
	set     *model.TurnSet
	width   []int32      // by switch: words of its rows
	rowOf   []int32      // by switch: its first word in fresh
	tail    []int32      // by VC: the switch that the VC leaves
	head    []int32      // by VC: the switch that the VC enters
	exit    []int32      // by VC: its bit among the VCs out of its tail, counted over all rows
	before  []int32      // by VC: its first word in from
	from    []uint64     // rows of the VCs that may turn into a VC
	behind  []int32      // by VC: its first word in to
	to      []uint64     // rows of the VCs that a VC may turn into
	fresh   []uint64     // rows of all VCs into a switch
	into    []model.VCID // by switch, from bitOf: the incoming VC of each bit
	out     []model.VCID // by switch, from bitOf: the outgoing VC of each bit
	bitOf   []int32
	follows []model.VCID // by VC, from after: the allowed next VCs, by port
	after   []int32
}

// NewLegal returns the graph of a turn set. The set must not change afterwards. Memory: about
// 40 bytes per VC and four per turn.
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

// Set returns the turn set of the graph.
func (l *Legal) Set() *model.TurnSet { return l.set }

// After returns the VCs that may follow VC v, by ascending port and index. The caller must not
// change the slice.
func (l *Legal) After(v model.VCID) []model.VCID { return l.follows[l.after[v]:l.after[v+1]] }

// Search computes distances to one switch at a time.
type Search struct {
	*Legal
	// Dist[v] is the number of channels on a shortest path that begins with VC v and ends at
	// the switch, or Unreached if there is no path.
	Dist  []uint32
	Order []model.VCID // the VCs with a path to the switch, by ascending distance
	open  []uint64     // like fresh, for the VCs that are not reached yet
	on    []uint64     // bits of the VCs that shortestNext considers
	next  []model.VCID
}

// Unreached is the distance if no path exists.
const Unreached = unreachable

// NewSearch returns a search. Memory: eight bytes per VC.
func (l *Legal) NewSearch() *Search {
	return &Search{Legal: l, Dist: make([]uint32, l.net.NumLinkVCs()), Order: make([]model.VCID, 0, l.net.NumLinkVCs()), open: make([]uint64, len(l.fresh))}
}

// To computes the distances to switch v. It overwrites Dist and Order.
func (s *Search) To(v model.SwitchID) {
	n := s.net
	for i := range s.Dist {
		s.Dist[i] = unreachable
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

// From returns the distance from switch u to the switch of the last call of To, over all VCs
// out of u. It returns Unreached if there is no path. u must differ from that switch.
func (s *Search) From(u model.SwitchID) uint32 {
	n, best := s.net, uint32(unreachable)
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

// Steps calls visit for each VC with a path to the switch of the last call of To, nearest or
// farthest VC first. next holds the VCs that follow b on shortest paths, by ascending port. It
// is valid until visit returns. Cost: about one word operation per VC and per step.
func (s *Search) Steps(nearest bool, visit func(b model.VCID, next []model.VCID)) {
	if s.on == nil {
		s.on = make([]uint64, len(s.fresh))
	}
	level := func(from int) int { // index of the first VC of the next level
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
		s.mark(ahead, true)
		for _, b := range s.Order[start[k]:start[k+1]] {
			visit(b, s.shortestNext(b))
		}
		s.mark(ahead, false)
	}
}

// mark sets or clears the bits of VCs in on.
func (s *Search) mark(list []model.VCID, on bool) {
	for _, b := range list {
		if at := s.exit[b]; on {
			s.on[at>>6] |= 1 << (at & 63)
		} else {
			s.on[at>>6] = 0
		}
	}
}

// shortestNext returns the VCs that may follow b and are marked.
func (s *Search) shortestNext(b model.VCID) []model.VCID {
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
