package gates

import (
	"testing"

	"github.com/turnproof/turnproof/verify/cert"
)

// TestEarlyMoves checks that a flit follows its head before all other moves only if no gate of another VC sees its bit set
// afterwards.
func TestEarlyMoves(t *testing.T) {
	r := fabric(t, 1, 2)
	for _, reserved := range []bool{false, true} {
		for level := range 5 {
			for flits := range 5 {
				g := &gated{Routing: r, vcs: 1, Gates: &cert.Gates{Packet: 2, Buffer: 5, Level: level, Reserved: reserved}}
				x := &survey{gated: g, watch: []bool{true, false, true, true}}
				c := &census{flits: []int{flits, 5, 5, 5, 0, 0, 0, 0}}
				free := 5 - flits - 1
				if want := reserved || free > level; x.isEarly(c, 0) != want {
					t.Errorf("reserved %v, level %d, %d flits before: early %v, want %v", reserved, level, flits, !want, want)
				}
				if !x.isEarly(c, 1) || !x.isEarly(c, g.Ejection(1)) {
					t.Error("a flit does not enter a VC early that no gate sees")
				}
			}
		}
	}
}

// TestEmptyVCs checks in which round a gate opens for a packet that has passed some of the VCs that it looks at. Their bits
// do not count, those of other VCs do.
func TestEmptyVCs(t *testing.T) {
	r := fabric(t, 2, 3)
	for _, c := range []struct {
		vcs    string
		passed []int32
		want   int32
	}{{"own", nil, never}, {"own", []int32{0}, never}, {"own", []int32{0, 2}, 8}, {"own", []int32{0, 2, 4}, 0}, {"own", []int32{1, 3, 5}, never},
		{"any", []int32{0, 2, 4}, 8}, {"any", []int32{0, 1, 2, 3, 4, 5}, 0}, {"all", []int32{0, 3, 4}, 0}, {"all", []int32{0, 4}, 6}} {
		g := &gated{Routing: r, vcs: 2, least: map[passer]int32{}, clear: []int32{never, 3, never, 5, 7, 7},
			Gates: &cert.Gates{Packet: 2, Buffer: 4, VCs: c.vcs, Weights: []int64{1, 1, 1}, Ahead: cert.Ints{1, 2, -1}}}
		p := passer{gate: 0}
		for _, v := range c.passed {
			p.been |= g.bits(0, v)
		}
		if got := g.openRound(p); got != c.want {
			t.Errorf("bits of %s VCs, VCs %v passed: the gate opens in round %d, want %d", c.vcs, c.passed, got, c.want)
		}
	}
}
