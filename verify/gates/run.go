package gates

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file turns the steps of a search into a run of packets with destinations.

// run is a run to a deadlock: its packets, their flits at the end by place of the path, and the
// moves: the packet and the place that a flit leaves.
type run struct {
	configuration
	moves cert.Ints
}

// runTo returns the run to the state in question, whose number is at.
func (x *search) runTo(at int32) *run {
	var steps []step
	for i := at; x.came[i].from >= 0; i = x.came[i].from {
		steps = append(steps, x.came[i])
	}
	slices.Reverse(steps)
	blocked := map[int]int32{} // by packet at the end: its state
	for p := range x.packets {
		y := &x.packets[p]
		if blocked[p] = -1; x.isAtFront(p) {
			blocked[p] = x.blockedState(y)
		}
	}
	r := &run{}
	var paths [][]model.VCID
	var starts []int32
	var done []int // by packet: places that its tail has left
	x.packets = nil
	for _, s := range steps {
		id := len(paths)
		if s.packet >= 0 {
			id = x.packets[s.packet].id
		} else {
			start := x.start(int(-1 - s.packet))
			paths, starts, done = append(paths, start.vcs), append(starts, start.set), append(done, 0)
		}
		if s.next != stops {
			r.moves = append(r.moves, int32(id), int32(done[id])+int32(s.place))
		}
		if s.next >= 0 {
			paths[id] = append(paths[id], s.next)
		}
		x.packets = x.after(x.packets, s)
		for p := range x.packets {
			if y := &x.packets[p]; y.id == id {
				done[id] = len(paths[id]) - len(y.vcs)
			}
		}
	}
	r.packets, r.flits = make([]*cdg.Packet, len(paths)), make([][]int, len(paths))
	for p := range x.packets {
		y := &x.packets[p]
		flits := make([]int, len(paths[y.id]))
		for j := range y.flits {
			flits[done[y.id]+j] = y.flitsAt(j)
		}
		r.packets[y.id], r.flits[y.id] = x.packetAlong(starts[y.id], paths[y.id], blocked[p]), flits
	}
	return r
}

// packetAlong returns a packet that takes the path and ends in state last. If last is negative, any
// state will do.
func (x *search) packetAlong(start int32, path []model.VCID, last int32) *cdg.Packet {
	sets := []int32{start}
	for _, v := range path[1:] {
		moves := x.movesOf(sets[len(sets)-1])
		k := slices.IndexFunc(moves, func(m setMove) bool { return m.vc == v })
		sets = append(sets, moves[k].set)
	}
	var states []model.State // from the last one
	k := len(sets) - 1
	if sets[k] < 0 { // it arrives
		k--
		for _, i := range x.sets[sets[k]] {
			if e := x.hopTo(i, path[k+1], -1); e >= 0 {
				last = i
				states = append(states, model.State{VC: x.stateSets.hops[e].VC, Dest: x.states[i].Dest, Class: x.stateSets.hops[e].Class})
				break
			}
		}
	}
	if last < 0 {
		last = x.sets[sets[k]][0]
	}
	for states = append(states, x.states[last]); k > 0; k-- {
		i := slices.IndexFunc(x.sets[sets[k-1]], func(i int32) bool { return x.hopTo(i, path[k], last) >= 0 })
		last = x.sets[sets[k-1]][i]
		states = append(states, x.states[last])
	}
	slices.Reverse(states)
	c, _ := x.subject.n.Channel(path[0])
	return &cdg.Packet{Source: x.subject.n.HostOf(c), Dest: states[0].Dest, Path: states}
}

// hopTo returns the hop of a state that enters place v in state to, or -1.
func (x *search) hopTo(i int32, v model.VCID, to int32) int32 {
	for e := x.first[i]; e < x.first[i+1]; e++ {
		if x.vc[e] == v && x.to[e] == to {
			return e
		}
	}
	return -1
}

// sortByLastHop sorts the packets by the time when their heads took the last hop. Packets that are
// entirely on the same VC are then in the order of its queue.
func (r *run) sortByLastHop() {
	var order []int // by new number: the old one
	for k := 0; k < len(r.moves); k += 2 {
		if p, j := int(r.moves[k]), int(r.moves[k+1]); j == len(r.packets[p].Path)-2 && !slices.Contains(order, p) {
			order = append(order, p)
		}
	}
	number := make([]int32, len(order))
	packets, flits := make([]*cdg.Packet, len(order)), make([][]int, len(order))
	for i, p := range order {
		number[p], packets[i], flits[i] = int32(i), r.packets[p], r.flits[p]
	}
	for k := 0; k < len(r.moves); k += 2 {
		r.moves[k] = number[r.moves[k]]
	}
	r.packets, r.flits = packets, flits
}

// claim returns the run as a claim for the checker.
func (r *run) claim() cert.Claim {
	claim := r.configuration.claim()
	claim.Evidence, claim.Flits, claim.Steps = cert.EvidenceGatedRun, nil, &r.moves
	return claim
}
