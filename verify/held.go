package verify

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// Held returns the states of packet i of Configuration on the VCs that the packet holds, from its tail to its head.
func (r *Report) Held(i int) []model.State {
	path, k := r.Configuration[i].Path, 1
	if r.Flits != nil {
		if r.Arrived(i) {
			path = path[:len(path)-1]
		}
		return path[r.tail(i):]
	}
	if r.Holds != nil {
		k = r.Holds[i]
	}
	return path[len(path)-k:]
}

// HeldFlits returns how many flits packet i has on each VC of Held. Flits must not be nil.
func (r *Report) HeldFlits(i int) []int {
	first := r.tail(i)
	return r.Flits[i][first : first+len(r.Held(i))]
}

// tail returns the first hop of packet i that has a flit. Flits must not be nil.
func (r *Report) tail(i int) int {
	return slices.IndexFunc(r.Flits[i], func(flits int) bool { return flits > 0 })
}

// Arrived reports whether the head of packet i is at its host.
func (r *Report) Arrived(i int) bool {
	n, path := r.Relation.Network(), r.Configuration[i].Path
	c, _ := n.Channel(path[len(path)-1].VC)
	return n.Kind(c) == model.Eject
}

// WaitsFor returns the VCs that packet i of Configuration waits for: the chosen one, or all that are
// permitted. If the head has arrived, it returns the VC beyond the gate that stops the rest. If the head is behind other packets, it
// returns nil.
func (r *Report) WaitsFor(i int) []model.VCID {
	switch {
	case r.Behind != nil && r.Behind[i]:
		return nil
	case r.Flits != nil && r.Arrived(i):
		return []model.VCID{r.Held(i)[1].VC}
	case r.Chosen != nil && r.Chosen[i] >= 0:
		return []model.VCID{r.Chosen[i]}
	}
	return r.permitted(r.Configuration[i])
}

// permitted returns the VCs that packet p may take at the end of its path. For a multicast packet these are the
// VCs of all copies.
func (r *Report) permitted(p *cdg.Packet) (list []model.VCID) {
	at := p.Path[len(p.Path)-1]
	if p.Group > 0 {
		in, _ := r.Relation.Network().Channel(at.VC)
		return r.Multicast().Groups[p.Group-1].Copies(r.Relation, in, nil)
	}
	for _, h := range r.Relation.Next(at, nil) {
		list = append(list, h.VC)
	}
	return list
}

// CycleBlocks reports whether the packets of the shortest cycle are a deadlock without others: each has only the
// next channel as its next hop. It returns false if Holds or Flits describes the deadlock.
func (r *Report) CycleBlocks() bool {
	if r.Holds != nil || r.Flits != nil || r.rulesFor(true) != nil {
		return false
	}
	for _, p := range r.CyclePackets {
		if p.Group == 0 && len(r.Relation.Next(p.Path[len(p.Path)-2], nil)) > 1 {
			return false
		}
	}
	return true
}
