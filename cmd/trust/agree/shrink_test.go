package agree

import (
	"context"
	"strings"
	"testing"
)

// mistaken returns a panel of two judges: the walk, and the walk with its answers changed by mistake.
func mistaken(mistake func(s *subject, a *answers)) []judge {
	return []judge{{"right", func(_ context.Context, s *subject) (answers, error) { return honest(s), nil }},
		{"mistaken", func(_ context.Context, s *subject) (answers, error) {
			a := honest(s)
			mistake(s, &a)
			return a, nil
		}}}
}

func honest(s *subject) answers {
	return answers{acyclic: holds(!cyclic(s.w.dependencies())), connected: holds(s.w.lost == 0), livelockFree: holds(!s.w.loop)}
}

// TestShrinks plants judges that are wrong. The first case that they are wrong about must become
// small with the same disagreement, and must come back from its file.
func TestShrinks(t *testing.T) {
	for _, p := range []struct {
		name                               string
		mistake                            func(s *subject, a *answers)
		kinds                              string // of cases, a part of the name
		switches, links, hosts, dests, vcs int    // at most
	}{
		{"overlooks cycles", func(_ *subject, a *answers) { a[acyclic] = proved }, "adaptive", 3, 3, 4, 4, 1},
		{"overlooks cycles of more than two VCs", func(s *subject, a *answers) {
			if after := s.w.dependencies(); !inTwo(after) {
				a[acyclic] = proved
			}
		}, "table", 4, 4, 4, 4, 1},
		{"overlooks loops", func(_ *subject, a *answers) { a[livelockFree] = proved }, "table", 3, 3, 4, 4, 1},
		{"takes a second class for a lost packet", func(s *subject, a *answers) {
			for _, at := range s.w.at {
				if s.w.c.unexpanded(at).Class == 1 {
					a[connected] = refuted
				}
			}
		}, "adaptive", 3, 3, 4, 4, 1},
		{"overlooks what is dropped for its class", func(s *subject, a *answers) {
			for i, at := range s.w.at {
				if at.Class > 0 && len(s.w.next[i]) == 0 {
					a[connected] = proved
				}
			}
		}, "table", 6, 7, 4, 4, 4},
	} {
		if !isLong() && p.name != "overlooks loops" {
			continue
		}
		panel := mistaken(p.mistake)
		var first *found
		for k := uint64(0); first == nil && k < 3000; k++ {
			c := draw(1, k)
			if !strings.Contains(c.Kind, p.kinds) {
				continue
			}
			j, err := judgeCase(context.Background(), panel, c, k)
			if err != nil {
				t.Fatal(err)
			}
			if j.wrong != nil {
				first = &found{k, c, j.wrong}
			}
		}
		if first == nil {
			t.Errorf("%s: not found", p.name)
			continue
		}
		kept := small(context.Background(), panel, 1, *first)
		c := kept.Case
		if c.Switches > p.switches || len(c.Links) > p.links || len(c.Hosts) > p.hosts || len(c.Dests) > p.dests || c.VCs > p.vcs {
			t.Errorf("%s: left are %v, %d destinations", p.name, c, len(c.Dests))
		}
		folder := t.TempDir()
		if err := kept.write(folder, "planted"); err != nil {
			t.Fatal(err)
		}
		again, err := readKept(folder)
		if err != nil || len(again) != 1 {
			t.Fatal(err, len(again))
		}
		j, err := judgeCase(context.Background(), panel, again["planted"].Case, 0)
		if err != nil || j.wrong == nil || j.wrong.Sort != first.what.Sort {
			t.Errorf("%s: what was kept has %+v, %v", p.name, j.wrong, err)
		}
		t.Logf("%s: %v, from %v", p.name, c, first.c)
	}
}

// TestPanicsAreFound checks that the panic of a judge is a disagreement, which shrinks as others do.
func TestPanicsAreFound(t *testing.T) {
	panel := []judge{{"fragile", func(_ context.Context, s *subject) (a answers, err error) {
		if len(s.w.vcs) > 1 {
			panic("more than one")
		}
		return a, nil
	}}}
	c := draw(1, 0)
	j, err := judgeCase(context.Background(), panel, c, 0)
	if err != nil || j.wrong == nil || j.wrong.Text != "fragile: panics: more than one" {
		t.Fatal(j.wrong, err)
	}
	if k := small(context.Background(), panel, 1, found{0, c, j.wrong}); k.About != j.wrong.Text || len(newWalk(k.Case).vcs) != 2 {
		t.Errorf("%s: %v", k.About, k.Case)
	}
}

// inTwo reports whether two vertices, or one, lead to each other.
func inTwo(after [][]int) bool {
	for v, list := range after {
		for _, w := range list {
			for _, x := range after[w] {
				if x == v {
					return true
				}
			}
		}
	}
	return false
}
