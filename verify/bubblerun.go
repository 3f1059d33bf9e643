package verify

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/encode"
)

// This file runs a network whose flow control keeps rings from filling up, packet by packet. Each move
// takes a whole packet to its next VC. Package verify/cert/bubbles judges such runs.

// bubbleRun is a state of the network with the moves that lead to it.
type bubbleRun struct {
	*bubbled
	rel     model.Relation
	packets []*cdg.Packet // with the path so far
	queue   [][]int32     // by VC: its packets, the first one first
	count   []int         // by ring: packets in it
	moves   cert.Ints
	hops    []model.Hop
	held    int // packets in the network
}

func (b *bubbled) newRun(r model.Relation) *bubbleRun {
	return &bubbleRun{bubbled: b, rel: r, queue: make([][]int32, b.n.NumVCs()), count: make([]int, len(b.List))}
}

// clone returns a copy that shares nothing that changes.
func (x *bubbleRun) clone() *bubbleRun {
	y := *x
	y.packets, y.queue = slices.Clone(x.packets), slices.Clone(x.queue)
	for i, p := range y.packets {
		q := *p
		q.Path = slices.Clone(p.Path)
		y.packets[i] = &q
	}
	for v := range y.queue {
		y.queue[v] = slices.Clone(x.queue[v])
	}
	y.count, y.moves, y.hops = slices.Clone(x.count), slices.Clone(x.moves), nil
	return &y
}

// isOut reports whether VC v is on an ejection channel.
func (b *bubbled) isOut(v model.VCID) bool {
	c, _ := b.n.Channel(v)
	return b.n.Kind(c) == model.Eject
}

// refuses reports whether a packet that comes from VC from (NoVC: from its host) cannot have VC to, if packets are on
// that VC and its ring has count packets.
func (b *bubbled) refuses(from, to model.VCID, packets, count int) bool {
	if b.isOut(to) {
		return false
	}
	free := b.flow.Buffer - packets*b.flow.Packet
	isWorm := b.flow.Rule.Kind == bubble.Worm
	if isWorm && packets > 0 || !isWorm && free < b.flow.Packet {
		return true
	}
	if from == model.NoVC || !b.IsGuarded(from, to) {
		return false
	}
	return !isWorm && free < b.limits.Room || count > b.limits.Most[b.Of(to)]
}

// canMove reports whether a packet can go from VC from, or its host, to VC to now.
func (x *bubbleRun) canMove(from, to model.VCID) bool {
	count := 0
	if r := x.Of(to); r >= 0 {
		count = x.count[r]
	}
	return !x.refuses(from, to, len(x.queue[to]), count)
}

// create puts a packet on its injection channel, and reports whether there is room.
func (x *bubbleRun) create(h model.HostID, first model.State) bool {
	if !x.canMove(model.NoVC, first.VC) {
		return false
	}
	i := int32(len(x.packets))
	x.packets = append(x.packets, &cdg.Packet{Source: h, Dest: first.Dest, Path: []model.State{first}})
	x.queue[first.VC] = append(x.queue[first.VC], i)
	x.moves = append(x.moves, i)
	x.held++
	return true
}

// at returns the state of packet i.
func (x *bubbleRun) at(i int32) model.State { return x.packets[i].Path[len(x.packets[i].Path)-1] }

// step moves packet i, which is the first of its VC, to a next hop, and reports whether it can move.
func (x *bubbleRun) step(i int32, to model.State) bool {
	p := x.packets[i]
	from := p.Path[len(p.Path)-1].VC
	if x.queue[from][0] != i || !x.canMove(from, to.VC) {
		return false
	}
	x.countPacket(p, -1)
	p.Path = append(p.Path, to)
	x.moves = append(x.moves, i)
	k := len(p.Path) - 1
	switch {
	case x.isOut(to.VC):
		for j := max(0, k-x.each); j < k; j++ {
			x.leave(i, p.Path[j].VC)
		}
		x.held--
		return true
	case k >= x.each:
		x.leave(i, p.Path[k-x.each].VC)
	}
	x.queue[to.VC] = append(x.queue[to.VC], i)
	x.countPacket(p, 1)
	return true
}

// leave removes packet i from VC v.
func (x *bubbleRun) leave(i int32, v model.VCID) {
	x.queue[v] = slices.DeleteFunc(x.queue[v], func(p int32) bool { return p == i })
}

// heldBy returns the VCs that packet p holds.
func (b *bubbled) heldBy(p *cdg.Packet) []model.State { return p.Path[max(0, len(p.Path)-b.each):] }

// countPacket adds k to the number of packets in each ring that packet p is in. A worm counts once for each of its
// entries to a ring whose VCs it still holds.
func (x *bubbleRun) countPacket(p *cdg.Packet, k int) {
	last := int32(-1)
	for _, s := range x.heldBy(p) {
		r := x.Of(s.VC)
		if r >= 0 && r != last {
			x.count[r] += k
		}
		last = r
	}
}

// next returns the next hops of packet i, valid until the next call.
func (x *bubbleRun) next(i int32) []model.Hop {
	x.hops = x.rel.Next(x.at(i), x.hops[:0])
	return x.hops
}

// isLeft reports whether packet i is in the network.
func (x *bubbleRun) isLeft(i int32) bool { return !x.isOut(x.at(i).VC) }

// left returns the number of packets in the network.
func (x *bubbleRun) left() int { return x.held }

// stuck returns by packet whether it can never move: the greatest set of packets each of which is behind
// another one, or whose hops the packets of the set refuse.
func (x *bubbleRun) stuck() (stuck []bool, number int) {
	stuck = make([]bool, len(x.packets))
	y := &bubbleRun{bubbled: x.bubbled, rel: x.rel, packets: x.packets, queue: make([][]int32, len(x.queue)), count: slices.Clone(x.count)}
	for v := range x.queue {
		y.queue[v] = slices.Clone(x.queue[v])
	}
	for i := range stuck {
		if stuck[i] = x.isLeft(int32(i)); stuck[i] {
			number++
		}
	}
	for more := true; more; {
		more = false
		for i := range int32(len(stuck)) {
			if !stuck[i] || y.queue[x.at(i).VC][0] != i {
				continue
			}
			hops, free := y.next(i), false
			for _, h := range hops {
				free = free || y.canMove(x.at(i).VC, h.VC)
			}
			if !free && len(hops) > 0 {
				continue
			}
			y.countPacket(x.packets[i], -1)
			for _, s := range x.heldBy(x.packets[i]) {
				y.leave(i, s.VC)
			}
			stuck[i], more = false, true
			number--
		}
	}
	return stuck, number
}

// frozen returns the packets that wait as the first of their VCs, ascending by VC, and how many VCs each holds.
func (x *bubbleRun) frozen() (list []*cdg.Packet, holds []int) {
	for v, q := range x.queue {
		if len(q) > 0 && x.at(q[0]).VC == model.VCID(v) {
			list = append(list, x.packets[q[0]])
			holds = append(holds, len(x.heldBy(x.packets[q[0]])))
		}
	}
	if x.each == 1 {
		holds = nil
	}
	return list, holds
}

// claim returns the run as a claim for the checker.
func (x *bubbleRun) claim() cert.Claim {
	return cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceBubbleRun,
		Packets: encode.Packets(x.packets), Moves: &x.moves}
}

// without returns the run without a packet, or nil if its moves cannot be made then.
func (x *bubbleRun) without(i int32) *bubbleRun {
	y := x.bubbled.newRun(x.rel)
	number := make([]int32, len(x.packets))
	for j := range number {
		number[j] = -1
	}
	for _, j := range x.moves {
		switch p := x.packets[j]; {
		case j == i:
		case number[j] < 0:
			number[j] = int32(len(y.packets))
			if !y.create(p.Source, p.Path[0]) {
				return nil
			}
		default:
			if !y.step(number[j], p.Path[len(y.packets[number[j]].Path)]) {
				return nil
			}
		}
	}
	return y
}
