package cert_test

import (
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// TestWormInItsTail: a worm cannot enter a VC that its own flits hold. The same path is fine for
// a worm that holds fewer VCs.
func TestWormInItsTail(t *testing.T) {
	for _, c := range []struct {
		vcs  []int32
		k    int
		want string
	}{
		{[]int32{9, 1, 2, 1, 2}, 2, "packet 0 enters VC 1, which its own flits hold: it was there 2 VCs before, and it holds 2"},
		{[]int32{9, 1, 2, 3, 1}, 3, "packet 0 enters VC 1, which its own flits hold: it was there 3 VCs before, and it holds 3"},
		{[]int32{9, 1, 2, 3, 1}, 2, ""},
		{[]int32{9, 1, 2, 9}, 3, "packet 0 enters VC 9, which its own flits hold: it was there 3 VCs before, and it holds 3"},
		{[]int32{9, 1, 2, 3, 4}, 4, ""},
	} {
		p := Packet{}
		for class, v := range c.vcs {
			p.Path = append(p.Path, v, int32(class)) // classes make no difference
		}
		got := ""
		if err := Enterable(ClaimDeadlockFree, 0, &p, c.k); err != nil {
			got = err.Error()
		}
		if !strings.HasSuffix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%v, %d held: %q, want %q", c.vcs, c.k, got, c.want)
		}
	}
}
