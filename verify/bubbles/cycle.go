package bubbles

import (
	"context"
	"math"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file fills a dependency cycle that no flow control protects, such as one on VCs without it.
//
// Method: the elimination of a proof leaves some VCs. A shortest cycle of waits among them that goes beyond one ring is filled: each of
// its VCs with packets that wait for the next. The VC that is filled last is reached without passing the others, the one before it without
// passing others but the last, and so on. Cost: a search over the waits for each wait between the VCs that are left, and over all states
// for each layer of this order.

// ShortestCycle returns a shortest cycle of waits that flow control does not exclude, beginning with its lowest VC, or nil if the
// elimination leaves no VC. A cycle within one ring counts only if entries to the ring are off.
func (b *Network) ShortestCycle(ctx context.Context, r model.Relation) ([]model.VCID, error) {
	w, err := b.collect(ctx, r)
	if err != nil {
		return nil, err
	}
	x := b.waits(w, false)
	_, left := x.Run(nil)
	weak := make([]bool, len(b.List))
	for _, t := range b.off {
		weak[b.Of(t.Out)] = true
	}
	next := make([][]model.VCID, b.n.NumLinkVCs())
	for i, v := range w.At {
		if p := x.Part[v]; !left[p] && !(int(p) < len(b.List) && weak[p]) {
			continue
		}
		next[v] = append(next[v], w.Next[i]...)
	}
	for v := range next {
		slices.Sort(next[v])
		next[v] = slices.Compact(next[v])
	}
	return b.shortest(next, weak), nil
}

// shortest returns a shortest cycle of next that is not within one ring whose entries are all on.
func (b *Network) shortest(next [][]model.VCID, weak []bool) (best []model.VCID) {
	from, depth := make([]model.VCID, len(next)), make([]int32, len(next))
	stamp := int32(0)
	seen := make([]int32, len(next))
	limit := int32(math.MaxInt32)
	for v := range next {
		for _, first := range next[v] {
			if r := b.Of(model.VCID(v)); r >= 0 && r == b.Of(first) && !weak[r] {
				continue // a cycle beyond the ring has a hop that leaves it
			}
			stamp++
			queue := []model.VCID{first}
			seen[first], depth[first], from[first] = stamp, 1, model.NoVC
			for k := 0; k < len(queue) && depth[queue[k]] < limit; k++ {
				u := queue[k]
				if u == model.VCID(v) {
					limit = depth[u]
					for best = nil; u != model.NoVC; u = from[u] {
						best = append(best, u)
					}
					slices.Reverse(best)
					break
				}
				for _, to := range next[u] {
					if seen[to] != stamp {
						seen[to], depth[to], from[to] = stamp, depth[u]+1, u
						queue = append(queue, to)
					}
				}
			}
		}
	}
	if best == nil {
		return nil
	}
	k := slices.Index(best, slices.Min(best))
	return slices.Concat(best[k:], best[:k])
}

// fillCycle returns a run that fills a shortest cycle, or nil.
func (b *Network) fillCycle(ctx context.Context, r model.Relation) (*Run, error) {
	cycle, err := b.ShortestCycle(ctx, r)
	if cycle == nil || err != nil {
		return nil, err
	}
	after := map[model.VCID]model.VCID{}
	for i, v := range cycle {
		after[v] = cycle[(i+1)%len(cycle)]
	}
	paths := map[model.VCID]*entry{}
	var order []model.VCID
	for len(order) < len(cycle) {
		layer, err := b.reach(ctx, r, after, paths)
		if err != nil || len(layer) == 0 {
			return nil, err
		}
		order = append(order, layer...)
	}
	x := b.NewRun(r)
	for _, v := range slices.Backward(order) {
		for x.canMove(model.NoVC, v) {
			y := x.place(paths[v])
			if y == nil {
				break
			}
			x = y
		}
	}
	if _, number := x.stuck(); number == 0 || number < x.Left() {
		return nil, nil
	}
	return x, nil
}

// reach returns the VCs of a cycle without a path that packets reach without passing other such VCs, and adds the paths. There they
// wait for the next VC of the cycle alone.
func (b *Network) reach(ctx context.Context, r model.Relation, after map[model.VCID]model.VCID, paths map[model.VCID]*entry) (layer []model.VCID, err error) {
	found := map[model.VCID]*entry{}
	for d := range model.DestID(r.Destinations()) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.reachTo(r, d, after, paths, found)
	}
	for v, t := range found {
		paths[v] = t
		layer = append(layer, v)
	}
	slices.Sort(layer)
	return layer, nil
}

// reachTo does this for the packets to one destination. Shorter paths replace longer ones in found.
func (b *Network) reachTo(r model.Relation, d model.DestID, after map[model.VCID]model.VCID, paths, found map[model.VCID]*entry) {
	type step struct {
		state model.State
		from  int
		depth int
	}
	var steps []step
	known := map[model.State]bool{}
	push := func(s model.State, from, depth int) {
		if !known[s] {
			known[s] = true
			steps = append(steps, step{s, from, depth})
		}
	}
	for h := range model.HostID(r.Sources()) {
		if !model.Sends(r, h, d) {
			continue
		}
		for _, k := range r.Inject(h, d, nil) {
			push(model.InjectState(r, h, d, k), -1, 1)
		}
	}
	var hops []model.Hop
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		hops = r.Next(s.state, hops[:0])
		want, isOn := after[s.state.VC]
		if isOn && paths[s.state.VC] == nil {
			if old := found[s.state.VC]; b.canWait(hops, want) && (old == nil || len(old.path) > s.depth) {
				t := &entry{path: make([]model.State, s.depth)}
				for k := i; k >= 0; k = steps[k].from {
					t.path[steps[k].depth-1] = steps[k].state
				}
				first, _ := b.n.Channel(t.path[0].VC)
				t.source = b.n.HostOf(first)
				found[s.state.VC] = t
			}
			continue
		}
		for _, h := range hops {
			if b.n.IsLinkVC(h.VC) {
				push(model.State{VC: h.VC, Dest: d, Class: h.Class}, i, s.depth+1)
			}
		}
	}
}

// Packets returns by VC of a cycle a packet on it that waits for the next VC of the cycle.
func (b *Network) Packets(ctx context.Context, r model.Relation, cycle []model.VCID) ([]*cdg.Packet, error) {
	list := make([]*cdg.Packet, len(cycle))
	w, err := b.collect(ctx, r)
	if err != nil {
		return nil, err
	}
	for i, v := range cycle {
		for k, at := range w.At {
			if at == v && slices.Contains(w.Next[k], cycle[(i+1)%len(cycle)]) {
				list[i] = w.Packet[k]
				break
			}
		}
	}
	return list, nil
}

// canWait reports whether a packet with these next hops can wait for a VC alone.
func (b *Network) canWait(hops []model.Hop, want model.VCID) bool {
	isOther := func(h model.Hop) bool { return h.VC != want }
	if b.one {
		return slices.ContainsFunc(hops, func(h model.Hop) bool { return !isOther(h) })
	}
	return len(hops) > 0 && !slices.ContainsFunc(hops, isOther)
}
