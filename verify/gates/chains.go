package gates

import (
	"maps"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file states as clauses where the packets are whose tails are before a closed gate: each has a chain of hops from the
// gate to its head. No two of them enter the same VC.

// maxSpare bounds the clauses for each endpoint: the VCs from which packets arrive, without as many as its channel has.
const maxSpare = 10

// chains are packets whose tails are before a gate: those that arrive, or those whose heads rest on a VC.
type chains struct {
	starts []int32 // by hop: the tail of a packet is before its gate, or 0
	takes  []int32 // by hop: the head of a packet has taken it, or 0
	ends   []int32 // by state: the head rests there, or 0
	lies   []int32 // by state: the packet passes through its VC, or 0
}

// addChains adds packets whose tails are before a gate. If rests is true, their heads rest on a VC, otherwise they have arrived.
func (f *formula) addChains(rests bool) *chains {
	x := &chains{starts: make([]int32, len(f.s.to)), takes: make([]int32, len(f.s.to)), ends: make([]int32, len(f.s.states)),
		lies: make([]int32, len(f.s.states))}
	into, out := make([][]int32, len(f.s.states)), make([][]int32, len(f.s.states))
	for i, at := range f.s.states {
		in, _ := f.n.Channel(at.VC)
		for e := f.s.first[i]; e < f.s.first[i+1]; e++ {
			to, w := f.s.to[e], f.s.vc[e]
			if to >= 0 && f.gates.Has(in, w) && (!rests || !f.n.IsLinkVC(at.VC)) {
				x.starts[e] = f.fresh()
				f.add(-x.starts[e], f.shut[w])
				f.leaving[at.VC] = append(f.leaving[at.VC], x.starts[e])
				f.goals = append(f.goals, x.starts[e])
				into[to] = append(into[to], x.starts[e])
			}
			if f.n.IsLinkVC(at.VC) && (to >= 0 || !rests) {
				x.takes[e] = f.fresh()
				if out[i] = append(out[i], x.takes[e]); to >= 0 {
					into[to] = append(into[to], x.takes[e])
				}
			}
		}
	}
	for i, at := range f.s.states {
		if !f.n.IsLinkVC(at.VC) {
			continue
		}
		lies := f.fresh()
		x.lies[i] = lies
		f.ways[at.VC] = append(f.ways[at.VC], lies)
		if rests && f.s.first[i] < f.s.first[i+1] {
			x.ends[i] = f.fresh()
			out[i] = append(out[i], x.ends[i])
			for e := f.s.first[i]; e < f.s.first[i+1]; e++ {
				in, _ := f.n.Channel(at.VC)
				f.addStopped(x.ends[i], at.VC, f.s.vc[e], f.gates.Has(in, f.s.vc[e]))
			}
		}
		for _, a := range slices.Concat(into[i], out[i]) {
			f.add(-a, lies)
		}
		f.add(append([]int32{-lies}, into[i]...)...)
		f.add(append([]int32{-lies}, out[i]...)...)
		f.atMostOne(into[i])
		f.atMostOne(out[i])
	}
	return x
}

// addEndings says which packets have flits before gates, and which rest.
func (f *formula) addEndings() {
	for v, list := range f.leaving {
		if f.atMostOne(list); v < f.size {
			f.add(append([]int32{-f.ending[v]}, list...)...)
			f.add(append([]int32{-f.stacked[v]}, list...)...)
			ways := []int32{f.ending[v], f.stacked[v]}
			if f.joins != nil {
				f.add(append([]int32{-f.joined[v]}, list...)...)
				ways = append(ways, f.joined[v])
			}
			for _, a := range list {
				f.add(append([]int32{-a}, ways...)...)
			}
		}
	}
	rests := make([][]int32, f.size)
	for i, end := range f.resting.ends {
		if end != 0 {
			rests[f.s.states[i].VC] = append(rests[f.s.states[i].VC], end)
		}
	}
	for v := range f.size {
		f.add(append([]int32{-f.begun[v]}, rests[v]...)...)
	}
}

// addArrivals says which endpoints are kept by packets that have arrived in part, and that no more arrive.
func (f *formula) addArrivals() {
	from := make([]map[model.VCID][]int32, len(f.kept)) // by endpoint and VC: the hops of such packets
	for h := range from {
		from[h] = map[model.VCID][]int32{}
	}
	for i, at := range f.s.states {
		for e := f.s.first[i]; e < f.s.first[i+1]; e++ {
			if f.arriving != nil && f.s.to[e] < 0 && f.arriving.takes[e] != 0 {
				c, _ := f.n.Channel(f.s.vc[e])
				h := f.n.HostOf(c)
				from[h][at.VC] = append(from[h][at.VC], f.arriving.takes[e])
			}
		}
	}
	for h := range from {
		var list []int32 // by VC: one of its packets has arrived in part
		for _, v := range slices.Sorted(maps.Keys(from[h])) {
			some := f.fresh()
			for _, a := range from[h][v] {
				f.add(-a, some)
			}
			f.add(append([]int32{-some}, from[h][v]...)...)
			list = append(list, some)
		}
		f.addKept(h, list)
	}
}

// addKept says that an endpoint is kept if as many of a list are true as its channel has VCs, and that no more are.
func (f *formula) addKept(h int, list []int32) {
	n := f.n.VCs()
	if len(list) < n || len(list) > n+maxSpare {
		for _, a := range list {
			f.add(-a)
		}
		f.add(-f.kept[h])
		return
	}
	each(list, n+1, func(part []int32) {
		clause := make([]int32, 0, n+1)
		for _, a := range part {
			clause = append(clause, -a)
		}
		f.add(clause...)
	})
	each(list, len(list)-n+1, func(part []int32) { f.add(append([]int32{-f.kept[h]}, part...)...) })
}

// each calls do with each part of a list that has size members.
func each(list []int32, size int, do func([]int32)) {
	var add func(part []int32, from int)
	add = func(part []int32, from int) {
		if len(part) == size {
			do(part)
			return
		}
		for i := from; i <= len(list)-size+len(part); i++ {
			add(append(part, list[i]), i+1)
		}
	}
	if size <= len(list) {
		add(make([]int32, 0, size), 0)
	}
}
