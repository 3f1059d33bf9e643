package cdg

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file adds the dependencies of multicast packets.
//
// A multicast packet keeps its buffer until all of its copies have been given the next one.
// So the VC that it is on depends on the VC of each copy, and each dependency counts like that
// of a unicast packet with one next hop: a set of VCs is blocked as soon as a packet waits for
// one VC of the set.
// Cost: for each group the senders, and the entries' ports in pairs.

// copyWalk follows the packets of one group after the other.
type copyWalk struct {
	rel   model.Relation
	group *model.MulticastGroup
	stamp []uint32     // by VC: the round in which it was last reached
	from  []model.VCID // by VC: the one from which it was reached first
	round uint32
	queue []model.VCID // VCs reached, those on injection channels first
	out   []model.VCID
}

func newCopyWalk(r model.Relation) *copyWalk {
	n := r.Network().NumVCs()
	return &copyWalk{rel: r, stamp: make([]uint32, n), from: make([]model.VCID, n)}
}

// walk visits each VC that packets of g reach, in breadth-first order, with those on which
// the copies go on. The list is valid during the visit. walk ends when visit returns false.
func (w *copyWalk) walk(g *model.MulticastGroup, visit func(at model.VCID, copies []model.VCID) bool) {
	n := w.rel.Network()
	w.begin(g)
	for i := 0; i < len(w.queue); i++ {
		at := w.queue[i]
		in, _ := n.Channel(at)
		w.out = g.Copies(w.rel, in, w.out[:0])
		for _, v := range w.out {
			if n.IsLinkVC(v) && w.stamp[v] != w.round {
				w.reach(v, at)
			}
		}
		if !visit(at, w.out) {
			return
		}
	}
}

// begin puts the injection VCs of all senders of g into the queue.
func (w *copyWalk) begin(g *model.MulticastGroup) {
	n := w.rel.Network()
	w.group, w.queue = g, w.queue[:0]
	w.round++
	for _, h := range g.Senders(w.rel) {
		w.reach(n.VC(n.InjectChannel(h), 0), model.NoVC)
	}
}

func (w *copyWalk) reach(v, from model.VCID) {
	w.stamp[v], w.from[v] = w.round, from
	w.queue = append(w.queue, v)
}

// packet returns the packet of the current group, number k, on its shortest path to VC at,
// and on to VC next unless that is model.NoVC.
func (w *copyWalk) packet(k int, at, next model.VCID) *Packet {
	n := w.rel.Network()
	var path []model.State
	for v := at; v != model.NoVC; v = w.from[v] {
		path = append(path, model.State{VC: v, Dest: NoDest, Class: w.group.Class})
	}
	slices.Reverse(path)
	if next != model.NoVC {
		path = append(path, model.State{VC: next, Dest: NoDest, Class: w.group.Class})
	}
	first, _ := n.Channel(path[0].VC)
	return &Packet{Source: n.HostOf(first), Dest: NoDest, Path: path, Group: k + 1, MLID: w.group.MLID}
}

// BuildMulticast returns the graph of r and of the multicast packets of m. If m is nil, it
// returns what Build does.
func BuildMulticast(ctx context.Context, r model.Relation, m *model.Multicast) (*Graph, error) {
	b, err := build(ctx, r)
	if err != nil {
		return nil, err
	}
	err = EachCopy(ctx, r, m, func(at, next model.VCID, _ func() *Packet) {
		if b.use(at); next != model.NoVC {
			b.add(at, next)
		}
	})
	return b.graph(), err
}

// EachCopy calls visit for each dependency of a multicast packet between VCs between switches,
// and with next = model.NoVC for each such VC that a packet reaches. packet returns the packet
// on its path to at, where it waits. It must be called during the visit only.
func EachCopy(ctx context.Context, r model.Relation, m *model.Multicast, visit func(at, next model.VCID, packet func() *Packet)) error {
	if m == nil {
		return nil
	}
	n, w := r.Network(), newCopyWalk(r)
	for k := range m.Groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.walk(&m.Groups[k], func(at model.VCID, copies []model.VCID) bool {
			if !n.IsLinkVC(at) {
				return true
			}
			packet := func() *Packet { return w.packet(k, at, model.NoVC) }
			visit(at, model.NoVC, packet)
			for _, next := range copies {
				if n.IsLinkVC(next) {
					visit(at, next, packet)
				}
			}
			return true
		})
	}
	return nil
}

// copyWitnesses fills in a multicast packet for each dependency that has no packet yet.
func copyWitnesses(r model.Relation, m *model.Multicast, deps []model.Turn, found []*Packet) {
	place := map[model.Turn]int{}
	for i, p := range found {
		if p == nil {
			place[deps[i]] = i
		}
	}
	w := newCopyWalk(r)
	for k := 0; m != nil && k < len(m.Groups) && len(place) > 0; k++ {
		w.walk(&m.Groups[k], func(at model.VCID, copies []model.VCID) bool {
			for _, next := range copies {
				turn := model.Turn{In: at, Out: next}
				if i, ok := place[turn]; ok {
					found[i] = w.packet(k, at, next)
					delete(place, turn)
				}
			}
			return len(place) > 0
		})
	}
}

// CopyLoop returns a multicast packet of which a copy comes back to a VC at the end of its
// path, or nil if there is none. The path visits no other VC twice.
func CopyLoop(ctx context.Context, r model.Relation, m *model.Multicast) (*Packet, error) {
	if m == nil {
		return nil, nil
	}
	w := newCopyWalk(r)
	for k := range m.Groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p := w.loop(k, &m.Groups[k]); p != nil {
			return p, nil
		}
	}
	return nil, nil
}

// loop searches the VCs of group k depth first for one that leads back to the path.
func (w *copyWalk) loop(k int, g *model.MulticastGroup) *Packet {
	n := w.rel.Network()
	copies := func(v model.VCID) []model.VCID {
		in, _ := n.Channel(v)
		return slices.DeleteFunc(g.Copies(w.rel, in, nil), func(v model.VCID) bool { return !n.IsLinkVC(v) })
	}
	w.begin(g)
	onPath := map[model.VCID]bool{}
	type step struct {
		at   model.VCID
		next []model.VCID
	}
	for _, root := range slices.Clone(w.queue) {
		stack := []step{{root, copies(root)}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.next) == 0 {
				delete(onPath, top.at)
				stack = stack[:len(stack)-1]
				continue
			}
			v := top.next[0]
			top.next = top.next[1:]
			if onPath[v] {
				return w.packet(k, top.at, v)
			}
			if w.stamp[v] != w.round {
				w.reach(v, top.at)
				onPath[v] = true
				stack = append(stack, step{v, copies(v)})
			}
		}
	}
	return nil
}
