package gates

import "github.com/turnproof/turnproof/verify/cert"

// This file judges a deadlock with gates: packets of which no flit can move.
//
// The packets arrive in the order shown, each while the packets before it stay in place
// (arrival.go). A packet is behind another one on a VC if the other one has begun to leave the VC
// and some of its flits are still there.

// presence is a packet on a VC.
type presence struct {
	packet, place int // index on its path
}

// deadlock is a configuration under judgement.
type deadlock struct {
	*gated
	claim *cert.Claim
	flits [][]int32            // by packet and place
	tail  []int                // by packet: the first place with flits
	on    map[int32][]presence // by VC
	taken map[int32]int        // by VC: flits there
}

func (g *gated) configuration(claim *cert.Claim) error {
	if g.stores {
		return cert.Reject(claim.Claim, "packets in place under saf; want a run, in which they are stored whole")
	}
	x := &deadlock{gated: g, claim: claim, on: map[int32][]presence{}, taken: map[int32]int{}}
	rest := *claim.Flits
	for i := range claim.Packets {
		p := &claim.Packets[i]
		if _, err := g.Follow(claim.Claim, i, p); err != nil {
			return err
		}
		k := len(p.Path) / 2
		if len(rest) < k {
			return cert.Reject(claim.Claim, "packet %d: no flits for each of %d VCs", i, k)
		}
		if err := x.measure(i, rest[:k]); err != nil {
			return err
		}
		rest = rest[k:]
		if err := x.arrive(i); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		return cert.Reject(claim.Claim, "flits are given for %d VCs more than the paths have", len(rest))
	}
	if err := x.ejections(); err != nil {
		return err
	}
	for i := range claim.Packets {
		if err := x.checkBlocked(i); err != nil {
			return err
		}
	}
	return nil
}

func (x *deadlock) vc(i, place int) int32 { return x.claim.Packets[i].Path[2*place] }

// last returns the last place of packet i, and whether this is its destination.
func (x *deadlock) last(i int) (place int, arrived bool) {
	place = len(x.claim.Packets[i].Path)/2 - 1
	v := x.vc(i, place)
	_, ends := x.Traffic()
	return place, v/x.vcs == x.Ejection(ends[x.claim.Packets[i].Destination])
}

// measure judges the number of flits of packet i on its path, and finds its tail.
func (x *deadlock) measure(i int, flits []int32) error {
	sum, tail := 0, -1
	for j, k := range flits {
		if k < 0 || int(k) > x.Packet {
			return cert.Reject(x.claim.Claim, "packet %d: %d flits on a VC", i, k)
		}
		if sum += int(k); k > 0 && tail < 0 {
			tail = j
		}
	}
	x.flits, x.tail = append(x.flits, flits), append(x.tail, tail)
	last, arrived := x.last(i)
	switch {
	case sum < 1 || arrived && (sum >= x.Packet || flits[last] > 0) || !arrived && sum != x.Packet:
		return cert.Reject(x.claim.Claim, "packet %d: %d of its %d flits are on its path, arrived: %v", i, sum, x.Packet, arrived)
	case int(x.vc(i, last)) >= x.LinkVCs() && !arrived && last > 0:
		return cert.Reject(x.claim.Claim, "packet %d ends at another endpoint", i)
	}
	return nil
}

// ejections judges that partly arrived packets at an endpoint are not more than its ejection VCs.
func (x *deadlock) ejections() error {
	arriving := map[int32]int32{} // by endpoint
	_, ends := x.Traffic()
	for i := range x.claim.Packets {
		if _, arrived := x.last(i); arrived {
			to := ends[x.claim.Packets[i].Destination]
			if arriving[to]++; arriving[to] > x.vcs {
				return cert.Reject(x.claim.Claim, "%d packets have arrived in part at an endpoint, whose channel has %d VCs", arriving[to], x.vcs)
			}
		}
	}
	return nil
}

// closed reports whether the gate of a VC is closed by the packets shown.
func (x *deadlock) closed(to int32) bool {
	return x.gated.closed(to, func(v int32) bool { return x.nearlyFull(x.taken[v], len(x.on[v])) })
}

// nearlyFull reports whether the bit of a buffer is set that has these flits and packets.
func (x *deadlock) nearlyFull(flits, packets int) bool {
	if x.Reserved {
		flits = x.Packet * packets
	}
	return x.Buffer-flits <= x.Level
}

// available reports whether a new packet can enter VC v.
func (x *deadlock) available(v int32) bool {
	for _, s := range x.on[v] {
		if x.Atomic || s.place > x.tail[s.packet] {
			return false // this packet is still entering
		}
	}
	return x.taken[v]+x.Packet <= x.Buffer
}

// checkBlocked judges that no flit of packet i can move.
func (x *deadlock) checkBlocked(i int) error {
	last, arrived := x.last(i)
	for j := x.tail[i]; j < last; j++ {
		from, to := x.vc(i, j), x.vc(i, j+1)
		if x.flits[i][j] == 0 {
			continue
		}
		shut := x.ByFlit && x.gated.hasGate(from, to) && x.closed(to)
		if full := int(to) < x.LinkVCs() && x.taken[to] >= x.Buffer; !shut && !full {
			return cert.Reject(x.claim.Claim, "packet %d has flits that can move from VC %d to VC %d", i, from, to)
		}
	}
	if arrived || x.behind(i, last) {
		return nil
	}
	path := x.claim.Packets[i].Path
	at := cert.State{VC: path[2*last], Class: path[2*last+1]}
	hops := x.Next(x.claim.Packets[i].Destination, at, nil)
	if len(hops) == 0 {
		return cert.Reject(x.claim.Claim, "packet %d has no next hop from VC %d, so it is dropped and does not wait", i, at.VC)
	}
	for _, h := range hops {
		if int(h.VC) >= x.LinkVCs() || x.available(h.VC) && !(x.gated.hasGate(at.VC, h.VC) && x.closed(h.VC)) {
			return cert.Reject(x.claim.Claim, "packet %d, on VC %d, can move to VC %d", i, at.VC, h.VC)
		}
	}
	return nil
}

// behind reports whether a packet that is leaving is in front of packet i at a place.
func (x *deadlock) behind(i, place int) bool {
	for _, s := range x.on[x.vc(i, place)] {
		if last, _ := x.last(s.packet); s.packet != i && s.place < last && x.hasFlitsLeft(s) {
			return true
		}
	}
	return false
}

// hasFlitsLeft reports whether some flits of a packet have not left a place yet.
func (x *deadlock) hasFlitsLeft(s presence) bool {
	for j := x.tail[s.packet]; j <= s.place; j++ {
		if x.flits[s.packet][j] > 0 {
			return true
		}
	}
	return false
}
