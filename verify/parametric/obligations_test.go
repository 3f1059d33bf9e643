package parametric

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// prepared runs a proof up to the point before the obligations go to the solver.
func prepared(t *testing.T, path string) (*prover, *proof) {
	t.Helper()
	p := bundled(t, path)
	dims := 2
	f, err := newFamily(p, dims)
	if err != nil {
		t.Fatal(err)
	}
	pr := &prover{Options: Options{Switching: model.CutThrough, Progress: func(string) {}}, report: &Report{},
		system: &system{family: f, ctx: t.Context(), limit: 5 * time.Second, facts: newFacts()}}
	if found, err := pr.searchSmall(firstBound); found || err != nil {
		t.Fatal(found, err)
	}
	if err := pr.explorePaths(); err != nil {
		t.Fatal(err)
	}
	made, why, err := pr.plan()
	if made == nil || err != nil {
		t.Fatal(why, err)
	}
	return pr, made
}

// open returns the kinds of obligations that fail.
func open(t *testing.T, made *proof) (kinds []string) {
	t.Helper()
	list, err := made.prove(func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		if o.Result != smt.Unsat && !slices.Contains(kinds, o.Kind) {
			kinds = append(kinds, o.Kind)
		}
	}
	return kinds
}

// TestObligationsAreNeeded: a wrong invariant, a missing path, a missing class and a rank that
// does not increase each violate the obligation of their own kind, and no other.
func TestObligationsAreNeeded(t *testing.T) {
	needZ3(t)
	_, made := prepared(t, "dor.torus.star")
	if kinds := open(t, made); kinds != nil {
		t.Fatalf("open before anything was changed: %v", kinds)
	}
	east := class{dir: 0, vc: 0}
	if !slices.Contains(made.classes, east) {
		t.Fatal("no class E0")
	}

	t.Run("invariant", func(t *testing.T) { // says that E0 has packets in the first column only, which is false and not preserved
		was := made.preserved[east]
		made.preserved[east] = append(slices.Clone(was), equalTo(made.here(0), made.number(1))...)
		if kinds := open(t, made); !slices.Equal(kinds, []string{"invariant"}) {
			t.Error(kinds)
		}
		made.preserved[east] = was
	})
	t.Run("move", func(t *testing.T) { // removes a dependency
		key := [2]class{east, {dir: 0, vc: 0, wrap: true}}
		delete(made.edges, key)
		if kinds := open(t, made); !slices.Equal(kinds, []string{"move"}) {
			t.Error(kinds)
		}
		made.edges[key] = true
	})
	t.Run("rank", func(t *testing.T) {
		was := made.ranks[east.node()]
		made.ranks[east.node()] = []piece{{nil, []form{was[0].tuple[0], was[0].tuple[1].times(-1)}}}
		if kinds := open(t, made); !slices.Equal(kinds, []string{"rank"}) {
			t.Error(kinds)
		}
		made.ranks[east.node()] = was
	})
	t.Run("cover", func(t *testing.T) {
		was := made.paths[0].guard
		made.paths[0].guard = made.never()
		kinds := open(t, made)
		if !slices.Contains(kinds, "cover") {
			t.Error(kinds)
		}
		made.paths[0].guard = was
	})
	t.Run("output", func(t *testing.T) {
		was := made.paths[0].outputs
		made.paths[0].outputs = nil
		if kinds := open(t, made); !slices.Contains(kinds, "output") {
			t.Error(kinds)
		}
		made.paths[0].outputs = was
	})
}

// TestSeededInvariant: a false invariant makes wrong ranks look correct. Only the obligation
// "invariant" and the check of ranks on concrete networks detect it.
func TestSeededInvariant(t *testing.T) {
	needZ3(t)
	pr, made := prepared(t, "nf+1.torus.star")
	for _, c := range made.classes[1:] { // the false statement "no packet ever takes the wraparound channel downward on VC 1"
		if c.dir == 3 && c.vc == 1 {
			made.preserved[c] = append(made.preserved[c], made.never()...)
		}
	}
	wrong := made.ranks
	for n := range wrong {
		if n.dir == 3 && n.vc == 1 {
			tuple := slices.Clone(wrong[n][0].tuple)
			tuple[len(tuple)-1] = made.number(0) // the change leaves out -y
			wrong[n] = []piece{{nil, tuple}}
		}
	}
	kinds := open(t, made)
	if slices.Contains(kinds, "rank") || !slices.Contains(kinds, "invariant") {
		t.Errorf("open: %v", kinds)
	}
	if err := made.recheck(t.Context(), []int{7, 7}, pr.Switching); err == nil {
		t.Error("the checker accepts ranks that do not rise")
	}
}

// TestPathsAgree: for every state of small networks, exactly one symbolic path applies, and its
// outputs equal those of the program run with numbers.
func TestPathsAgree(t *testing.T) {
	needZ3(t)
	files := published.All()
	for _, name := range []string{"valiant.star", "romm.star"} {
		text, err := os.ReadFile(filepath.Join("../../examples/routing-programs", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, published.File{Path: name, Text: string(text)})
	}
	for i, f := range files {
		if i%3 > 0 && !long() {
			continue
		}
		p := parsed(t, f.Path, f.Text)
		fam, err := newFamily(p, 2)
		if err != nil {
			t.Fatal(err)
		}
		pr := &prover{Options: Options{}, report: &Report{}, system: &system{family: fam, ctx: t.Context(), limit: time.Second, facts: newFacts()}}
		if err := pr.explorePaths(); err != nil {
			t.Fatal(err)
		}
		for _, sides := range fam.sizesUpTo(40, 6) {
			if !long() && product(sides) > 6 || !longtest.IsFull() && product(sides) > 16 {
				continue
			}
			n, err := fam.network(sides)
			if err != nil {
				t.Fatal(err)
			}
			r, _, err := p.Relation(t.Context(), n)
			if err != nil {
				t.Fatal(err)
			}
			if states := agree(t, pr, r, sides); states == 0 {
				t.Errorf("%s: no state on %v", f.Path, sides)
			}
		}
	}
}

func agree(t *testing.T, pr *prover, r model.Relation, sides []int) (states int) {
	t.Helper()
	n := r.Network()
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		to := pr.coordinates(n, sides, n.Host(r.DestinationHost(d)).Switch)
		reached := x.Explore(d)
		for i, st := range reached.States {
			c, _ := n.Channel(st.VC)
			at := pr.coordinates(n, sides, n.Head(c))
			if slices.Equal(at, to) && !pr.program.Passes {
				continue
			}
			states++
			from, _ := pr.channelOf(n, st.VC, int(st.Class), nil, sides)
			point := pr.point(at, to, sides)
			var outputs []program.Output
			matches := 0
			for k := range pr.paths {
				if q := &pr.paths[k]; q.accepts(from) && (q.state < 0 || q.state == int(st.Class)) && allHold(q.guard, point) {
					matches++
					if outputs = q.outputs; q.ejects {
						outputs = append(slices.Clone(outputs), program.Output{Dir: program.Eject, State: int(st.Class)})
					}
				}
			}
			hops, _ := reached.HopsOf(i)
			if pr.complete() {
				agreeHyperX(t, pr, n, sides, point, matches, outputs, hops)
				continue
			}
			if matches != 1 || len(hops) != len(outputs) {
				t.Fatalf("%s on %v: %d paths at %v to %v on %s, %d hops, %d outputs", pr.program.Name, sides, matches, at, to, from, len(hops), len(outputs))
			}
			for k, h := range hops {
				ch, vc := n.Channel(h.VC)
				if outputs[k].Dir == program.Eject && n.HostOf(ch) == r.DestinationHost(d) && outputs[k].State == int(h.Class) {
					continue
				}
				if (outputs[k] != program.Output{Dir: program.Dir(n.TailPort(ch) - 1), VC: vc, State: int(h.Class)}) {
					t.Fatalf("%s on %v at %v to %v on %s: output %d is %v", pr.program.Name, sides, at, to, from, k, outputs[k])
				}
			}
		}
	}
	return states
}

// agreeHyperX compares the hops of a state with the values that the outputs of a path permit.
func agreeHyperX(t *testing.T, pr *prover, n *model.Network, sides []int, point []int64, matches int, outputs []program.Output, hops []model.Hop) {
	t.Helper()
	var want, got [][4]int
	for _, h := range hops {
		ch, vc := n.Channel(h.VC)
		dir, v := pr.directionOf(n, sides, ch)
		want = append(want, [4]int{int(dir), v, vc, int(h.Class)})
	}
	for _, o := range outputs {
		for v := range sides[o.Dir.Dim()] {
			point[pr.firstExtra()+1] = int64(v)
			if hop := [4]int{int(o.Dir), v, o.VC, o.State}; pr.isHop(o, point) && !slices.Contains(got, hop) {
				got = append(got, hop)
			}
		}
	}
	if matches != 1 || !slices.Equal(got, want) {
		t.Fatalf("%s on %v at %v: %d paths with the hops %v; the relation has %v", pr.program.Name, sides, point, matches, got, want)
	}
}
