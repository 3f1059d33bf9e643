package bubbles

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file runs a network whose flow control keeps rings from filling up, packet by packet. Each move
// takes a whole packet to its next VC. Package verify/cert/bubbles judges such runs.

// Run is a state of the network with the moves that lead to it.
type Run struct {
	*Network
	rel     model.Relation
	Packets []*cdg.Packet // with the path so far
	queue   [][]int32     // by VC: its packets, the first one first
	count   []int         // by ring: packets in it
	Moves   cert.Ints     // each is a packet, which takes the next step of its path
	hops    []model.Hop
	held    int // packets in the network
}

func (b *Network) NewRun(r model.Relation) *Run {
	return &Run{Network: b, rel: r, queue: make([][]int32, b.n.NumVCs()), count: make([]int, len(b.List))}
}

// clone returns a copy that shares nothing that changes.
func (x *Run) clone() *Run {
	y := *x
	y.Packets, y.queue = slices.Clone(x.Packets), slices.Clone(x.queue)
	for i, p := range y.Packets {
		q := *p
		q.Path = slices.Clone(p.Path)
		y.Packets[i] = &q
	}
	for v := range y.queue {
		y.queue[v] = slices.Clone(x.queue[v])
	}
	y.count, y.Moves, y.hops = slices.Clone(x.count), slices.Clone(x.Moves), nil
	return &y
}

// isOut reports whether VC v is on an ejection channel.
func (b *Network) isOut(v model.VCID) bool {
	c, _ := b.n.Channel(v)
	return b.n.Kind(c) == model.Eject
}

// refuses reports whether a packet that comes from VC from (NoVC: from its host) cannot have VC to, if packets are on
// that VC and its ring has count packets.
func (b *Network) refuses(from, to model.VCID, packets, count int) bool {
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
func (x *Run) canMove(from, to model.VCID) bool {
	count := 0
	if r := x.Of(to); r >= 0 {
		count = x.count[r]
	}
	return !x.refuses(from, to, len(x.queue[to]), count)
}

// Create puts a packet on its injection channel, and reports whether there is room.
func (x *Run) Create(h model.HostID, first model.State) bool {
	if !x.canMove(model.NoVC, first.VC) {
		return false
	}
	i := int32(len(x.Packets))
	x.Packets = append(x.Packets, &cdg.Packet{Source: h, Dest: first.Dest, Path: []model.State{first}})
	x.queue[first.VC] = append(x.queue[first.VC], i)
	x.Moves = append(x.Moves, i)
	x.held++
	return true
}

// at returns the state of packet i.
func (x *Run) at(i int32) model.State { return x.Packets[i].Path[len(x.Packets[i].Path)-1] }

// Step moves packet i, which is the first of its VC, to a next hop, and reports whether it can move.
func (x *Run) Step(i int32, to model.State) bool {
	p := x.Packets[i]
	from := p.Path[len(p.Path)-1].VC
	if x.queue[from][0] != i || !x.canMove(from, to.VC) {
		return false
	}
	x.countPacket(p, -1)
	p.Path = append(p.Path, to)
	x.Moves = append(x.Moves, i)
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
func (x *Run) leave(i int32, v model.VCID) {
	x.queue[v] = slices.DeleteFunc(x.queue[v], func(p int32) bool { return p == i })
}

// heldBy returns the VCs that packet p holds.
func (b *Network) heldBy(p *cdg.Packet) []model.State { return p.Path[max(0, len(p.Path)-b.each):] }

// countPacket adds k to the number of packets in each ring that packet p is in. A worm counts once for each of its
// entries to a ring whose VCs it still holds.
func (x *Run) countPacket(p *cdg.Packet, k int) {
	last := int32(-1)
	for _, s := range x.heldBy(p) {
		r := x.Of(s.VC)
		if r >= 0 && r != last {
			x.count[r] += k
		}
		last = r
	}
}

// Next returns the next hops of packet i, valid until the next call.
func (x *Run) Next(i int32) []model.Hop {
	x.hops = x.rel.Next(x.at(i), x.hops[:0])
	return x.hops
}

// isLeft reports whether packet i is in the network.
func (x *Run) isLeft(i int32) bool { return !x.isOut(x.at(i).VC) }

// Left returns the number of packets in the network.
func (x *Run) Left() int { return x.held }

// stuck returns by packet whether it can never move: the greatest set of packets each of which is behind
// another one, or whose hops the packets of the set refuse.
func (x *Run) stuck() (stuck []bool, number int) {
	stuck = make([]bool, len(x.Packets))
	y := &Run{Network: x.Network, rel: x.rel, Packets: x.Packets, queue: make([][]int32, len(x.queue)), count: slices.Clone(x.count)}
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
			if y.refused(i) >= 0 {
				continue
			}
			y.countPacket(x.Packets[i], -1)
			for _, s := range x.heldBy(x.Packets[i]) {
				y.leave(i, s.VC)
			}
			stuck[i], more = false, true
			number--
		}
	}
	return stuck, number
}

// refused returns a next hop of packet i by its VC for which it can wait now, or -1: with waiting one, a hop that is refused;
// otherwise any hop, if all are.
func (x *Run) refused(i int32) model.VCID {
	hops := x.Next(i)
	first, free := model.NoVC, false
	for _, h := range hops {
		can := x.canMove(x.at(i).VC, h.VC)
		if free = free || can; !can && first == model.NoVC {
			first = h.VC
		}
	}
	if free && !x.one {
		return model.NoVC
	}
	return first
}

// chosen returns by packet of a list of packets that are left the VC that it waits for, or nil unless packets wait for one next hop.
func (x *Run) chosen(list []*cdg.Packet) (vcs []model.VCID) {
	if !x.one {
		return nil
	}
	for _, p := range list {
		vcs = append(vcs, x.refused(int32(slices.Index(x.Packets, p))))
	}
	return vcs
}

// Frozen returns the packets that wait as the first of their VCs, ascending by VC, and how many VCs each holds.
func (x *Run) Frozen() (list []*cdg.Packet, holds []int) {
	for v, q := range x.queue {
		if len(q) > 0 && x.at(q[0]).VC == model.VCID(v) {
			list = append(list, x.Packets[q[0]])
			holds = append(holds, len(x.heldBy(x.Packets[q[0]])))
		}
	}
	if x.each == 1 {
		holds = nil
	}
	return list, holds
}

// Claim returns the run as a claim for the checker.
func (x *Run) Claim() cert.Claim {
	return cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceBubbleRun,
		Packets: encode.Packets(x.Packets), Moves: &x.Moves}
}

// without returns the run without a packet, or nil if its moves cannot be made then.
func (x *Run) without(i int32) *Run {
	y := x.NewRun(x.rel)
	number := make([]int32, len(x.Packets))
	for j := range number {
		number[j] = -1
	}
	for _, j := range x.Moves {
		switch p := x.Packets[j]; {
		case j == i:
		case number[j] < 0:
			number[j] = int32(len(y.Packets))
			if !y.Create(p.Source, p.Path[0]) {
				return nil
			}
		default:
			if !y.Step(number[j], p.Path[len(y.Packets[number[j]].Path)]) {
				return nil
			}
		}
	}
	return y
}
