package parametric

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
)

// twoOrders returns a program for meshes. Its packets go x first in state 0 and y first in state
// 1, on one VC or on two.
func twoOrders(inject, vc string) string {
	return `family = mesh(n, m)
vcs = 2
states = 2
def inject(src, dst):
    ` + inject + `
def route(cur, dst, inp, state):
    x, y = towards(cur, dst, 0), towards(cur, dst, 1)
    if state == 0:
        return [(x if x != None else y, 0)]
    return [(y if y != None else x, ` + vc + `)]
`
}

// TestStarts: a claim covers every state that a source can draw, and no other.
func TestStarts(t *testing.T) {
	needZ3(t)
	slow := map[string]bool{"not on symbols": true, "none at 500": true, "none near": true, "both on one VC": true, "none at 20": true, "by place": true}
	for _, c := range []struct{ name, text, want string }{
		{"both on VCs of their own", twoOrders("return [0, 1]", "1"), "proved proved proved"},
		{"both on one VC", twoOrders("return [0, 1]", "0"), "refuted undecided undecided"},
		{"one on one VC", twoOrders("return [1]", "0"), "proved proved proved"},
		{"by weight", twoOrders("return [(0, 1), (1, 999)]", "0"), "refuted undecided undecided"},
		{"by place", twoOrders("return [0] if src.x < dst.x else [1]", "1"), "proved proved proved"},
		{"none near", twoOrders("return [] if src.x == 1 else [0]", "1"), "undecided refuted undecided"},
		{"none at 20", twoOrders("return [] if src.x > 20 else [0]", "1"), "undecided refuted undecided"},
		{"none at 500", twoOrders("return [] if src.x > 500 else [0]", "1"), "proved undecided proved"},
		{"not on symbols", twoOrders("return [x % 2 for x in range(src.x + 1)]", "1"), "proved undecided proved"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if slow[c.name] && !long() {
				t.Skip("TURNPROOF_LONG is not set; the other cases have the same verdicts")
			}
			if got := verdicts(t, c.text); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// passing returns a program for lines whose packets go to an end of the line and come back, with
// the given outputs at the switch of the destination.
func passing(end, deliver string) string {
	return `family = line(n)
vcs = 2
states = 2
def inject(src, dst):
    return [0, 1]
def route(cur, dst, inp, state):
    if state == 1 and inp.vc == 0 and cur.x < ` + end + `:
        return [(E, 0)]
    if cur == dst:
        return ` + deliver + `
    return [(towards(cur, dst, 0), 1)]
`
}

// TestPassing: packets that pass through their destination's switch are followed until the program
// delivers them.
func TestPassing(t *testing.T) {
	needZ3(t)
	slow := map[string]bool{"elsewhere": true, "kept far off": true, "back and forth": true}
	for _, c := range []struct{ name, text, want string }{
		{"delivered", passing("n - 1", "[EJECT]"), "proved proved proved"},
		{"kept", passing("n - 1", "[] if n > 0 else [EJECT]"), "undecided refuted undecided"},
		{"kept far off", passing("n - 1", "[EJECT] if cur.x < 500 else []"), "proved undecided proved"},
		{"over the edge", passing("n", "[EJECT]"), "undecided refuted undecided"},
		{"elsewhere", strings.Replace(passing("n - 1", "[EJECT]"), "if cur == dst", "if cur == dst or cur.x > 500", 1), "proved undecided proved"},
		{"back and forth", strings.Replace(passing("n - 1", "[EJECT]"), "state == 1 and inp.vc == 0", "inp.dir != W and inp.vc == 0", 1), "proved proved proved"},
		{"round again", passing("n - 1", "[(W, 0)] if cur.x > 0 else [EJECT]"), "refuted refuted refuted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if slow[c.name] && !long() {
				t.Skip("TURNPROOF_LONG is not set; TestPartlyProved has claims that stay undecided")
			}
			if got := verdicts(t, c.text); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// verdicts proves a program and returns the verdicts of the three claims.
func verdicts(t *testing.T, text string) string {
	t.Helper()
	p, err := program.Parse("p.star", text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Prove(t.Context(), p, Options{Switching: model.CutThrough})
	if err != nil {
		t.Fatal(err)
	}
	list := make([]any, len(r.Claims))
	for i, c := range r.Claims {
		list[i] = c.Verdict
	}
	return strings.TrimSpace(fmt.Sprintln(list...))
}
