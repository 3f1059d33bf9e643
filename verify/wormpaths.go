package verify

import (
	"iter"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file enumerates the places to which a worm can get alone.
//
// A worm whose flits need k VCs lies on the last k VCs of its path, or on all of them while
// there are fewer: its tail can leave a VC only when k VCs are left. A VC holds flits of one
// packet at a time. So the head may enter a VC only if it is none of the k VCs before it on the
// path. The places of worms are therefore the windows of up to k states that such steps lead to.
//
// Cost: the windows of one destination: up to reachable states × hops^(k-1).

// window holds places in Space.States: those that a worm lies on, its head first, and -1 for the
// rest.
type window [maxWorm]int32

// wormPaths are the windows of worms to one destination, breadth first.
type wormPaths struct {
	network *model.Network
	space   *cdg.Space
	length  int
	windows []window
	from    []int32   // by window: the one that it was first reached from, or -1 if worms begin in it
	before  [][]int32 // by window: all that it is reached from
	number  map[window]int32
}

// newWormPaths returns the windows of worms that need length VCs; all enumerates them.
func newWormPaths(n *model.Network, s *cdg.Space, length int) *wormPaths {
	return &wormPaths{network: n, space: s, length: length, number: map[window]int32{}}
}

// all yields the number of each window, from injection on.
func (p *wormPaths) all() iter.Seq[int] {
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
				if j >= 0 && !p.lies(w, j) {
					push(w.enter(j, p.length), int32(at))
				}
			}
		}
	}
}

// enter returns the window after the head of w has entered state i; at most length-1 states of w
// stay.
func (w window) enter(i int32, length int) (after window) {
	for k := range after {
		after[k] = -1
	}
	copy(after[1:max(length, 1)], w[:])
	after[0] = i
	return after
}

// lies reports whether a worm in window w lies on the VC of state i.
func (p *wormPaths) lies(w window, i int32) bool {
	return slices.ContainsFunc(w[:], func(j int32) bool {
		return j >= 0 && p.space.States[j].VC == p.space.States[i].VC
	})
}

// worms yields the worms in a window, without their packets: one, or one for each choice where a
// packet commits to a next hop. There are none if a packet does not wait there or does not lie
// on length VCs between switches.
func (p *wormPaths) worms(at int, commits func(model.State) bool) iter.Seq[worm] {
	return func(yield func(worm) bool) {
		w := p.windows[at]
		if p.length > 1 && w[p.length-1] < 0 || !p.network.IsLinkVC(p.space.States[w[p.length-1]].VC) {
			return
		}
		var held []model.VCID
		for _, i := range slices.Backward(w[:p.length]) {
			held = append(held, p.space.States[i].VC)
		}
		for next, chosen := range waitsOf(p.space, int(w[0]), commits) {
			if !yield(worm{held: held, next: next, chosen: chosen}) {
				return
			}
		}
	}
}

// vcs lists the VCs of a window, that of the head first.
func (p *wormPaths) vcs(at int) (list []model.VCID) {
	for _, i := range p.windows[at] {
		if i >= 0 {
			list = append(list, p.space.States[i].VC)
		}
	}
	return list
}
