package local

import (
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// variants are programs of the theorems with one change that makes them wrong, and the smallest network of the family on which the
// change shows.
var variants = []struct {
	name, from, to string
	claim          int // 0 deadlock-free, 1 connected, 2 livelock-free
	on             string
}{
	// One VC less.
	{"dragonfly-valiant", "else inp.vc + 1", "else min(1, inp.vc + 1)", 0, "dragonfly:a=2,h=1"},
	{"dragonfly-par", "else 3, 2", "else 2, 2", 0, "dragonfly:a=2,h=1"},
	{"dragonfly-ugal-intra", "vc = inp.vc + 1 if", "vc = min(1, inp.vc + 1) if", 0, "dragonfly:a=2,h=1"},
	{"dragonfly-ugal-hops", "vc = inp.vc + 1 if", "vc = (inp.vc + 1) % 5 if", 0, "dragonfly:a=3,h=1"},
	{"dragonfly-par-hops", "vc = inp.vc + 1 if", "vc = (inp.vc + 1) % 6 if", 0, "dragonfly:a=3,h=1"},
	{"valiant-hops", "vc = inp.vc + 1 if", "vc = min(2, inp.vc + 1) if", 0, "slimfly:3"},
	{"slimfly-minimal", "1 if inp.port else 0", "0", 0, "ring:5"},
	{"hyperx-valiant", "(s, 1, 1, None)", "(s, 0, 1, None)", 0, "hyperx:3x2"},
	// The same if packets wait for all hops; the local hop of the intermediate group, or the last one, has the VC of the source's group.
	{"dragonfly-par-3vcs", "[(s, 1, 4 if state == 3", "[(s, 0, 4 if state == 3", 0, "dragonfly:a=2,h=1"},
	{"dragonfly-par-3vcs", "0 if state == 0 else 2, 6", "0, 6", 0, "dragonfly:a=2,h=1"},
	// The VC does not rise on the second local hop of the source's group. This is wrong if packets wait for one chosen hop only.
	{"dragonfly-par", "(s, 1 if s.group", "(s, 0 if s.group", 0, "dragonfly:a=3,h=1"},
	// The VC is the number of global hops, as in the original paper, and packets within a group go by another switch (issue 325).
	{"dragonfly-ugal-intra", "vc = inp.vc + 1 if inp.port else 0", "vc = 0 if inp.prev == None else inp.vc if inp.prev.group == cur.group else inp.vc + 1",
		0, "dragonfly:a=3,h=1"},
	// A packet of PAR that has changed its mind forgets the intermediate group and changes its mind again.
	{"dragonfly-par", "else 0, 1, v)", "else 0, 0, None)", 0, "dragonfly:a=2,h=1"},
	// Half of the pairs of a group have no hop.
	{"dragonfly-valiant", "return [(dst, vc, 1, None)]", "return [(dst, vc, 1, None)] if vc > 0 or cur.id > dst.id else []", 1, "dragonfly:a=2,h=1"},
	// The first way down is that of another leaf; up after down.
	{"d-mod-k", "below(dst, p.to)]", "p.to.low <= dst.low]", 1, "xgft:2x2,up=1x2"},
	{"s-mod-k", "p.to.level > cur.level]\n    return", "p.to.level != cur.level]\n    return", 0, "xgft:2x2,up=1x2"},
	// Hops to all values of x.
	{"hyperx-valiant", "if s.x == to.x and", "if s.x != cur.x and", 2, "hyperx:3x2"},
}

// TestVariants: each variant is refuted on its network. In the long run, also by the search for the smallest network; and nothing is
// proved of the claim if the search looks at networks of up to 3 switches only.
func TestVariants(t *testing.T) {
	for i, c := range variants {
		p := parse(t, c.name, c.from, c.to)
		n, err := topo.Parse(c.on)
		if err != nil {
			t.Fatal(err)
		}
		relation, _, err := p.Relation(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		waiting := model.WaitAny
		if c.to == "(s, 0 if s.group" {
			waiting = model.WaitOne
		}
		r, err := verify.Check(t.Context(), relation, verify.Options{Waiting: waiting, Switching: model.CutThrough, AllStates: true, NoPairs: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Claims()[c.claim]; got.Verdict != verify.Refuted {
			t.Errorf("%s with %q on %s: %s is %s", c.name, c.to, c.on, got.Name, got.Verdict)
		}
		if !longtest.On() {
			continue
		}
		for _, most := range []int{3, mostSwitches} {
			if most == 3 && i%3 != 0 {
				continue // ten seconds
			}
			r, err := Prove(t.Context(), p, Options{Switches: most, Switching: model.Wormhole})
			if err != nil {
				t.Fatalf("%s with %q: %v", c.name, c.to, err)
			}
			got := r.Claims[c.claim]
			if got.Verdict == verify.Proved || most > 3 && waiting == model.WaitAny && got.Verdict != verify.Refuted {
				t.Errorf("%s with %q: %s is %s: %s", c.name, c.to, got.Name, got.Verdict, got.Reason)
			}
			if r.Witness != nil {
				t.Logf("%s with %q: %s, %s", c.name, c.to, verdicts(r), r.Witness.Name)
			}
		}
	}
}
