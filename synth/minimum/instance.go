package minimum

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file is the problem in numbers: channels between switches, and the turns
// between them, U-turns left out.

// instance is a network with one VC.
type instance struct {
	net      *model.Network
	switches int
	tail     []int32 // by channel
	head     []int32
	turns    []turn    // as model.Turns lists them, so by channel in
	out      [][]int32 // by channel: the turns that begin with it
	in       [][]int32 // by channel: the turns that end with it
	leaves   [][]int32 // by switch: the channels out of it
	hosted   []bool    // by switch: has hosts
	reverse  []int32   // by turn: the same backwards
	both     bool      // a turn is allowed together with its reverse or not at all
	kept     []bool    // by turn: always allowed; nil: none is
	closed   []bool    // by channel: nothing takes it; nil: none is
	number   []int32   // by turn: its number in a proof, see numberOf
	moved    func(int) // if not nil, receives the number of moves as the annealing makes them
}

// mostCounted bounds the switches of networks on which pairs are counted at every move.
const mostCounted = 300

// keepTree keeps the turns of a tree, up and down, on large networks.
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
	x := &instance{net: n, switches: n.NumSwitches(), tail: make([]int32, k), head: make([]int32, k), out: make([][]int32, k), in: make([][]int32, k), leaves: make([][]int32, n.NumSwitches()), hosted: make([]bool, n.NumSwitches())}
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

// numberOf numbers the turns of a network as cert.EvidenceRefutation does: those of closed
// channels too, ascending by the channel in, then the channel out. (The turns of an instance stand
// in the order of ports.)
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

// channels is how many there are.
func (x *instance) channels() int { return len(x.tail) }

// set returns the turns that rise by a rank of channels.
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
