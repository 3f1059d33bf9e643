package verify

import (
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file searches moves that lead worms from the empty network to their places, all of them
// together. That each gets to its place alone is not enough: L. Schwiebert, SPAA 1997, has routings
// whose cycles are never filled.
//
// The search goes backwards: a worm retreats to a window before its own, and leaves the network from
// the window that it began in, on VCs that the others do not hold. A worm that can leave while
// the others stay leaves first; the others only have more room without it. Where none can, all
// steps back are tried.
//
// Promise: moves that are returned can be made. If none are returned, nothing follows: at most
// maxRetreats states are visited.

const (
	maxRetreats = 2000
	maxWindows  = 1 << 18 // of one destination and length
	maxVariants = 32      // of one worm
)

// place is where a worm is: a window of the worms to a destination. At the end of its path a
// worm can be in one of several places, on the same VCs; paths is nil then.
type place struct {
	paths *wormPaths
	at    int32
}

// retreatStep is a step of a worm, backwards: from a place to the one before, or out of the network
// if that has no paths.
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

// paths returns all windows of worms to d that need length VCs, or nil if there are too many.
func (a *wormArrivals) paths(d model.DestID, length int) *wormPaths {
	key := [2]int{int(d), length}
	if p, ok := a.known[key]; ok {
		return p
	}
	p := newWormPaths(a.relation.Network(), cdg.NewExplorer(a.relation).Explore(d), length)
	for at := range p.all() {
		if at >= maxWindows {
			p = nil
			break
		}
	}
	a.known[key] = p
	return p
}

// of returns the packets of worms with paths on which they get to their places together, and
// reports whether there are such.
func (a *wormArrivals) of(worms []worm) ([]*cdg.Packet, bool) {
	r := &retreat{wormArrivals: a, worms: worms, holder: make([]int, a.relation.Network().NumVCs()), failed: map[string]bool{}}
	for i := range worms {
		r.at = append(r.at, place{nil, int32(i)})
		r.hold(i, i+1)
	}
	if !r.empty() {
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
	failed map[string]bool // states that do not lead back to the empty network
}

// hold makes worm i the holder of the VCs of its place, or frees them if by is 0.
func (r *retreat) hold(i, by int) {
	for _, v := range r.vcs(i, r.at[i]) {
		r.holder[v] = by
	}
}

// vcs lists the VCs of a place of worm i.
func (r *retreat) vcs(i int, p place) []model.VCID {
	if p.paths == nil {
		return r.worms[i].held
	}
	return p.paths.vcs(int(p.at))
}

// before lists the steps back from a place of worm i.
func (r *retreat) before(i int, p place) (list []retreatStep) {
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

// isFree reports whether no worm but i holds a VC of a place.
func (r *retreat) isFree(i int, p place) bool {
	return p.paths == nil || !slices.ContainsFunc(r.vcs(i, p), func(v model.VCID) bool { return r.holder[v] != 0 && r.holder[v] != i+1 })
}

// empty reports whether all worms can leave; the steps are in r.steps then.
func (r *retreat) empty() bool {
	r.leaveFreely()
	if len(r.gone) == len(r.worms) {
		return true
	}
	key := r.key()
	if r.failed[key] || len(r.failed) >= maxRetreats {
		return false
	}
	r.failed[key] = true // if it is not, the search is over
	steps, at, gone := len(r.steps), slices.Clone(r.at), len(r.gone)
	for i := range r.worms {
		if slices.Contains(r.gone, i) {
			continue
		}
		for _, b := range r.before(i, at[i]) {
			if !r.isFree(i, b.place) {
				continue
			}
			if r.move(b); r.empty() {
				return true
			}
			r.restore(steps, at, gone)
		}
	}
	return false
}

// key names the places of the worms.
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

// restore goes back to an earlier state of the search.
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

// move makes a step back.
func (r *retreat) move(b retreatStep) {
	r.hold(b.worm, 0)
	r.steps = append(r.steps, b)
	if r.at[b.worm] = b.place; b.place.paths == nil {
		r.gone = append(r.gone, b.worm)
		return
	}
	r.hold(b.worm, b.worm+1)
}

// leaveFreely lets worms leave that can while the others stay, until none can.
func (r *retreat) leaveFreely() {
	for more := true; more; {
		more = false
		for i := range r.worms {
			if slices.Contains(r.gone, i) {
				continue
			}
			for _, b := range r.leave(i) {
				r.move(b)
				more = true
			}
		}
	}
}

// leave returns the steps by which worm i leaves while the others stay, breadth first, or nil.
func (r *retreat) leave(i int) (steps []retreatStep) {
	list, from := []retreatStep{{place: r.at[i]}}, []int{-1}
	seen := map[place]bool{r.at[i]: true}
	for k := 0; k < len(list); k++ {
		for _, b := range r.before(i, list[k].place) {
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

// packet is the packet of worm i, with the path of the steps.
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
