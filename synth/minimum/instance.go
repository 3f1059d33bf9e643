package minimum

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file represents the problem by numbers: channels between switches, and turns between these
// channels without U-turns.

// instance is a network with one VC.
type instance struct {
	net      *model.Network
	switches int
	tail     []int32 // by channel
	head     []int32
	turns    []turn    // in the order of model.Turns, ascending by input channel
	out      [][]int32 // by channel: the turns from it
	in       [][]int32 // by channel: the turns into it
	leaves   [][]int32 // by switch: its output channels
	hosted   []bool    // by switch: whether it has hosts
	reverse  []int32   // by turn: its reverse
	both     bool      // whether a turn and its reverse have the same state
	kept     []bool    // by turn: whether it must be allowed. If nil, no turn must be.
	closed   []bool    // by channel: whether no packet may use it. If nil, all channels are open.
	number   []int32   // by turn: its number in a proof, see numberOf
	moved    func(int) // if not nil, receives the number of moves made since the last call
}

// mostCounted is the largest number of switches for which the annealing can count pairs with a
// tree given. On larger networks the turns of the tree are kept instead.
const mostCounted = 300

// keepTree makes the turns of a tree always allowed on networks of more than mostCounted switches.
func (x *instance) keepTree(parent []model.ChannelID) {
	if parent == nil || x.switches <= mostCounted {
		return
	}
	const (
		no = iota
		up
		down
	)
	is := make([]uint8, x.channels())
	for _, c := range parent {
		if c != model.NoChannel {
			is[c], is[x.net.Reverse(c)] = up, down
		}
	}
	x.kept = make([]bool, len(x.turns))
	for i, t := range x.turns {
		x.kept[i] = is[t.in] == up && is[t.out] != no || is[t.in] == down && is[t.out] == down
	}
}

type turn struct{ in, out int32 }

func newInstance(n *model.Network, closed ...model.ChannelID) *instance {
	n = n.WithVCs(1)
	k := n.NumLinkChannels()
	x := &instance{net: n, switches: n.NumSwitches(), tail: make([]int32, k), head: make([]int32, k), out: make([][]int32, k),
		in: make([][]int32, k), leaves: make([][]int32, n.NumSwitches()), hosted: make([]bool, n.NumSwitches())}
	for c := range model.ChannelID(k) {
		x.tail[c], x.head[c] = int32(n.Tail(c)), int32(n.Head(c))
		x.leaves[n.Tail(c)] = append(x.leaves[n.Tail(c)], int32(c))
	}
	if len(closed) > 0 {
		x.closed = make([]bool, k)
		for _, c := range closed {
			x.closed[c] = true
		}
	}
	numbers := numberOf(n)
	for t := range model.Turns(n, false) {
		if x.closed != nil && (x.closed[t.In] || x.closed[t.Out]) {
			continue
		}
		i := int32(len(x.turns))
		x.number = append(x.number, numbers[turn{int32(t.In), int32(t.Out)}])
		x.turns = append(x.turns, turn{int32(t.In), int32(t.Out)})
		x.out[t.In], x.in[t.Out] = append(x.out[t.In], i), append(x.in[t.Out], i)
	}
	number := map[turn]int32{}
	for t, pair := range x.turns {
		number[pair] = int32(t)
	}
	for _, pair := range x.turns {
		back := turn{int32(n.Reverse(model.ChannelID(pair.out))), int32(n.Reverse(model.ChannelID(pair.in)))}
		x.reverse = append(x.reverse, number[back])
	}
	for h := range model.HostID(n.NumHosts()) {
		x.hosted[n.Host(h).Switch] = true
	}
	return x
}

// numberOf numbers the turns of a network in the order of cert.EvidenceRefutation: ascending by
// input channel, then by output channel, including turns of closed channels. The turns of an
// instance are in the order of ports instead.
func numberOf(n *model.Network) map[turn]int32 {
	var list []turn
	for t := range model.Turns(n, false) {
		list = append(list, turn{int32(t.In), int32(t.Out)})
	}
	slices.SortFunc(list, func(a, b turn) int { return cmp.Or(int(a.in-b.in), int(a.out-b.out)) })
	numbers := make(map[turn]int32, len(list))
	for i, t := range list {
		numbers[t] = int32(i)
	}
	return numbers
}

// channels returns the number of channels between switches.
func (x *instance) channels() int { return len(x.tail) }

// set returns the turns that rise by the given ranks. With x.both, the reverse must rise too.
func (x *instance) set(rank []int32) *model.TurnSet {
	allowed := model.NewTurnSet(x.net)
	for i, t := range x.turns {
		back := x.turns[x.reverse[i]]
		if rank[t.in] < rank[t.out] && (!x.both || rank[back.in] < rank[back.out]) {
			allowed.Add(model.Turn{In: model.VCID(t.in), Out: model.VCID(t.out)})
		}
	}
	return allowed
}
