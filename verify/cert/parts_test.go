package cert

import (
	"strings"
	"testing"
)

// Parts that certificates of this package's generators do not bring to their ends.

func TestIsProduct(t *testing.T) {
	for _, c := range []struct {
		n, a, b int
		want    bool
	}{
		{0, 0, 0, true}, {0, 3, 0, true}, {0, 0, 3, true}, {3, 3, 0, false}, {3, 0, 3, false}, {3, 0, 0, false},
		{6, 2, 3, true}, {6, 3, 2, true}, {7, 2, 3, false}, {8, 2, 3, false}, {6, 3, 3, false}, {9, 2, 3, false}, {5, 2, 3, false},
		{0, 1 << 62, 4, false}, // whose product does not fit
	} {
		if got := isProduct(c.n, c.a, c.b); got != c.want {
			t.Errorf("%d is %d times %d: %v", c.n, c.a, c.b, got)
		}
	}
}

// TestLocate finds each state on a channel with many, the last of its destination, and none that
// is of another destination.
func TestLocate(t *testing.T) {
	const most = 9
	for many := int32(1); many <= most; many++ {
		r := &relation{network: &network{vcs: 1}, Relation: &Relation{}}
		for range 3 { // destinations; a state is its length, VC, class and no hops
			for class := range many {
				r.from = append(r.from, len(r.States))
				r.States = append(r.States, 3, 0, 2*class, 0)
			}
		}
		r.from = append(r.from, len(r.States))
		for d := range 3 {
			s := &reach{relation: r, lo: d * int(many), hi: (d + 1) * int(many), channel: []int{d * int(many)}}
			for class := range 2 * many {
				want := int(class) / 2
				if class%2 == 1 {
					want = -1
				}
				if got := s.locate(state{0, class}); got != want {
					t.Errorf("%d states, destination %d, class %d: at %d, not %d", many, d, class, got, want)
				}
			}
		}
	}
}

// TestComesOnce: a packet that passes a VC twice is not followed on its way.
func TestComesOnce(t *testing.T) {
	x := &gatedDeadlock{Gates: &Gates{Packet: 3, Buffer: 3}, claim: &Claim{Packets: []Packet{{Path: Ints{5, 0, 6, 0, 5, 0}}}}, flits: [][]int32{{1, 1, 1}}}
	if err := x.comes(0); err == nil || !strings.Contains(err.Error(), "passes VC 5 twice") {
		t.Error(err)
	}
}
