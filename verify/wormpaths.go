package verify

import (
	"iter"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file enumerates the places that a worm can reach alone.
//
// A worm that needs k VCs lies on the last k VCs of its path, or on all of them if the path
// is shorter. A VC holds flits of one packet at a time. So the head cannot enter a VC that
// is one of the k VCs before it on the path. Therefore the places of worms are the
// windows of up to k states that such steps lead to.
//
// Cost: the windows of one destination, up to reachable states × hops^(k-1).

// window holds indices of Space.States: the states that a worm lies on, the head first, then -1.
type window [maxWorm]int32

// wormPaths are the windows of worms to one destination, in breadth-first order.
type wormPaths struct {
	network *model.Network
	space   *cdg.Space
	length  int
	windows []window
	from    []int32   // by window: the window that it was first reached from, or -1 at injection
	before  [][]int32 // by window: all windows that it is reached from
	number  map[window]int32
}

// newWormPaths returns wormPaths without windows, for worms that need length VCs. Method
// enumerate adds the windows.
func newWormPaths(n *model.Network, s *cdg.Space, length int) *wormPaths {
	return &wormPaths{network: n, space: s, length: length, number: map[window]int32{}}
}

// enumerate yields the number of each window, starting at injection.
func (p *wormPaths) enumerate() iter.Seq[int] {
	return func(yield func(int) bool) {
		push := func(w window, from int32) {
			i, known := p.number[w]
			if !known {
				i = int32(len(p.windows))
				p.number[w] = i
				p.windows, p.from, p.before = append(p.windows, w), append(p.from, from), append(p.before, nil)
			}
			if from >= 0 {
				p.before[i] = append(p.before[i], from)
			}
		}
		for i, from := range p.space.From {
			if from < 0 {
				push(window{}.enter(int32(i), 0), -1)
			}
		}
		for at := 0; at < len(p.windows); at++ {
			if !yield(at) {
				return
			}
			w := p.windows[at]
			_, next := p.space.HopsOf(int(w[0]))
			for _, j := range next {
				if j >= 0 && !p.occupies(w, j) {
					push(w.enter(j, p.length), int32(at))
				}
			}
		}
	}
}

// enter returns the window after the head of w has entered state i. At most length-1 states
// of w stay.
func (w window) enter(i int32, length int) (after window) {
	for k := range after {
		after[k] = -1
	}
	copy(after[1:max(length, 1)], w[:])
	after[0] = i
	return after
}

// occupies reports whether a worm in window w lies on the VC of state i.
func (p *wormPaths) occupies(w window, i int32) bool {
	return slices.ContainsFunc(w[:], func(j int32) bool {
		return j >= 0 && p.space.States[j].VC == p.space.States[i].VC
	})
}

// wormsIn yields the worms in window at, without their packets: one worm, or one for each
// choice if the packet commits to a next hop. If a packet does not wait there, or does not lie on
// length VCs between switches, it yields nothing.
func (p *wormPaths) wormsIn(at int, commits func(model.State) bool) iter.Seq[worm] {
	return func(yield func(worm) bool) {
		w := p.windows[at]
		if p.length > 1 && w[p.length-1] < 0 || !p.network.IsLinkVC(p.space.States[w[p.length-1]].VC) {
			return
		}
		var held []model.VCID
		for _, i := range slices.Backward(w[:p.length]) {
			held = append(held, p.space.States[i].VC)
		}
		for next, chosen := range waitsOf(p.space, int(w[0]), commits, new([]model.VCID)) {
			if !yield(worm{held: held, next: slices.Clone(next), chosen: chosen}) {
				return
			}
		}
	}
}

// vcs returns the VCs of a window, the head first.
func (p *wormPaths) vcs(at int) (list []model.VCID) {
	for _, i := range p.windows[at] {
		if i >= 0 {
			list = append(list, p.space.States[i].VC)
		}
	}
	return list
}
