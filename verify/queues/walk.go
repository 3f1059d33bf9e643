package queues

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
)

// This file makes random runs. Packets stay in a region, and choose their destinations as late as possible: a packet has all
// trails that its path so far permits.

// walk is a random run in a region.
type walk struct {
	*run
	*region
	vcs    []model.VCID // of the region, or those in it
	starts []start
	random *rand.Rand
	enter  float64 // probability that the next packet to move is a new one
	whole  bool    // packets enter only if all of their flits fit into the first VC, or if it is empty
	work   int     // VCs and packets that were looked at
	slow   []bool  // by index of a VC in the region: packets there move only if no others can
}

// mostKept is the number of VCs for each of which a walk removes a packet when no packet can move.
const mostKept = 50

// newWalk returns the empty network.
func newWalk(r *run, g *region, random *rand.Rand) *walk {
	w := &walk{run: r, region: g, vcs: g.vcs, starts: g.starts, random: random, enter: random.Float64(), whole: random.IntN(3) > 0}
	if g.direct > 0 && random.IntN(4) > 0 {
		w.vcs, w.starts = g.vcs[:g.inside], g.starts[:g.direct]
	}
	w.slow = make([]bool, len(w.vcs))
	share := 0.3 * float64(random.IntN(3))
	for i := range w.slow {
		w.slow[i] = random.Float64() < share
	}
	return w
}

// search moves packets until some block each other, and returns these, or nil if this takes more than some work.
func (w *walk) search(most int) *blockade {
	for w.work < most {
		enters := w.random.Float64() < w.enter
		if enters && w.enterOne() || w.moveOne(false) || !enters && w.enterOne() || w.moveOne(true) {
			continue
		}
		b := w.blocked()
		if w.work += 2 * b.looked; len(b.packets) > 0 {
			return b
		}
		for range 1 + len(w.vcs)/mostKept {
			if !w.removeOne() {
				return nil
			}
		}
	}
	return nil
}

// enterOne lets a random packet enter the network, and reports whether one can.
func (w *walk) enterOne() bool {
	first := w.random.IntN(len(w.starts))
	for i := range w.starts {
		w.work++
		s := &w.starts[(first+i)%len(w.starts)]
		if w.sending[s.source] == nil && w.canTake(s.to) && (!w.whole || w.size(s.to)-w.used[s.to] >= min(w.Packet, w.size(s.to))) {
			w.give(w.create(s.source, s.inject, s.trails), s.to)
			return true
		}
	}
	return false
}

// moveOne gives a random packet on a slow VC, or on another one, its next VC. It reports whether there is such a packet.
func (w *walk) moveOne(slow bool) bool {
	first := w.random.IntN(len(w.vcs))
	for i := range w.vcs {
		w.work++
		at := (first + i) % len(w.vcs)
		if w.slow[at] != slow {
			continue
		}
		if p := w.head(w.vcs[at]); p != nil {
			if to := w.choose(p.trails); to != model.NoVC {
				w.advance(p, to)
				return true
			}
		}
	}
	return false
}

// choose returns a next VC of a trail that can take a packet, or NoVC.
func (w *walk) choose(trails []*trail) model.VCID {
	first := w.random.IntN(len(trails))
	for i := range trails {
		t := trails[(first+i)%len(trails)]
		if len(t.hops) == 0 {
			continue
		}
		from := w.random.IntN(len(t.hops))
		for k := range t.hops {
			w.work++
			if to := t.hops[(from+k)%len(t.hops)]; w.permits(t.node, to) && w.canTake(to.VC) {
				return to.VC
			}
		}
	}
	return model.NoVC
}

// advance gives packet p its next VC, and keeps the trails that lead there.
func (w *walk) advance(p *packet, to model.VCID) {
	var list []*trail
	count := 0
	for _, t := range p.trails {
		for _, n := range t.hops {
			if n.VC != to || !w.permits(t.node, n) {
				continue
			}
			if count++; len(list) < mostTrails {
				list = append(list, &trail{n, t})
			} else if i := w.random.IntN(count); i < mostTrails {
				list[i] = &trail{n, t}
			}
		}
	}
	p.trails = list
	w.give(p, to)
}

// removeOne removes a random packet whose head is at the front of its VC.
func (w *walk) removeOne() bool {
	first := w.random.IntN(len(w.vcs))
	for i := range w.vcs {
		if p := w.head(w.vcs[(first+i)%len(w.vcs)]); p != nil {
			w.remove(p)
			return true
		}
	}
	return false
}
