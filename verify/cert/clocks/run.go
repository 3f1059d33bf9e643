package clocks

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the evidence clocked-run: a run without pauses into a deadlock.
//
// Flit j of a packet that has moved m times is m-j VCs after the injection VC, if it has been sent and has not left the
// network. The first move of a packet puts it on its injection VC. An arrived packet moves in each clock.

// walker is a packet of a run.
type walker struct {
	claim *cert.Packet
	flits int
	moved int // moves since it was on its injection VC, or -1 before
}

// runner is a state of a run.
type runner struct {
	*clocked
	claim *cert.Claim
	list  []walker
}

func (x *clocked) run(claim *cert.Claim) error {
	r := &runner{clocked: x, claim: claim}
	if len(*claim.Holds) != len(claim.Packets) {
		return cert.Reject(claim.Claim, "%d lengths for %d packets", len(*claim.Holds), len(claim.Packets))
	}
	for i := range claim.Packets {
		if claim.Packets[i].Group != nil {
			return cert.Reject(claim.Claim, "packet %d is of a multicast group", i)
		}
		if _, err := x.Follow(claim.Claim, i, &claim.Packets[i]); err != nil {
			return err
		}
		flits := int((*claim.Holds)[i])
		if flits < 1 {
			return cert.Reject(claim.Claim, "packet %d has %d flits", i, flits)
		}
		r.list = append(r.list, walker{&claim.Packets[i], flits, -1})
	}
	moves := *claim.Moves
	for clock := 0; len(moves) > 0; clock++ {
		end := slices.Index(moves, -1)
		if end < 0 {
			return cert.Reject(claim.Claim, "the last clock has no end")
		}
		if err := r.clock(clock, moves[:end]); err != nil {
			return err
		}
		moves = moves[end+1:]
	}
	return r.judgeEnd()
}

// at returns the index on its path of the head of a packet in the network.
func (w *walker) at() int { return min(w.moved, len(w.claim.Path)/2-1) }

// covers returns the VCs with flits of a packet.
func (w *walker) covers() (list []int32) {
	if w.moved < 0 {
		return nil
	}
	for k := max(0, w.moved-w.flits+1); k <= w.at(); k++ {
		list = append(list, w.claim.Path[2*k])
	}
	return list
}

// hopsOf returns the VCs that a packet waits for. It returns false if the packet is not in the network or has arrived.
func (r *runner) hopsOf(w *walker) (list []int32, waits bool) {
	if w.moved < 0 || w.moved != w.at() {
		return nil, false
	}
	at := cert.State{VC: w.claim.Path[2*w.at()], Class: w.claim.Path[2*w.at()+1]}
	if at.VC >= r.Ejection(0) {
		return nil, false
	}
	for _, h := range r.Next(w.claim.Destination, at, nil) {
		list = append(list, h.VC)
	}
	return list, len(list) > 0
}

// full returns the VCs with flits.
func (r *runner) full() map[int32]int {
	m := map[int32]int{}
	for i := range r.list {
		for _, v := range r.list[i].covers() {
			m[v] = i
		}
	}
	return m
}

// clock makes the moves of the heads of some packets, and of all packets that have arrived.
func (r *runner) clock(clock int, heads []int32) error {
	full, entered := r.full(), map[int32]bool{}
	for _, i := range heads {
		if i < 0 || int(i) >= len(r.list) || r.list[i].moved+1 >= len(r.list[i].claim.Path)/2 {
			return cert.Reject(r.claim.Claim, "clock %d: packet %d has no further hop", clock, i)
		}
		v := r.list[i].claim.Path[2*(r.list[i].moved+1)]
		if by, busy := full[v]; busy || entered[v] {
			return cert.Reject(r.claim.Claim, "clock %d: packet %d cannot enter VC %d, which is full (%d) or taken", clock, i, v, by)
		}
		entered[v] = true
	}
	for i := range r.list {
		hops, waits := r.hopsOf(&r.list[i])
		if !waits || slices.Contains(heads, int32(i)) {
			continue
		}
		for _, v := range hops {
			if _, busy := full[v]; !busy && !entered[v] {
				return cert.Reject(r.claim.Claim, "clock %d: packet %d stays, and could enter VC %d", clock, i, v)
			}
		}
	}
	for i := range r.list {
		if w := &r.list[i]; slices.Contains(heads, int32(i)) {
			w.moved++
		} else if _, waits := r.hopsOf(w); w.moved >= 0 && !waits {
			w.moved++
		}
	}
	return nil
}

// judgeEnd judges that some packets wait for each other.
func (r *runner) judgeEnd() error {
	full, free := r.full(), map[int]bool{}
	for more := true; more; {
		more = false
		for i := range r.list {
			hops, waits := r.hopsOf(&r.list[i])
			canMove := !waits || slices.ContainsFunc(hops, func(v int32) bool {
				by, busy := full[v]
				return !busy || free[by]
			})
			if canMove && !free[i] {
				free[i], more = true, true
			}
		}
	}
	if len(free) == len(r.list) {
		return cert.Reject(r.claim.Claim, "after the last clock no packets wait for each other")
	}
	return nil
}
