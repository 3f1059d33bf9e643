package vcrule

import (
	"context"
	"os"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/local"
)

func numberedProgram(t *testing.T, name string) *program.Program {
	t.Helper()
	text, err := os.ReadFile("../../examples/routing-programs/vc-counts/" + name + ".star")
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Parse(name+".star", string(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFindNumbered: dragonflies need 2 VCs for minimal routing and 3 for Valiant (Kim et al., ISCA 2008), 4 for PAR (Jiang et al., ISCA
// 2009). All rules with fewer VCs are refuted.
func TestFindNumbered(t *testing.T) {
	for _, c := range []struct {
		name string
		vcs  int
	}{{"dragonfly-minimal", 2}, {"dragonfly-valiant", 3}, {"dragonfly-intra", 3}, {"dragonfly-par", 4}, {"dragonfly-valiant-switch", 4}, {"dragonfly-par-switch", 5}} {
		if c.vcs > 2 && !longtest.On() {
			continue // 2 to 20 seconds
		}
		found, err := FindNumbered(t.Context(), numberedProgram(t, c.name), Options{Most: c.vcs, Waiting: model.WaitOne})
		if err != nil {
			t.Fatal(err)
		}
		if found.Program == nil || found.Program.VCs != c.vcs || !found.Fewest {
			t.Errorf("%s: %+v; want %d VCs", c.name, found, c.vcs)
		}
		for _, l := range found.Levels[:len(found.Levels)-1] {
			if l.Refuted != l.Rules || l.Largest == "" {
				t.Errorf("%s: %+v", c.name, l)
			}
		}
	}
}

// TestNumberings compares with the Stirling numbers of the second kind.
func TestNumberings(t *testing.T) {
	for n, row := range [][]int{3: {0, 1, 3, 1}, 5: {0, 1, 15, 25, 10, 1}, 7: {0, 1, 63, 301, 350, 140, 21, 1}} {
		for k, want := range row {
			if got := numberings(n, k); k > 0 && len(got) != want {
				t.Errorf("%d numbers with %d VCs: %d rules, want %d", n, k, len(got), want)
			}
		}
	}
}

// TestRulesOnDragonflies judges all rules on dragonflies one by one: what is refuted there is not proved for every network, also if the
// search looks at networks of up to 3 switches only.
func TestRulesOnDragonflies(t *testing.T) {
	names := []string{"dragonfly-minimal"}
	if longtest.On() {
		names = append(names, "dragonfly-valiant")
	}
	proved, refuted := 0, 0
	for _, name := range names {
		p := numberedProgram(t, name)
		for vcs := 1; vcs <= p.VCs; vcs++ {
			for i, rule := range numberings(p.VCs, vcs) {
				if p.VCs > 3 && i%7 != 0 || i%2 != 0 && !longtest.On() {
					continue
				}
				made, err := program.Parse("rule.star", numberedText(p, rule, vcs))
				if err != nil {
					t.Fatal(err)
				}
				r, err := local.Prove(t.Context(), made, local.Options{Switches: 3, Switching: model.Wormhole})
				if err != nil {
					t.Fatal(err)
				}
				wrong := refutedOn(t.Context(), t, made)
				switch {
				case r.Verdict == verify.Proved && wrong != "":
					t.Errorf("%s, rule %d: proved, and refuted on %s", name, rule, wrong)
				case r.Verdict == verify.Proved:
					proved++
				case wrong != "":
					refuted++
				}
			}
		}
	}
	if t.Logf("%d proved, %d refuted", proved, refuted); proved == 0 || refuted == 0 {
		t.Error("the rules are not varied enough")
	}
}

// refutedOn returns a dragonfly on which a claim of the program is refuted, or nothing.
func refutedOn(ctx context.Context, t *testing.T, p *program.Program) string {
	for _, spec := range []string{"dragonfly:a=2,h=1", "dragonfly:a=2,h=2,arrangement=palmtree", "dragonfly:a=3,h=1,arrangement=circulant", "dragonfly:a=3,h=1"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		relation, _, err := p.Relation(ctx, n)
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Check(ctx, relation, verify.Options{Waiting: model.WaitOne, AllStates: true, NoPairs: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Claims() {
			if c.Verdict == verify.Refuted {
				return spec
			}
		}
	}
	return ""
}
