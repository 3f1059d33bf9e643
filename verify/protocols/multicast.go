package protocols

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/copyorder"
)

// This file collects the waits of multicast classes. A message goes to all hosts of its role along
// the paths of single messages, and is copied where these part. A switch holds it until each copy
// has been given the next buffer, or has been consumed.

// collectCopies collects the waits of multicast class c. It fails if there is not one path between two
// hosts, or if the paths from a host join again after they have parted.
func (w *Waits) collectCopies(c int) error {
	for _, s := range w.p.Rules[c].From {
		if err := w.copiesFrom(c, s); err != nil {
			return err
		}
	}
	return nil
}

// copiesFrom collects the waits of multicast class c from host s.
func (w *Waits) copiesFrom(c int, s model.HostID) error {
	all := map[model.VCID][]int32{}        // by VC: what a message on it waits for
	packet := map[model.VCID]*cdg.Packet{} // by VC: a copy on it
	var order []model.VCID
	for _, d := range w.p.Rules[c].To {
		if d == s || !w.p.SendsTo(c, s, d) {
			continue
		}
		path := onePath(w.r, s, d)
		if path == nil {
			return fmt.Errorf("cannot decide multicast class %s: want a routing with one path between any two hosts; %s to %s has another number",
				w.p.Names[c], w.n.HostLabel(s), w.n.HostLabel(d))
		}
		for i, at := range path.Path {
			part := &cdg.Packet{Source: s, Dest: path.Dest, Path: path.Path[:i+1]}
			known := packet[at.VC]
			if known == nil {
				packet[at.VC] = part
				order = append(order, at.VC)
			} else if i != len(known.Path)-1 || i > 0 && known.Path[i-1].VC != path.Path[i-1].VC {
				return fmt.Errorf("cannot decide multicast class %s: the paths from %s join again after they part", w.p.Names[c], w.n.HostLabel(s))
			}
			if i+1 < len(path.Path) {
				all[at.VC] = append(all[at.VC], w.at(c, path.Path[i+1]))
			} else {
				all[at.VC] = append(all[at.VC], w.consumption(c, s, d)...)
			}
		}
	}
	for _, v := range order {
		list := all[v]
		slices.Sort(list)
		w.add(messageWait{place: w.at(c, model.State{VC: v}), any: [][]int32{slices.Compact(list)}, class: c}, func() *cdg.Packet { return packet[v] })
	}
	return nil
}

// onePath returns the path of packets from s to d, without the ejection channel, or nil if there is not exactly
// one.
func onePath(r model.Relation, s, d model.HostID) *cdg.Packet {
	n := r.Network()
	var found *cdg.Packet
	for dest := range model.DestID(r.Destinations()) {
		if r.DestinationHost(dest) != d || !model.Sends(r, s, dest) {
			continue
		}
		classes := r.Inject(s, dest, nil)
		if len(classes) != 1 || found != nil {
			return nil
		}
		found = &cdg.Packet{Source: s, Dest: dest, Path: []model.State{model.InjectState(r, s, dest, classes[0])}}
		for arrived := false; !arrived; {
			hops := r.Next(found.Path[len(found.Path)-1], nil)
			if len(hops) != 1 || len(found.Path) > n.NumVCs() {
				return nil
			}
			channel, _ := n.Channel(hops[0].VC)
			switch {
			case channel == n.EjectChannel(d):
				arrived = true
			case n.Kind(channel) == model.Eject:
				return nil
			default:
				found.Path = append(found.Path, model.State{VC: hops[0].VC, Dest: dest, Class: hops[0].Class})
			}
		}
	}
	return found
}

// HasMulticast reports whether a class is multicast.
func (x *Places) HasMulticast() bool {
	return slices.ContainsFunc(x.p.Rules, func(r model.ClassRule) bool { return r.Multicast })
}

// OrderCopies returns an order of copies (package copyorder), which proves that messages of any lengths do not block each other, or
// nil if there is none.
func (w *Waits) OrderCopies() []int32 {
	waits := make([][]int32, w.size())
	for i := range w.list {
		if m := &w.list[i]; m.packet == nil || !w.p.Rules[m.class].Multicast {
			waits[m.place] = append(waits[m.place], slices.Concat(m.any...)...)
		}
	}
	for p := range waits {
		slices.Sort(waits[p])
		waits[p] = slices.Compact(waits[p])
	}
	var trees []copyorder.Tree
	for c, r := range w.p.Rules {
		for _, s := range r.From {
			if r.Multicast {
				trees = append(trees, w.tree(c, s))
			}
		}
	}
	return copyorder.Find(waits, trees)
}

// tree returns the places of multicast messages of class c from host s, ascending.
func (w *Waits) tree(c int, s model.HostID) (t copyorder.Tree) {
	type node struct{ at, before int32 }
	var nodes []node
	needs := map[int32][]int32{}
	for _, d := range w.p.Rules[c].To {
		if d == s || !w.p.SendsTo(c, s, d) {
			continue
		}
		before := int32(-1)
		for _, at := range onePath(w.r, s, d).Path {
			nodes = append(nodes, node{w.at(c, at), before})
			before = w.at(c, at)
		}
		needs[before] = append(needs[before], w.consumption(c, s, d)...)
	}
	slices.SortFunc(nodes, func(a, b node) int { return int(a.at - b.at) })
	nodes = slices.Compact(nodes)
	for _, v := range nodes {
		t.Places = append(t.Places, v.at)
		t.Before = append(t.Before, int32(slices.IndexFunc(nodes, func(u node) bool { return u.at == v.before })))
		t.Needs = append(t.Needs, needs[v.at])
	}
	return t
}
