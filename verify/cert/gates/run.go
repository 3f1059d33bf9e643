package gates

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges a run from the empty network to a deadlock with gates (evidence "gated-run").
//
// Each move takes one flit from a place of a packet's path to the next. The first move of a packet
// takes it into the network, on an injection VC that no other packet holds. A head moves if no
// other flits are in front of it, the next VC has room for the packet and no packet is entering it, and
// the gate is open. A flit behind it moves if the gate is open, or stops heads only. An endpoint receives
// as many packets at a time as its channel has VCs. At the end no flit can move.

// run is the state of a run.
type run struct {
	*gated
	claim *cert.Claim
	flits [][]int32       // by packet and place
	tail  []int           // by packet: the first place that it holds; -1 before it enters
	head  []int           // by packet: the last place that it holds
	on    map[int32][]int // by VC, or place of an endpoint: the packets that hold it, in their order
	taken map[int32]int   // by VC: flits there
}

func (g *gated) run(claim *cert.Claim) error {
	x := &run{gated: g, claim: claim, on: map[int32][]int{}, taken: map[int32]int{}}
	for i := range claim.Packets {
		if _, err := g.Follow(claim.Claim, i, &claim.Packets[i]); err != nil {
			return err
		}
		x.flits = append(x.flits, make([]int32, len(claim.Packets[i].Path)/2))
		x.tail, x.head = append(x.tail, -1), append(x.head, 0)
	}
	moves := *claim.Steps
	if len(moves)%2 != 0 {
		return cert.Reject(claim.Claim, "%d numbers for moves; want two for each", len(moves))
	}
	for k := 0; k < len(moves); k += 2 {
		i, j := int(moves[k]), int(moves[k+1])
		if i < 0 || i >= len(x.flits) || j < 0 || j >= len(x.flits[i])-1 {
			return cert.Reject(claim.Claim, "move %d: packet %d of %d, place %d", k/2, i, len(x.flits), j)
		}
		if why := x.move(i, j); why != "" {
			return cert.Reject(claim.Claim, "move %d: packet %d %s", k/2, i, why)
		}
	}
	return x.checkStuck()
}

func (x *run) vc(i, place int) int32 { return x.claim.Packets[i].Path[2*place] }

// place returns the key of a VC in on: all VCs of an ejection channel have one key.
func (x *run) place(v int32) int32 {
	if ejects(x.gated, v) {
		return v / x.vcs * x.vcs
	}
	return v
}

// ejects reports whether a VC is of an ejection channel.
func ejects(g *gated, v int32) bool { return v/g.vcs >= g.Ejection(0) }

// move makes a move, or returns why it is impossible.
func (x *run) move(i, j int) string {
	if v := x.vc(i, 0); x.tail[i] < 0 {
		if j > 0 || len(x.on[v]) > 0 {
			return "cannot enter the network"
		}
		x.tail[i], x.flits[i][0], x.on[v] = 0, int32(x.Packet), []int{i}
		x.taken[v] = x.Packet
	}
	from, to := x.vc(i, j), x.vc(i, j+1)
	switch {
	case x.flits[i][j] == 0:
		return "has no flit there"
	case j == x.head[i] && !x.isFirst(i):
		return "has others in front of it"
	case j == x.head[i] && x.stores && int(x.flits[i][j]) < x.Packet:
		return "has not arrived there as a whole"
	case j == x.head[i] && !x.mayEnter(from, to):
		return "cannot take the hop"
	case j < x.head[i] && x.ByFlit && x.isShut(from, to):
		return "is before a closed gate"
	}
	if j == x.head[i] {
		x.head[i]++
		x.on[x.place(to)] = append(x.on[x.place(to)], i)
	}
	x.flits[i][j]--
	x.taken[from]--
	if !ejects(x.gated, to) {
		x.flits[i][j+1]++
		x.taken[to]++
	}
	for x.flits[i][x.tail[i]] == 0 {
		key := x.place(x.vc(i, x.tail[i]))
		k := slices.Index(x.on[key], i)
		x.on[key] = slices.Delete(x.on[key], k, k+1)
		if x.tail[i]++; x.tail[i] > x.head[i] {
			return "leaves the network"
		}
	}
	return ""
}

// isFirst reports whether no flits are in front of the head of packet i on its VC.
func (x *run) isFirst(i int) bool {
	v := x.vc(i, x.head[i])
	for j := x.tail[i]; j < x.head[i]; j++ {
		if x.vc(i, j) == v {
			return false // its own
		}
	}
	return x.on[v][0] == i
}

// isShut reports whether a hop has a closed gate.
func (x *run) isShut(from, to int32) bool {
	return x.hasGate(from, to) && x.closed(to, func(v int32) bool {
		used := x.taken[v]
		if x.Reserved {
			used = len(x.on[v]) * x.Packet
		}
		return x.Buffer-used <= x.Level
	})
}

// mayEnter reports whether a head may take a hop.
func (x *run) mayEnter(from, to int32) bool {
	list := x.on[x.place(to)]
	if ejects(x.gated, to) {
		return len(list) < int(x.vcs)
	}
	if k := len(list); k > 0 {
		if x.Atomic {
			return false
		}
		last := list[k-1]
		for j := x.tail[last] + 1; j <= x.head[last]; j++ {
			if x.vc(last, j) == to {
				return false // it is still entering
			}
		}
	}
	return x.taken[to]+x.Packet <= x.Buffer && !x.isShut(from, to)
}

// checkStuck judges that all packets are in the network and none of their flits can move.
func (x *run) checkStuck() error {
	for i := range x.flits {
		if x.tail[i] < 0 {
			return cert.Reject(x.claim.Claim, "packet %d never enters", i)
		}
		for j := x.tail[i]; j < x.head[i]; j++ {
			if from, to := x.vc(i, j), x.vc(i, j+1); x.flits[i][j] > 0 && !(x.ByFlit && x.isShut(from, to)) {
				return cert.Reject(x.claim.Claim, "packet %d has flits that can move from VC %d to VC %d", i, from, to)
			}
		}
		path := x.claim.Packets[i].Path
		at := cert.State{VC: x.vc(i, x.head[i]), Class: path[2*x.head[i]+1]}
		if 2*x.head[i]+2 != len(path) {
			return cert.Reject(x.claim.Claim, "packet %d does not reach the end of its path", i)
		}
		if ejects(x.gated, at.VC) || !x.isFirst(i) {
			continue
		}
		hops := x.Next(x.claim.Packets[i].Destination, at, nil)
		if len(hops) == 0 || slices.ContainsFunc(hops, func(h cert.State) bool { return x.mayEnter(at.VC, h.VC) }) {
			return cert.Reject(x.claim.Claim, "packet %d, on VC %d, does not wait", i, at.VC)
		}
	}
	return nil
}
