package verify

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file decides deadlock freedom under virtual cut-through and store-and-
// forward exactly, for adaptive relations too.
//
// A deadlock configuration is a set K of VCs, each of which can hold a
// reachable, waiting packet all of whose permitted next VCs lie in K (Duato,
// IEEE TPDS 7(8), 1996). The greatest K is found by dropping VCs until nothing
// changes: a VC goes when each waiting state on it has a permitted next VC
// that has gone, or an ejection channel. The relation is deadlock-free iff K
// is empty, and then the order in which the VCs went is the evidence.
//
// A state that commits (model.WaitOne) is one waiting state for each of its next
// hops, with this hop only: it blocks its VC if any of its next VCs is in K.
//
// Premises: Switching.premises. A state without a next VC waits for nothing.
// Cost: O(reachable states × hops), the states of one destination at a time.
// Memory: an entry per different (VC, set of next VCs), of which there are far
// fewer than states, with the path of one packet that waits so.

// waits holds the different ways to wait: on VC at[i] for any of next[i].
type waits struct {
	at     []model.VCID
	next   [][]model.VCID
	packet []*cdg.Packet // one that waits so
	chosen []model.VCID  // the VC that this packet has chosen, -1 if it waits for any of next
}

// collectWaits explores the states of r. States that may eject, or have no
// next hop, wait for nothing that others hold. States for which commits returns
// true wait for each of their next hops alone; if commits is nil, none do.
func collectWaits(ctx context.Context, r model.Relation, commits func(model.State) bool) (*waits, error) {
	n := r.Network()
	w, known, x := &waits{}, map[string]bool{}, cdg.NewExplorer(r)
	var key []byte
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return nil, err
		}
		for i, st := range s.States {
			if !n.IsLinkVC(st.VC) {
				continue
			}
			for next, chosen := range waitsOf(s, i, commits) {
				key = binary.LittleEndian.AppendUint32(key[:0], uint32(st.VC))
				for _, v := range next {
					key = binary.LittleEndian.AppendUint32(key, uint32(v))
				}
				if known[string(key)] {
					continue
				}
				known[string(key)] = true
				path := s.PathTo(i)
				first, _ := n.Channel(path[0].VC)
				w.at, w.next, w.chosen = append(w.at, st.VC), append(w.next, next), append(w.chosen, chosen)
				w.packet = append(w.packet, &cdg.Packet{Source: n.HostOf(first), Dest: d, Path: path})
			}
		}
	}
	return w, nil
}

// eliminate drops VCs until nothing changes. It returns the VCs in the order
// in which they went, and by VC whether it is left.
func (w *waits) eliminate(n int) (order []model.VCID, left []bool) {
	blocked := make([]int32, n)  // by VC: ways to wait on it that no gone VC helps
	wanted := make([][]int32, n) // by VC: ways that wait for it
	helped := make([]bool, len(w.at))
	for i, v := range w.at {
		blocked[v]++
		for _, o := range w.next[i] {
			wanted[o] = append(wanted[o], int32(i))
		}
	}
	left = make([]bool, n)
	for v := range left {
		if left[v] = blocked[v] > 0; !left[v] {
			order = append(order, model.VCID(v))
		}
	}
	for k := 0; k < len(order); k++ {
		for _, i := range wanted[order[k]] {
			if helped[i] {
				continue
			}
			helped[i] = true
			v := w.at[i]
			if blocked[v]--; blocked[v] == 0 {
				left[v] = false
				order = append(order, v)
			}
		}
	}
	return order, left
}

// addCopies adds the ways to wait of multicast packets. A packet waits for each of its copies,
// so each copy is a way to wait for one VC alone.
func (w *waits) addCopies(ctx context.Context, r model.Relation, m *model.Multicast) error {
	known := map[model.Turn]bool{}
	return cdg.EachCopy(ctx, r, m, func(at, next model.VCID, packet func() *cdg.Packet) {
		turn := model.Turn{In: at, Out: next}
		if next == model.NoVC || known[turn] {
			return
		}
		known[turn] = true
		w.at, w.next = append(w.at, at), append(w.next, []model.VCID{next})
		w.packet, w.chosen = append(w.packet, packet()), append(w.chosen, -1)
	})
}

// elimination decides r: ranks by VC if it is deadlock-free, else the packets
// of a deadlock configuration, ascending by the VC that they wait on, with the VC that
// each has chosen.
func elimination(ctx context.Context, r model.Relation, m *model.Multicast, commits func(model.State) bool) (ranks []int32, config []*cdg.Packet, chosen []model.VCID, err error) {
	n := r.Network().NumLinkVCs()
	w, err := collectWaits(ctx, r, commits)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := w.addCopies(ctx, r, m); err != nil {
		return nil, nil, nil, err
	}
	order, left := w.eliminate(n)
	if len(order) == n {
		ranks = make([]int32, n)
		for i, v := range order {
			ranks[v] = int32(n - 1 - i) // the first to go has the highest rank
		}
		return ranks, nil, nil, nil
	}
	config, chosen = w.configuration(r.Network(), left)
	if commits == nil {
		chosen = nil
	}
	return nil, config, chosen, nil
}

// configuration picks, on each VC that is left, a way to wait within those
// left. What the picked packets wait for is a graph; a strong component of it
// that no dependency leaves is a deadlock configuration by itself, and one in
// which each VC is waited for. The smallest is returned.
func (w *waits) configuration(n *model.Network, left []bool) (config []*cdg.Packet, chosen []model.VCID) {
	pick := make([]int, len(left))
	for v := range pick {
		pick[v] = -1
	}
	for i, v := range w.at {
		if left[v] && pick[v] < 0 && !slices.ContainsFunc(w.next[i], func(o model.VCID) bool { return !left[o] }) {
			pick[v] = i
		}
	}
	g := cdg.FromDependencies(n, func(yield func(model.Turn) bool) {
		for v, i := range pick {
			if i < 0 {
				continue
			}
			for _, o := range w.next[i] {
				if !yield(model.Turn{In: model.VCID(v), Out: o}) {
					return
				}
			}
		}
	})
	part := make([]int, len(left)) // by VC: 1 + its component
	components := g.CyclicComponents()
	for k, c := range components {
		for _, v := range c {
			part[v] = k + 1
		}
	}
	var best []model.VCID
	for k, c := range components {
		closed := !slices.ContainsFunc(c, func(v model.VCID) bool {
			return slices.ContainsFunc(g.Next(v), func(o model.VCID) bool { return part[o] != k+1 })
		})
		if closed && (best == nil || len(c) < len(best)) {
			best = c
		}
	}
	for _, v := range best { // components are ascending
		config, chosen = append(config, w.packet[pick[v]]), append(chosen, w.chosen[pick[v]])
	}
	return config, chosen
}
