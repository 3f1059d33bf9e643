package cdg

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file adds the dependencies of multicast packets.
//
// A multicast packet keeps its buffer until each of its copies has a next buffer. The VC of the
// packet therefore depends on the VC of each copy. Each such dependency counts like that of a
// unicast packet with one next hop: a set of VCs is blocked if a packet waits for one VC of the
// set. Cost per group: the senders, and the pairs of ports of all entries.

// copyWalk follows the packets of one group after another.
type copyWalk struct {
	rel   model.Relation
	group *model.MulticastGroup
	stamp []uint32     // by VC: the round in which it was last reached
	from  []model.VCID // by VC: the VC from which it was reached first
	round uint32
	queue []model.VCID // the VCs reached, injection VCs first
	out   []model.VCID
}

func newCopyWalk(r model.Relation) *copyWalk {
	n := r.Network().NumVCs()
	return &copyWalk{rel: r, stamp: make([]uint32, n), from: make([]model.VCID, n)}
}

// walk calls visit for each VC that packets of g reach, in breadth-first order, with the next
// VCs of the copies. The list is valid during the call. walk ends if visit returns false.
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

// begin fills the queue with the injection VCs of all senders of g.
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

// packet returns a packet of group k on its shortest path to VC at, and on to VC next unless
// next is model.NoVC.
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

// BuildMulticast returns the graph of r and of the multicast packets of m. If m is nil, it is
// Build. It calls visit with all states of r unless r is a table or visit is nil. It fails like Build.
func BuildMulticast(ctx context.Context, r model.Relation, m *model.Multicast, visit Visit) (*Graph, error) {
	b, err := build(ctx, r, Groups(r), visit)
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

// EachCopy calls visit for each dependency between link VCs of a multicast packet. It also
// calls visit with next = model.NoVC for each link VC that a packet reaches. packet returns the
// packet on its path to at, where it waits; visit may call packet only before it returns.
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

// copyWitnesses adds a multicast packet for each dependency whose entry in found is nil, if one
// exists.
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

// CopyLoop returns a multicast packet with a copy that returns to a VC, at the end of its path,
// or nil if there is none. The path visits no other VC twice.
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

// loop searches the VCs of group k depth first for a copy that returns to its path.
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
