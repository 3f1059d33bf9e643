package verify

import (
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file searches for moves that lead worms from the empty network to their places, all
// of them together. It does not suffice that each worm can reach its place alone:
// L. Schwiebert (SPAA 1997) has routings whose cycles never fill.
//
// The search goes backwards. A worm moves back to an earlier window, on VCs that the others do not hold,
// or leaves the network from a first window. A worm that can leave while the others stay
// leaves at once, because the others then have more room. If no worm can leave, all
// steps back are tried.
//
// Promise: the moves in the result are possible. If there is no result, nothing follows: the
// search visits at most maxRetreats states.

const (
	maxRetreats = 2000
	maxWindows  = 1 << 18 // of one destination and length
	maxVariants = 32      // of one worm
)

// place is a window of worms to a destination. If paths is nil, the worm is at the end of
// its path, in any of several windows on the same VCs.
type place struct {
	paths *wormPaths
	at    int32
}

// retreatStep moves a worm backwards: from place after to place. If place has no paths, the
// worm leaves the network.
type retreatStep struct {
	worm         int
	place, after place
}

// wormArrivals finds moves for sets of worms of one relation.
type wormArrivals struct {
	relation model.Relation
	known    map[[2]int]*wormPaths // by destination and length
}

func newWormArrivals(r model.Relation) *wormArrivals {
	return &wormArrivals{r, map[[2]int]*wormPaths{}}
}

// paths returns all windows of worms to d that need length VCs. If there are too many, it
// returns nil.
func (a *wormArrivals) paths(d model.DestID, length int) *wormPaths {
	key := [2]int{int(d), length}
	if p, ok := a.known[key]; ok {
		return p
	}
	p := newWormPaths(a.relation.Network(), cdg.NewExplorer(a.relation).Explore(d), length)
	for at := range p.enumerate() {
		if at >= maxWindows {
			p = nil
			break
		}
	}
	a.known[key] = p
	return p
}

// findPackets returns the packets of worms, with paths on which all of them reach their places
// together. If it finds none, it returns false.
func (a *wormArrivals) findPackets(worms []worm) ([]*cdg.Packet, bool) {
	r := &retreat{wormArrivals: a, worms: worms, holder: make([]int, a.relation.Network().NumVCs()), failed: map[string]bool{}}
	for i := range worms {
		r.at = append(r.at, place{nil, int32(i)})
		r.hold(i, i+1)
	}
	if !r.search() {
		return nil, false
	}
	packets := make([]*cdg.Packet, len(worms))
	for i := range worms {
		packets[i] = r.packet(i)
	}
	return packets, true
}

// retreat is the search for one set of worms.
type retreat struct {
	*wormArrivals
	worms  []worm
	at     []place // by worm
	gone   []int   // worms that have left the network
	holder []int   // by VC: 1 + the worm that holds it
	steps  []retreatStep
	failed map[string]bool // states from which the search did not reach the empty network
}

// hold sets the holder of the VCs of worm i. If by is 0, it frees the VCs.
func (r *retreat) hold(i, by int) {
	for _, v := range r.vcs(i, r.at[i]) {
		r.holder[v] = by
	}
}

// vcs returns the VCs of a place of worm i.
func (r *retreat) vcs(i int, p place) []model.VCID {
	if p.paths == nil {
		return r.worms[i].held
	}
	return p.paths.vcs(int(p.at))
}

// stepsBack returns the steps back from a place of worm i.
func (r *retreat) stepsBack(i int, p place) (list []retreatStep) {
	ends := []place{p}
	if p.paths == nil {
		ends = nil
		for _, v := range r.worms[i].variants {
			if q := r.paths(v.dest, len(r.worms[i].held)); q != nil {
				ends = append(ends, place{q, q.number[v.at]})
			}
		}
	}
	for _, e := range ends {
		if e.paths.from[e.at] < 0 {
			list = append(list, retreatStep{worm: i, after: e})
		}
		for _, b := range e.paths.before[e.at] {
			list = append(list, retreatStep{i, place{e.paths, b}, e})
		}
	}
	return list
}

// isFree reports whether no worm except i holds a VC of place p.
func (r *retreat) isFree(i int, p place) bool {
	return p.paths == nil || !slices.ContainsFunc(r.vcs(i, p), func(v model.VCID) bool { return r.holder[v] != 0 && r.holder[v] != i+1 })
}

// search reports whether all worms can leave the network. It records their moves in r.steps.
func (r *retreat) search() bool {
	r.leaveFreely()
	if len(r.gone) == len(r.worms) {
		return true
	}
	key := r.key()
	if r.failed[key] || len(r.failed) >= maxRetreats {
		return false
	}
	r.failed[key] = true // if the search succeeds, the entry is never used
	steps, at, gone := len(r.steps), slices.Clone(r.at), len(r.gone)
	for i := range r.worms {
		if slices.Contains(r.gone, i) {
			continue
		}
		for _, b := range r.stepsBack(i, at[i]) {
			if !r.isFree(i, b.place) {
				continue
			}
			if r.apply(b); r.search() {
				return true
			}
			r.restore(steps, at, gone)
		}
	}
	return false
}

// key returns the places of the worms as a map key.
func (r *retreat) key() string {
	key := make([]byte, 0, 16*len(r.at))
	for i, p := range r.at {
		if slices.Contains(r.gone, i) {
			key = append(key, 0)
			continue
		}
		key = append(key, 1)
		for _, v := range r.vcs(i, p) {
			key = binary.LittleEndian.AppendUint32(key, uint32(v))
		}
		if p.paths != nil {
			key = binary.LittleEndian.AppendUint32(key, uint32(p.paths.space.Dest))
			key = binary.LittleEndian.AppendUint32(key, uint32(p.at))
		}
	}
	return string(key)
}

// restore returns to an earlier state of the search.
func (r *retreat) restore(steps int, at []place, gone int) {
	clear(r.holder)
	r.steps, r.gone = r.steps[:steps], r.gone[:gone]
	copy(r.at, at)
	for i := range r.worms {
		if !slices.Contains(r.gone, i) {
			r.hold(i, i+1)
		}
	}
}

// apply applies a step back.
func (r *retreat) apply(b retreatStep) {
	r.hold(b.worm, 0)
	r.steps = append(r.steps, b)
	if r.at[b.worm] = b.place; b.place.paths == nil {
		r.gone = append(r.gone, b.worm)
		return
	}
	r.hold(b.worm, b.worm+1)
}

// leaveFreely removes worms that can leave while the others stay, until none can.
func (r *retreat) leaveFreely() {
	for more := true; more; {
		more = false
		for i := range r.worms {
			if slices.Contains(r.gone, i) {
				continue
			}
			for _, b := range r.stepsToLeave(i) {
				r.apply(b)
				more = true
			}
		}
	}
}

// stepsToLeave returns the fewest steps by which worm i leaves while the others stay, or nil.
func (r *retreat) stepsToLeave(i int) (steps []retreatStep) {
	list, from := []retreatStep{{place: r.at[i]}}, []int{-1}
	seen := map[place]bool{r.at[i]: true}
	for k := 0; k < len(list); k++ {
		for _, b := range r.stepsBack(i, list[k].place) {
			if b.place.paths != nil && (seen[b.place] || !r.isFree(i, b.place)) {
				continue
			}
			seen[b.place] = true
			list, from = append(list, b), append(from, k)
			if b.place.paths != nil {
				continue
			}
			for at := len(list) - 1; at > 0; at = from[at] {
				steps = append(steps, list[at])
			}
			slices.Reverse(steps)
			return steps
		}
	}
	return nil
}

// packet returns the packet of worm i, with the path of its steps.
func (r *retreat) packet(i int) *cdg.Packet {
	p := &cdg.Packet{}
	for _, b := range slices.Backward(r.steps) {
		if b.worm == i {
			x := b.after.paths
			p.Path = append(p.Path, x.space.States[x.windows[b.after.at][0]])
			p.Dest = x.space.Dest
		}
	}
	first, _ := r.relation.Network().Channel(p.Path[0].VC)
	p.Source = r.relation.Network().HostOf(first)
	return p
}
