package parametric

import (
	"fmt"
	"os"
	"testing"
	"time"
	"turnproof/examples/programs"
	"turnproof/model/program"
	"turnproof/verify/smt"
)

func TestPaths(t *testing.T) {
	for _, f := range programs.All() {
		if w := os.Getenv("ONLY"); w != "" && w != f.Path {
			continue
		}
		p, err := program.Parse(f.Path, f.Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, dims := range []int{2, 3, 5} {
			if p.Family.AnyDims == "" && dims != 2 {
				continue
			}
			fam, err := newFamily(p, dims)
			if err != nil {
				t.Fatal(err)
			}
			b := time.Now()
			s, err := smt.NewScript()
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Tell(fam.declarations()); err != nil {
				t.Fatal(err)
			}
			s0, _ := smt.NewScript()
			if err := s0.Tell(fam.declarations() + "(assert " + and(fam.names.all(fam.domain()), fam.elsewhere(nil)) + ")"); err != nil {
				t.Fatal(err)
			}
			ps, err := fam.explore(t.Context(), s0)
			fmt.Println(f.Path, dims, len(ps), err, time.Since(b))
			sys := &system{family: fam, ctx: t.Context(), script: s, limit: 5 * time.Second, paths: ps, facts: newFacts()}
			if err := s.Tell(sys.definitions()); err != nil {
				t.Fatal(err)
			}
			for _, sides := range fam.sizesUpTo(36, 6) {
				if _, err := sys.gather(t.Context(), sides); err != nil {
					t.Fatal(err)
				}
			}
			fmt.Println("  facts", len(sys.facts.states), len(sys.facts.dependencies), time.Since(b))
			if err := sys.find(); err != nil {
				t.Fatal(err)
			}
			fmt.Println("  classes", len(sys.classes), "edges", len(sys.edges), time.Since(b))
			r, fail, err := sys.synthesise(sys.dependencies(nil))
			if err != nil {
				t.Fatal(err)
			}
			if fail != nil {
				fmt.Println("  FAIL", fail.reason, len(fail.pairs), time.Since(b))
				if err := sys.keep(); err != nil {
					t.Fatal(err)
				}
				n := 0
				for _, k := range sys.kept {
					n += len(k)
				}
				fmt.Println("  kept", n, time.Since(b))
				for _, c := range sys.classes {
					fmt.Println("   ", c)
					for _, k := range sys.kept[c] {
						fmt.Println("      ", fam.names.conditionText(k))
					}
				}
				if err := sys.find(); err != nil {
					t.Fatal(err)
				}
				r, fail, err = sys.synthesise(sys.dependencies(nil))
				if err != nil {
					t.Fatal(err)
				}
				if fail != nil {
					fmt.Println("  FAIL again", fail.reason, len(fail.pairs), time.Since(b))
				}
			}
			fmt.Println("  rank", time.Since(b))
			if len(r) < 30 {
				for n, x := range r {
					fmt.Print("   ", n, " (")
					for _, f := range x {
						fmt.Print(fam.names.text(f), ", ")
					}
					fmt.Println(")")
				}
			}
		}
	}
}
