package gates

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file finds moves that the search over all states (search.go) makes at once, without trying others.
//
// Let a flit follow its head onto VC v, and let no gate of another VC see a bit that this sets. Take a run to a deadlock
// in which a flit leaves this place later. Make that move first. All other moves stay possible: until that
// flit comes, no packet enters v and v only loses flits, so its bit is not set either. If no flit leaves the place in the
// run, a gate stops it for ever. So the search has two successors: the flit follows, or all flits stay at this place.

// mayFollow reports whether a flit of packet y may follow from place j, and it is not decided that none does.
func (x *search) mayFollow(y *movingPacket, j int) bool {
	return y.flits[j] < stopped && x.follows(y, j)
}

// mayStop reports whether a gate may stop the flits of packet y at place j for ever.
func (x *search) mayStop(y *movingPacket, j int) bool {
	v, w := y.vcs[j], y.vcs[j+1]
	return x.sizes.Rule.Unit == gate.Flit && x.gates.Has(x.channel(v), w) && x.rounds.closed[w] && (!x.subject.n.IsLinkVC(v) || x.rounds.taken[v])
}

// findHarmless returns a flit that can follow its head and sets no bit. It can do so at once in each run in which it
// ever does. If there is none, p is -1.
func (x *search) findHarmless() (p, j int) {
	for p := range x.packets {
		y := &x.packets[p]
		for j := range len(y.vcs) - 1 {
			if v := y.vcs[j+1]; x.mayFollow(y, j) && (!x.subject.n.IsLinkVC(v) || !x.seenBy[v] || x.sizes.Rule.Buffer == gate.Reserved ||
				x.sizes.Buffer-x.taken[v]-1 > x.sizes.Rule.Level) {
				return p, j
			}
		}
	}
	return -1, 0
}

// seenByGates returns by VC whether some gate looks at its bit.
func (g *subject) seenByGates(s *stateSets) []bool {
	seen := make([]bool, g.size)
	for i, st := range s.states {
		in, _ := g.n.Channel(st.VC)
		for _, h := range s.hops[s.first[i]:s.first[i+1]] {
			if !g.gates.Has(in, h.VC) {
				continue
			}
			c, index := g.n.Channel(h.VC)
			for k := 0; k < len(g.gates.Weights) && c != model.NoChannel; k++ {
				for other := range g.n.VCs() {
					v := g.n.VC(c, other)
					if v != h.VC && g.gates.Weights[k] > 0 && (other == index || g.vcs != gate.Own) {
						seen[v] = true
					}
				}
				c = g.gates.Ahead(c)
			}
		}
	}
	return seen
}
