package model

import (
	"iter"
	"math/bits"
	"slices"
)

// Turn is an ordered pair of switch-to-switch VCs. Out leaves the switch that In enters. A turn
// back over the same cable is a U-turn.
type Turn struct {
	In, Out VCID
}

// IsUTurn reports whether both VCs of t belong to the same cable.
func (t Turn) IsUTurn(n *Network) bool {
	in, _ := n.Channel(t.In)
	out, _ := n.Channel(t.Out)
	return n.Reverse(in) == out
}

// TurnSet is a set of turns of one network, stored as bits. Memory: one bit per turn of the
// network, rounded up to 64 bits per VC.
type TurnSet struct {
	net   *Network
	start []int // by VC, into words
	words []uint64
}

// NewTurnSet returns an empty set of turns of n.
func NewTurnSet(n *Network) *TurnSet {
	s := &TurnSet{net: n, start: make([]int, n.NumLinkVCs()+1)}
	for v := range VCID(n.NumLinkVCs()) {
		c, _ := n.Channel(v)
		width := len(n.Out(n.Head(c))) * n.VCs()
		s.start[v+1] = s.start[v] + (width+63)/64
	}
	s.words = make([]uint64, s.start[n.NumLinkVCs()])
	return s
}

// Network returns the network that the turns belong to.
func (s *TurnSet) Network() *Network { return s.net }

func (s *TurnSet) bit(t Turn) (*uint64, uint64) {
	c, i := s.net.Channel(t.Out)
	at := s.net.OutIndex(c)*s.net.VCs() + i
	return &s.words[s.start[t.In]+at/64], 1 << (at % 64)
}

// Add adds t to the set.
func (s *TurnSet) Add(t Turn) { w, b := s.bit(t); *w |= b }

// Remove removes t from the set.
func (s *TurnSet) Remove(t Turn) { w, b := s.bit(t); *w &^= b }

// Has reports whether t is in the set.
func (s *TurnSet) Has(t Turn) bool { w, b := s.bit(t); return *w&b != 0 }

// Equal reports whether s and t hold the same turns. Both must belong to the same network.
func (s *TurnSet) Equal(t *TurnSet) bool { return slices.Equal(s.words, t.words) }

// Difference returns the number of turns that are in one of s and t only. Both must be of the same network.
func (s *TurnSet) Difference(t *TurnSet) (k int) {
	for i, w := range s.words {
		k += bits.OnesCount64(w ^ t.words[i])
	}
	return k
}

// Len returns the number of turns in the set. Cost: O(turns/64).
func (s *TurnSet) Len() int {
	k := 0
	for _, w := range s.words {
		k += bits.OnesCount64(w)
	}
	return k
}

// All yields the turns of the set, ascending by VC in, then by port and VC out.
func (s *TurnSet) All() iter.Seq[Turn] {
	return func(yield func(Turn) bool) {
		for v := range VCID(s.net.NumLinkVCs()) {
			c, _ := s.net.Channel(v)
			out := s.net.Out(s.net.Head(c))
			for i, w := range s.words[s.start[v]:s.start[v+1]] {
				for ; w != 0; w &= w - 1 {
					at := 64*i + bits.TrailingZeros64(w)
					if !yield(Turn{v, s.net.VC(out[at/s.net.VCs()], at%s.net.VCs())}) {
						return
					}
				}
			}
		}
	}
}

// Turns yields all turns of network n in the order of TurnSet.All. It yields U-turns only if
// uTurns is set.
func Turns(n *Network, uTurns bool) iter.Seq[Turn] {
	return func(yield func(Turn) bool) {
		for v := range VCID(n.NumLinkVCs()) {
			c, _ := n.Channel(v)
			for _, o := range n.Out(n.Head(c)) {
				if n.Kind(o) != SwitchToSwitch || o == n.Reverse(c) && !uTurns {
					continue
				}
				for i := range n.VCs() {
					if !yield(Turn{v, n.VC(o, i)}) {
						return
					}
				}
			}
		}
	}
}

// Complement returns the turns that are not in the set, without U-turns.
func (s *TurnSet) Complement() *TurnSet {
	c := NewTurnSet(s.net)
	for t := range Turns(s.net, false) {
		if !s.Has(t) {
			c.Add(t)
		}
	}
	return c
}

// Clone returns a copy of the set.
func (s *TurnSet) Clone() *TurnSet {
	c := *s
	c.words = append([]uint64(nil), s.words...)
	return &c
}
