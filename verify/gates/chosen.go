package gates

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file reads the packets of a model of the clauses.

// target is a packet of a deadlock: where its tail is in the end, and the hops of its head from there.
type target struct {
	tails  []int32 // states; any of them will do
	hops   []int32
	stays  int          // flits that stay at the tail, if there are hops
	vcs    []model.VCID // by place from the tail
	flits  []int        // by place
	behind bool         // other packets on the first VC are in front of it
	joins  bool         // another packet on the last VC is in front of it
	chosen []int32      // the variables that choose it
}

// byHops returns the states on a VC by their hops.
func (f *formula) byHops() map[string][]int32 {
	byHops := map[string][]int32{}
	for i, at := range f.s.states {
		key := f.hopsKey(at.VC, f.vcsOf(int32(i)))
		byHops[key] = append(byHops[key], int32(i))
	}
	return byHops
}

// targets returns the packets of a model of the clauses. byHops is the states by their hops.
func (f *formula) targets(is func(int32) bool, byHops map[string][]int32) (list []*target) {
	isFilled := make([]bool, f.size)
	for i, v := range f.At {
		if !is(f.whole[v]) || !is(f.waits[i]) || isFilled[v] {
			continue
		}
		isFilled[v] = true
		for k := range f.sizes.Buffer / f.sizes.Packet {
			t := f.wholeTarget(i, byHops)
			t.behind = k > 0
			list = append(list, t)
		}
	}
	for _, x := range []*chains{f.arriving, f.resting} {
		if x == nil {
			continue
		}
		for i := range f.s.states {
			for e := f.s.first[i]; e < f.s.first[i+1]; e++ {
				if is(x.starts[e]) {
					list = append(list, f.chain(x, int32(i), e, is)...)
				}
			}
		}
	}
	for i := range f.s.states {
		for e := f.s.first[i]; f.joins != nil && e < f.s.first[i+1]; e++ {
			if is(f.joins[e]) {
				list = append(list, f.joining(int32(i), e, is)...)
			}
		}
	}
	return list
}

// isBehind reports whether others are in front of the packet at a place.
func (t *target) isBehind(place int) bool { return t.behind || t.joins && place == len(t.vcs)-1 }

// wholeTarget returns a whole packet that waits as wait i does.
func (f *formula) wholeTarget(i int, byHops map[string][]int32) *target {
	v := f.At[i]
	return &target{tails: byHops[f.hopsKey(v, f.Next[i])], vcs: []model.VCID{v}, flits: []int{f.sizes.Packet}, chosen: []int32{f.whole[v], f.waits[i]}}
}

func (f *formula) vcsOf(i int32) (list []model.VCID) {
	return slices.Compact(slices.Sorted(slices.Values(f.s.vc[f.s.first[i]:f.s.first[i+1]])))
}

// hopsKey returns the same key for states on the same VC with the same hops.
func (f *formula) hopsKey(v model.VCID, next []model.VCID) string {
	key := []byte{byte(v), byte(v >> 8), byte(v >> 16)}
	for _, w := range next {
		w = f.s.place(w)
		key = append(key, byte(w), byte(w>>8), byte(w>>16))
	}
	return string(key)
}

// chain returns the packet whose tail is in state i, before the gate of hop e, and those behind it.
func (f *formula) chain(x *chains, i, e int32, is func(int32) bool) []*target {
	v := f.s.states[i].VC
	t := &target{tails: []int32{i}, hops: []int32{e}, stays: f.sizes.Packet - 1, vcs: []model.VCID{v, f.s.vc[e]}, chosen: []int32{x.starts[e]}}
	at := f.s.to[e]
	for at >= 0 && !is(x.ends[at]) && len(t.hops) < len(f.s.states) {
		for h := f.s.first[at]; h < f.s.first[at+1]; h++ {
			if is(x.takes[h]) {
				t.hops, t.vcs, at, t.chosen = append(t.hops, h), append(t.vcs, f.s.vc[h]), f.s.to[h], append(t.chosen, x.takes[h])
				break
			}
		}
	}
	switch {
	case at >= 0:
		t.stays = 1
	case f.n.IsLinkVC(v) && is(f.stacked[v]):
		t.stays, _ = f.stack()
	}
	t.flits = make([]int, len(t.vcs))
	if t.flits[0] = t.stays; at >= 0 {
		t.flits[len(t.flits)-1] = f.sizes.Packet - t.stays
	}
	return append([]*target{t}, f.behind(i, is)...)
}

// behind returns the whole packets behind one that leaves the VC of state i.
func (f *formula) behind(i int32, is func(int32) bool) (list []*target) {
	v := f.s.states[i].VC
	if !f.n.IsLinkVC(v) || !is(f.stacked[v]) {
		return nil
	}
	_, count := f.stack()
	for range count {
		list = append(list, &target{tails: []int32{i}, vcs: []model.VCID{v}, flits: []int{f.sizes.Packet}, behind: true, chosen: []int32{f.stacked[v]}})
	}
	return list
}

// joining returns the packet whose tail is in state i and that joins another one over hop e, and those behind it.
func (f *formula) joining(i, e int32, is func(int32) bool) []*target {
	k := f.joinedFlits()
	t := &target{tails: []int32{i}, hops: []int32{e}, stays: f.sizes.Packet - k, vcs: []model.VCID{f.s.states[i].VC, f.s.vc[e]},
		flits: []int{f.sizes.Packet - k, k}, joins: true, chosen: []int32{f.joins[e]}}
	return append([]*target{t}, f.behind(i, is)...)
}
