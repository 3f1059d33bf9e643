package route

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file implements turn models: relations on a mesh that restrict directions but not VCs.

// turnModel permits all VCs of the directions that choose returns.
type turnModel struct {
	*lattice
	// choose returns the set of directions that are permitted from p.
	choose func(g *lattice, p place) dirSet
	// prefer has all directions, the preferred one first.
	prefer []dir
	// anyInput says that choose looks at the switches of place only.
	anyInput bool
	// mirrors are the dimensions in which the reflection of the mesh reflects what choose returns.
	mirrors []int
}

// dirSet has bit a for direction a.
type dirSet uint64

func set(list ...dir) (s dirSet) {
	for _, a := range list {
		if a >= 0 {
			s |= 1 << a
		}
	}
	return s
}

// group: choose may look at the direction in which a packet arrives.
func (m *turnModel) group(in model.ChannelID, _ int) int {
	from := noDir
	if m.net.Kind(in) == model.SwitchToSwitch && !m.anyInput {
		from = m.dirOf(in)
	}
	return int(m.net.Head(in))*(2*m.dims+1) + int(from) + 1
}

// keeps accepts the reflection of one of the dimensions mirrors.
func (m *turnModel) keeps(a *model.Automorphism) bool {
	return slices.ContainsFunc(m.mirrors, func(d int) bool { return m.reflects(a, d) })
}

// reflects reports whether a reverses the channels of dimension d, and no other channel.
func (m *turnModel) reflects(a *model.Automorphism, d int) bool {
	for c := range model.ChannelID(m.net.NumLinkChannels()) {
		want := m.dirOf(c)
		if want.dim() == d {
			want ^= 1
		}
		if m.dirOf(a.Channel(c)) != want {
			return false
		}
	}
	return true
}

func (m *turnModel) next(p place, buf []model.Hop) []model.Hop {
	s, vcs := m.choose(m.lattice, p), all(m.net)
	for _, a := range m.prefer {
		if s>>a&1 == 1 {
			buf = hop(m.net, m.out(p.u, a), vcs, p.class, buf)
		}
	}
	return buf
}

// newTurnModel returns the relation of m. The hops of a state are in the order of prefer, by default in that of the
// dimensions.
func newTurnModel(m turnModel) model.Relation {
	if m.prefer == nil {
		for a := range dir(2 * m.dims) {
			m.prefer = append(m.prefer, a)
		}
	}
	return &relation{rule: &m, net: m.net}
}
