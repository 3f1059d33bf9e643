package cdg

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// Packet is a packet with its path. Path starts on the injection channel of the source. A
// packet that shows a dependency has the two VCs of the dependency at the end of its path.
type Packet struct {
	Source model.HostID
	Dest   model.DestID // NoDest for a multicast packet
	Path   []model.State
	Group  int    // 1 + the index of the multicast group, or 0 for a unicast packet
	MLID   uint16 // the address of the group
}

// NoDest is the destination of a multicast packet and of its states.
const NoDest model.DestID = -1

// Witnesses returns for each dependency a packet that uses it, on a shortest path to it for the
// first destination that has one. It fails for a dependency that is not in Build(r). Cost:
// O(reachable states) in the worst case.
func Witnesses(r model.Relation, deps []model.Turn) ([]*Packet, error) {
	return WitnessesMulticast(r, nil, deps)
}

// WitnessesMulticast is Witnesses, with a packet of m for each dependency that no unicast
// packet uses. It fails for a dependency that is not in BuildMulticast(r, m).
func WitnessesMulticast(r model.Relation, m *model.Multicast, deps []model.Turn) ([]*Packet, error) {
	n := r.Network()
	found := make([]*Packet, len(deps))
	wanted := map[model.VCID][]int{} // by VC in: indices in deps
	for i, t := range deps {
		wanted[t.In] = append(wanted[t.In], i)
	}
	left := len(deps)
	x := NewExplorer(r)
	for d := model.DestID(0); int(d) < r.Destinations() && left > 0; d++ {
		s := x.begin(d)
		for i := 0; i < len(s.States) && left > 0; i++ {
			x.expand(i)
			hops, _ := s.HopsOf(i)
			for _, at := range wanted[s.States[i].VC] {
				if h, ok := hopTo(hops, deps[at].Out); ok && found[at] == nil {
					path := append(s.PathTo(i), model.State{VC: h.VC, Dest: d, Class: h.Class})
					first, _ := n.Channel(path[0].VC)
					found[at] = &Packet{Source: n.HostOf(first), Dest: d, Path: path}
					left--
				}
			}
		}
	}
	copyWitnesses(r, m, deps, found)
	for i, p := range found {
		if p == nil {
			return nil, fmt.Errorf("cdg: no packet depends on VC %d after VC %d", deps[i].Out, deps[i].In)
		}
	}
	return found, nil
}

func hopTo(hops []model.Hop, v model.VCID) (model.Hop, bool) {
	for _, h := range hops {
		if h.VC == v {
			return h, true
		}
	}
	return model.Hop{}, false
}
