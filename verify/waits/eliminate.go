package waits

import (
	"maps"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/hold"
)

// Eliminate eliminates VCs until nothing changes. It returns the eliminated VCs in
// order, and by VC whether it is left.
func (w *Table) Eliminate(n int) (order []int32, left []bool) {
	x := hold.New(n)
	for i, v := range w.At {
		wait := x.Wait(int32(v))
		for _, o := range w.Next[i] {
			x.One(wait, int32(o))
		}
	}
	return x.Run(nil)
}

// OnCycle returns the configuration of the channels of a cycle, if one packet on each VC of
// these waits for such VCs only, and each is waited for.
func (w *Table) OnCycle(n *model.Network, cycle []model.VCID) (config []*cdg.Packet, chosen []model.VCID) {
	pick := map[model.VCID]int{}
	for _, v := range cycle {
		c, _ := n.Channel(v)
		for k := range n.VCs() {
			pick[n.VC(c, k)] = -1
		}
	}
	for i, v := range w.At {
		if at, on := pick[v]; on && at < 0 && !slices.ContainsFunc(w.Next[i], func(o model.VCID) bool { _, on := pick[o]; return !on }) {
			pick[v] = i
		}
	}
	waited := map[model.VCID]bool{}
	for _, i := range pick {
		if i < 0 {
			return nil, nil
		}
		for _, o := range w.Next[i] {
			waited[o] = true
		}
	}
	for _, v := range slices.Sorted(maps.Keys(pick)) {
		if !waited[v] {
			return nil, nil
		}
		config, chosen = append(config, w.Packet[pick[v]]), append(chosen, w.Chosen[pick[v]])
	}
	return config, chosen
}

// Configuration picks, for each VC that is left, a wait for VCs that are left. The picks
// form a graph. A strongly connected component that no dependency leaves is a deadlock
// Configuration in which each VC is waited for. The smallest such component is returned.
func (w *Table) Configuration(n *model.Network, left []bool) (config []*cdg.Packet, chosen []model.VCID) {
	pick := make([]int, len(left))
	for v := range pick {
		pick[v] = -1
	}
	for i, v := range w.At {
		if left[v] && pick[v] < 0 && !slices.ContainsFunc(w.Next[i], func(o model.VCID) bool { return !left[o] }) {
			pick[v] = i
		}
	}
	g := cdg.FromDependencies(n, func(yield func(model.Turn) bool) {
		for v, i := range pick {
			if i < 0 {
				continue
			}
			for _, o := range w.Next[i] {
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
		config, chosen = append(config, w.Packet[pick[v]]), append(chosen, w.Chosen[pick[v]])
	}
	return config, chosen
}
