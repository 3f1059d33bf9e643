//go:build z3 && cgo

package parametric

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// TestReasons evaluates the conditions of steps on all places, destinations and sizes up to 5: where they hold, the rank
// rises. The conditions are found by Z3, the test only counts.
func TestReasons(t *testing.T) {
	steps, conditions := 0, 0
	for _, f := range published.All() {
		if f.Name != "odd-even" && !(longtest.On() && (f.Name == "nf+1" || f.Name == "north-last")) {
			continue
		}
		p, err := program.Parse(f.Path, f.Text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := proveOnce(p, Options{})
		if err != nil || r.made == nil {
			t.Fatal(f.Path, err)
		}
		script, err := smt.NewScript()
		if err != nil {
			t.Fatal(err)
		}
		if err := script.Tell(r.made.preamble()); err != nil {
			t.Fatal(err)
		}
		for _, pair := range r.made.rankPairs() {
			step, err := r.made.explain(pair, script)
			if err != nil {
				t.Fatal(err)
			}
			if step.Before == nil {
				continue
			}
			reasons, err := r.made.reasons(pair, script)
			if err != nil {
				t.Fatal(err)
			}
			if steps++; step.Constant != (len(step.Because) == 0) && !step.Constant {
				t.Errorf("%s: %s > %s has no reason", f.Path, step.From, step.To)
			}
			if step.Constant {
				reasons = nil
			}
			conditions += len(reasons)
			if !r.made.risesWhere(pair, reasons) {
				t.Errorf("%s: the rank does not rise on %s > %s where %v", f.Path, step.From, step.To, step.Because)
			}
		}
	}
	t.Logf("%d steps with %d conditions", steps, conditions)
	if steps < longtest.Share(60, 3) || conditions < longtest.Share(6, 3) {
		t.Errorf("%d steps with %d conditions", steps, conditions)
	}
}

// risesWhere evaluates the ranks of a pair on all points of small networks that satisfy the conditions.
func (s *proof) risesWhere(p pair, conditions []atom) bool {
	place := slices.Concat(s.headAtoms(p.from.dir, p.from.wrap), s.tailAtoms(p.to.dir, p.to.wrap), conditions)
	for _, sides := range [][]int{{3, 3}, {3, 5}, {5, 5}, {5, 4}} {
		if len(s.sizes) < s.dims && sides[0] != sides[1] {
			continue
		}
		for _, at := range eachPlace(sides) {
			for _, to := range eachPlace(sides) {
				point := s.point(at, to, sides)
				if !allHold(place, point) {
					continue
				}
				tail := s.shift(point, s.tailOf(p.from, false))
				if slices.Compare(s.ranks.at(p.from, tail), s.ranks.at(p.to, point)) >= 0 {
					return false
				}
			}
		}
	}
	return true
}
