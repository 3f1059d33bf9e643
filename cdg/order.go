package cdg

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file maintains a numbering while dependencies are added: a dynamic topological order of
// the VCs between switches.
//
// Promise: Add refuses a dependency if and only if it would close a cycle. After each call
// labels increase along every dependency. Method: a dependency from a smaller to a larger label
// costs nothing. For other dependencies two searches alternate, forwards from the head of the
// dependency and backwards from its tail, among the labels between the two. If they meet, there
// is a cycle. If one search ends first, the VCs that it found are moved past the other end. The
// two-way search is that of B. Haeupler, T. Kavitha, R. Mathew, S. Sen and R. Tarjan,
// Incremental cycle detection, topological ordering, and strong component maintenance, ACM TALG
// 8(1), 2012, section 2. The labels with gaps are those of P. Dietz and D. Sleator, STOC 1987,
// in their simplest form: if no label is free, all VCs get new labels. A search tests the VCs
// out of (or into) a switch by bit rows, so it costs about one word operation per VC that it
// visits. Memory: about 60 bytes per VC, two bits per turn.

// Order is an acyclic set of dependencies with its numbering. It is not safe for concurrent
// use.
type Order struct {
	net   *model.Network
	label []int64      // by VC
	after []model.VCID // by VC: the next VC by label, or NoVC
	prior []model.VCID // by VC: the previous VC by label, or NoVC
	fore  side         // forwards: the VCs out of the head of a VC
	back  side         // backwards: the VCs into the tail of a VC
}

// side is a direction of search. Each VC has a row with one bit per VC that is one step further
// in this direction.
type side struct {
	at    []model.SwitchID // by VC: the switch where the next VCs are
	row   []int32          // by VC: first word of its row
	words []uint64
	local []int32      // by VC: its bit in the rows that contain it
	vc    []model.VCID // by switch, from vcOf: the VC of each bit
	vcOf  []int32
	width []int32 // by switch: number of words of a row

	open   []uint64 // by switch, from openOf: the VCs that this search has not reached
	openOf []int32
	stamp  []uint32 // by switch: the search that open belongs to
	met    []uint32 // by VC: the last search that reached it
	round  uint32
	found  []model.VCID
	next   int // index in found of the next VC to expand
}

// gap is the distance between new labels.
const gap = int64(1) << 32

// NewOrder returns an order on the VCs between switches of n without dependencies. The initial
// numbering is rank, a permutation, or the VC number if rank is nil. It saves work if most
// later dependencies increase the rank.
func NewOrder(n *model.Network, rank []int32) *Order {
	o := &Order{net: n, label: make([]int64, n.NumLinkVCs())}
	for v := range o.label {
		o.label[v] = int64(v) * gap
		if rank != nil {
			o.label[v] = int64(rank[v]) * gap
		}
	}
	o.after, o.prior = make([]model.VCID, len(o.label)), make([]model.VCID, len(o.label))
	last := model.NoVC
	for _, v := range o.sorted() {
		o.link(last, v)
		last = v
	}
	o.link(last, model.NoVC)
	o.fore.init(n, func(c model.ChannelID) model.ChannelID { return c }, n.Head)
	o.back.init(n, n.Reverse, n.Tail)
	return o
}

// init allocates the rows. out maps a channel in a row to the channel whose index at its switch
// gives the bit; at returns the switch where the next VCs of a channel are.
func (s *side) init(n *model.Network, out func(model.ChannelID) model.ChannelID, at func(model.ChannelID) model.SwitchID) {
	vcs, k := n.VCs(), n.NumLinkVCs()
	s.at, s.row, s.local, s.met = make([]model.SwitchID, k), make([]int32, k), make([]int32, k), make([]uint32, k)
	s.vcOf, s.openOf = make([]int32, n.NumSwitches()+1), make([]int32, n.NumSwitches()+1)
	s.width, s.stamp = make([]int32, n.NumSwitches()), make([]uint32, n.NumSwitches())
	for u := range model.SwitchID(n.NumSwitches()) {
		size := len(n.Out(u)) * vcs
		s.width[u] = int32((size + 63) / 64)
		s.vcOf[u+1], s.openOf[u+1] = s.vcOf[u]+int32(size), s.openOf[u]+s.width[u]
	}
	s.vc, s.open = make([]model.VCID, s.vcOf[n.NumSwitches()]), make([]uint64, s.openOf[n.NumSwitches()])
	words := int32(0)
	for v := range model.VCID(k) {
		c, i := n.Channel(v)
		s.at[v], s.row[v] = at(c), words
		words += s.width[s.at[v]]
		s.local[v] = int32(n.OutIndex(out(c))*vcs + i)
		s.vc[s.vcOf[n.Tail(out(c))]+s.local[v]] = v
	}
	s.words = make([]uint64, words)
}

func (s *side) bit(from, to model.VCID) (*uint64, uint64) {
	return &s.words[s.row[from]+s.local[to]/64], 1 << (s.local[to] % 64)
}

// Has reports whether the order contains the dependency.
func (o *Order) Has(t model.Turn) bool {
	w, b := o.fore.bit(t.In, t.Out)
	return *w&b != 0
}

// Add adds the dependency of t.Out on t.In. It returns false and changes nothing if the
// dependency would close a cycle.
func (o *Order) Add(t model.Turn) bool {
	if t.In == t.Out || o.label[t.In] > o.label[t.Out] && !o.lift(t.In, t.Out) {
		return false
	}
	w, b := o.fore.bit(t.In, t.Out)
	*w |= b
	w, b = o.back.bit(t.Out, t.In)
	*w |= b
	return true
}

// Remove removes a dependency. The numbering does not change.
func (o *Order) Remove(t model.Turn) {
	w, b := o.fore.bit(t.In, t.Out)
	*w &^= b
	w, b = o.back.bit(t.Out, t.In)
	*w &^= b
}

// Numbering returns a rank for each VC, a permutation that increases along every dependency.
func (o *Order) Numbering() []int32 {
	rank := make([]int32, len(o.label))
	for i, v := range o.sorted() {
		rank[v] = int32(i)
	}
	return rank
}

func (o *Order) sorted() []model.VCID {
	list := make([]model.VCID, len(o.label))
	for v := range list {
		list[v] = model.VCID(v)
	}
	o.byLabel(list)
	return list
}

func (o *Order) byLabel(list []model.VCID) {
	slices.SortFunc(list, func(a, b model.VCID) int { return cmp.Compare(o.label[a], o.label[b]) })
}

// lift renumbers so that b comes after a. It returns false if there is a path from b to a.
func (o *Order) lift(a, b model.VCID) bool {
	low, high := o.label[b], o.label[a]
	o.fore.begin(b)
	o.back.begin(a)
	for {
		if o.fore.step(o.label, low, high, &o.back) {
			return false
		}
		if o.fore.next == len(o.fore.found) {
			o.move(o.fore.found, a, true)
			return true
		}
		if o.back.step(o.label, low, high, &o.fore) {
			return false
		}
		if o.back.next == len(o.back.found) {
			o.move(o.back.found, b, false)
			return true
		}
	}
}

func (s *side) begin(v model.VCID) {
	if s.round++; s.round == 0 { // after 2^32 searches
		clear(s.stamp)
		clear(s.met)
		s.round = 1
	}
	s.found = append(s.found[:0], v)
	s.met[v] = s.round
	s.next = 0
}

// step expands one VC and reports whether the two searches have met. It ignores VCs whose
// labels are not strictly between low and high.
func (s *side) step(label []int64, low, high int64, other *side) bool {
	v := s.found[s.next]
	s.next++
	u := s.at[v]
	open := s.open[s.openOf[u]:s.openOf[u+1]]
	if s.stamp[u] != s.round {
		s.stamp[u] = s.round
		for i := range open {
			open[i] = ^uint64(0)
		}
	}
	row := s.words[s.row[v] : s.row[v]+s.width[u]]
	for i := range open {
		for next := row[i] & open[i]; next != 0; next &= next - 1 {
			w := s.vc[s.vcOf[u]+int32(64*i+bits.TrailingZeros64(next))]
			if other.met[w] == other.round {
				return true
			}
			if label[w] > low && label[w] < high {
				s.met[w] = s.round
				s.found = append(s.found, w)
			}
		}
		open[i] &^= row[i]
	}
	return false
}

// link makes w the successor of v in the list by label.
func (o *Order) link(v, w model.VCID) {
	if v != model.NoVC {
		o.after[v] = w
	}
	if w != model.NoVC {
		o.prior[w] = v
	}
}

// move moves the VCs of list, in their current order, directly after (or before) v.
func (o *Order) move(list []model.VCID, v model.VCID, after bool) {
	o.byLabel(list)
	for _, w := range list {
		o.link(o.prior[w], o.after[w])
	}
	left, right := v, o.after[v]
	if !after {
		left, right = o.prior[v], v
	}
	lo, step := o.between(left, right, len(list))
	for i, w := range list {
		o.label[w] = lo + step*int64(i+1)
		o.link(left, w)
		left = w
	}
	o.link(left, right)
	if step == 0 {
		o.renew()
	}
}

// between returns how k labels fit between two neighbours, one of which may be NoVC. lo is the
// label below the first new label and step is their distance, or 0 if not enough labels are
// free.
func (o *Order) between(left, right model.VCID, k int) (lo, step int64) {
	span := gap * int64(k+1)
	switch {
	case left == model.NoVC && o.label[right] < math.MinInt64+span, right == model.NoVC && o.label[left] > math.MaxInt64-span:
		return 0, 0
	case left == model.NoVC:
		return o.label[right] - span, gap
	case right == model.NoVC:
		return o.label[left], gap
	}
	return o.label[left], (o.label[right] - o.label[left]) / int64(k+1)
}

// renew gives new labels to all VCs in their current order.
func (o *Order) renew() {
	first := model.NoVC
	for v, p := range o.prior {
		if p == model.NoVC {
			first = model.VCID(v)
		}
	}
	label := int64(0)
	for v := first; v != model.NoVC; v = o.after[v] {
		o.label[v] = label
		label += gap
	}
}
