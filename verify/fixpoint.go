package verify

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// This file decides deadlock freedom under virtual cut-through and store-and-forward
// exactly, also for adaptive relations.
//
// A deadlock configuration is a set K of VCs. Each VC of K can hold a reachable,
// waiting packet all of whose permitted next VCs are in K (J. Duato, IEEE Transactions on
// Parallel and Distributed Systems 7(8), 1996). The greatest K is found by
// elimination. A VC is eliminated if each waiting state on it permits an ejection channel
// or an eliminated VC. The relation is deadlock-free if and only if K is empty. Then
// the order of elimination is the evidence.
//
// A state that commits (model.WaitOne) is one waiting state for each of its next hops,
// with this hop alone. It blocks its VC if any of its next VCs is in K.
//
// Premises: see switchingPremises. A state without a next VC waits for nothing.
// Cost: O(reachable states × hops), the states of one destination at a time.
// Memory: an entry, with the path of one packet, for each different pair of a VC and a set
// of next VCs. There are far fewer pairs than states.

// waitTable lists the different waits: a packet on VC at[i] waits for any of next[i].
type waitTable struct {
	at     []model.VCID
	next   [][]model.VCID
	packet []*cdg.Packet // by wait: a packet with this wait
	chosen []model.VCID  // by wait: the VC that the packet has chosen, or -1 if it waits for any of next
}

// collectWaits returns the waits of all states of r. A state that permits ejection or has
// no next hop does not wait. A state for which commits returns true has one wait for
// each next hop. If commits is nil, no state commits. It calls step for each group of destinations.
func collectWaits(ctx context.Context, r model.Relation, commits func(model.State) bool, step func()) (*waitTable, error) {
	groups := cdg.Groups(r)
	list := make([]waitCollector, parallel.Workers(len(groups)))
	err := cdg.EachGroup(ctx, r, len(list), groups, func(w int, _ *cdg.Group, s *cdg.Space) error {
		list[w].collect(r.Network(), s, commits)
		step()
		return nil
	})
	if err != nil {
		return nil, err
	}
	first := &list[0]
	for i := range list[1:] {
		first.merge(&list[1+i])
	}
	w := &waitTable{}
	for _, x := range slices.SortedFunc(maps.Values(first.known), (*wait).compare) {
		w.at, w.next, w.chosen, w.packet = append(w.at, x.at), append(w.next, x.next), append(w.chosen, x.chosen), append(w.packet, x.packet)
	}
	return w, nil
}

// wait is an entry of a waitTable: number n of the waits that collect found for the destination of the packet.
type wait struct {
	at     model.VCID
	next   []model.VCID
	packet *cdg.Packet
	chosen model.VCID
	n      int
}

// compare orders waits as one worker finds them.
func (x *wait) compare(y *wait) int {
	return cmp.Or(cmp.Compare(x.packet.Dest, y.packet.Dest), cmp.Compare(x.n, y.n))
}

// waitCollector collects the different waits of some destinations, which come in ascending order.
type waitCollector struct {
	known map[string]*wait // the first wait of each kind, by the key of waitKey
	sets  map[string]int32 // the number of each set of next VCs
	seen  map[uint64]bool  // a VC with the number of a set
	of    []int32          // by place in the hops of a Space: 1 + the number of the set of the state whose hops begin there
	key   []byte
	set   []model.VCID
}

// waitKey appends the key of a wait on VC at for the VCs of next.
func waitKey(key []byte, at model.VCID, next []model.VCID) []byte {
	key = binary.LittleEndian.AppendUint32(key, uint32(at))
	for _, v := range next {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return key
}

func (c *waitCollector) collect(n *model.Network, s *cdg.Space, commits func(model.State) bool) {
	if c.known == nil {
		c.known, c.sets, c.seen = map[string]*wait{}, map[string]int32{}, map[uint64]bool{}
	}
	c.of = cleared(c.of, s.NumHops()+1)
	found := 0
	for i, st := range s.States {
		if !n.IsLinkVC(st.VC) {
			continue
		}
		if set := c.of[s.FirstHop(i)]; commits == nil && set > 0 && c.seen[uint64(st.VC)<<32|uint64(set)] {
			continue
		}
		for next, chosen := range waitsOf(s, i, commits, &c.set) {
			if commits == nil && c.isSeen(st.VC, s.FirstHop(i), next) {
				continue
			}
			c.key = waitKey(c.key[:0], st.VC, next)
			if c.known[string(c.key)] != nil {
				continue
			}
			path := s.PathTo(i)
			first, _ := n.Channel(path[0].VC)
			c.known[string(c.key)] = &wait{st.VC, slices.Clone(next), &cdg.Packet{Source: n.HostOf(first), Dest: s.Dest, Path: path}, chosen, found}
			found++
		}
	}
}

// isSeen reports whether the collector has met VC at with the set next, and notes that it has. hop is the place of
// the hops, which states can share.
func (c *waitCollector) isSeen(at model.VCID, hop int, next []model.VCID) bool {
	c.key = waitKey(c.key[:0], 0, next)
	set, ok := c.sets[string(c.key)]
	if !ok {
		set = int32(len(c.sets)) + 1
		c.sets[string(c.key)] = set
	}
	c.of[hop] = set
	seen := c.seen[uint64(at)<<32|uint64(set)]
	c.seen[uint64(at)<<32|uint64(set)] = true
	return seen
}

// merge adds the waits of another collector.
func (c *waitCollector) merge(o *waitCollector) {
	if c.known == nil {
		c.known = map[string]*wait{}
	}
	for key, x := range o.known {
		if old := c.known[key]; old == nil || x.compare(old) < 0 {
			c.known[key] = x
		}
	}
}

// eliminate eliminates VCs until nothing changes. It returns the eliminated VCs in
// order, and by VC whether it is left.
func (w *waitTable) eliminate(n int) (order []model.VCID, left []bool) {
	blocked := make([]int32, n)  // by VC: waits on it without an eliminated next VC
	wanted := make([][]int32, n) // by VC: waits for it
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

// addCopies adds the waits of multicast packets. A multicast packet waits for each of its
// copies, so each copy is a wait for one VC.
func (w *waitTable) addCopies(ctx context.Context, r model.Relation, m *model.Multicast) error {
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

// runElimination decides the relation of a report. If it is deadlock-free, it returns ranks by VC. Otherwise it
// returns the packets of a deadlock configuration, ascending by the VC that they wait on, and
// the VC that each has chosen.
func runElimination(ctx context.Context, rep *Report, m *model.Multicast) (ranks []int32, config []*cdg.Packet, chosen []model.VCID, err error) {
	r := rep.Relation
	n := r.Network().NumLinkVCs()
	w, err := collectWaits(ctx, r, rep.commits, rep.step("collecting what packets wait for", len(cdg.Groups(r))))
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
			ranks[v] = int32(n - 1 - i) // the first eliminated VC has the greatest rank
		}
		return ranks, nil, nil, nil
	}
	config, chosen = w.configuration(r.Network(), left)
	if few, ofFew := w.onCycle(r.Network(), rep.Cycle); few != nil && len(few) < len(config) {
		config, chosen = few, ofFew
	}
	if rep.commits == nil {
		chosen = nil
	}
	return nil, config, chosen, nil
}

// onCycle returns the configuration of the channels of a cycle, if one packet on each VC of
// these waits for such VCs only, and each is waited for.
func (w *waitTable) onCycle(n *model.Network, cycle []model.VCID) (config []*cdg.Packet, chosen []model.VCID) {
	pick := map[model.VCID]int{}
	for _, v := range cycle {
		c, _ := n.Channel(v)
		for k := range n.VCs() {
			pick[n.VC(c, k)] = -1
		}
	}
	for i, v := range w.at {
		if at, on := pick[v]; on && at < 0 && !slices.ContainsFunc(w.next[i], func(o model.VCID) bool { _, on := pick[o]; return !on }) {
			pick[v] = i
		}
	}
	waited := map[model.VCID]bool{}
	for _, i := range pick {
		if i < 0 {
			return nil, nil
		}
		for _, o := range w.next[i] {
			waited[o] = true
		}
	}
	for _, v := range slices.Sorted(maps.Keys(pick)) {
		if !waited[v] {
			return nil, nil
		}
		config, chosen = append(config, w.packet[pick[v]]), append(chosen, w.chosen[pick[v]])
	}
	return config, chosen
}

// configuration picks, for each VC that is left, a wait for VCs that are left. The picks
// form a graph. A strongly connected component that no dependency leaves is a deadlock
// configuration in which each VC is waited for. The smallest such component is returned.
func (w *waitTable) configuration(n *model.Network, left []bool) (config []*cdg.Packet, chosen []model.VCID) {
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
