package layers

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file represents routes in layers as a relation that can be verified.

// Layered returns a relation with the routes of rel and one layer for each pair. r is from Collect or
// CollectPairs, and of is Result.Of. The VC on every link is the layer. If rel is a table and there
// are at most 15 layers, the result is a table whose classes (service levels) are the layers. The
// routes must be collected from rel, which must have one VC per channel.
func Layered(rel model.Relation, r *Routes, of []int32) (model.Relation, error) {
	if rel.Network().VCs() > 1 {
		return nil, fmt.Errorf("layers: the routing has %d VCs per channel already, one was expected", rel.Network().VCs())
	}
	most := int32(0)
	for _, l := range of {
		most = max(most, l)
	}
	if int(most) >= model.MaxVCs {
		return nil, fmt.Errorf("layers: %d layers, a network has at most %d VCs per channel", most+1, model.MaxVCs)
	}
	if t, ok := rel.(*model.Table); ok && most < model.DropVC {
		table := *t
		sets := make([]model.ClassSet, table.Destinations()*table.Network().NumHosts())
		for d := range model.DestID(table.Destinations()) {
			for h := range model.HostID(r.hosts) {
				if table.DestinationHost(d) != h {
					sets[int(d)*r.hosts+int(h)] = 1 << layerOf(r, of, h, d)
				}
			}
		}
		table.SetClasses(sets, nil)
		return &table, nil
	}
	return &layered{rel, r, of, rel.Network().WithVCs(int(most) + 1)}, nil
}

func layerOf(r *Routes, of []int32, h model.HostID, d model.DestID) int32 {
	if p := r.Path(h, d); p != None {
		return of[p]
	}
	return 0
}

// layered is a relation in layers. Its classes are those of Relation, repeated for each layer.
type layered struct {
	model.Relation
	routes *Routes
	of     []int32
	net    *model.Network
}

// Network implements model.Relation.
func (l *layered) Network() *model.Network { return l.net }

// Classes implements model.Relation.
func (l *layered) Classes() int { return l.Relation.Classes() * l.net.VCs() }

// Inject implements model.Relation.
func (l *layered) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	first := len(buf)
	buf = l.Relation.Inject(h, d, buf)
	for i := range buf[first:] {
		buf[first+i] += model.Class(int(layerOf(l.routes, l.of, h, d)) * l.Relation.Classes())
	}
	return buf
}

// Weights implements model.Weighted.
func (l *layered) Weights(h model.HostID, d model.DestID, buf []uint32) []uint32 {
	return model.Weights(l.Relation, h, d, l.Relation.Inject(h, d, nil), buf)
}

// SendsTo implements model.Sender.
func (l *layered) SendsTo(h model.HostID, d model.DestID) bool { return model.Sends(l.Relation, h, d) }

// Next implements model.Relation.
func (l *layered) Next(s model.State, buf []model.Hop) []model.Hop {
	c, _ := l.net.Channel(s.VC)
	old, k := l.Relation.Network(), model.Class(l.Relation.Classes())
	layer := s.Class / k
	first := len(buf)
	buf = l.Relation.Next(model.State{VC: old.VC(c, 0), Dest: s.Dest, Class: s.Class % k}, buf)
	for i := first; i < len(buf); i++ {
		to, _ := old.Channel(buf[i].VC)
		index := 0
		if old.Kind(to) == model.SwitchToSwitch {
			index = int(layer)
		}
		buf[i] = model.Hop{VC: l.net.VC(to, index), Class: buf[i].Class + layer*k}
	}
	return buf
}
