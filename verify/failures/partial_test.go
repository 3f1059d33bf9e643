package failures_test

import (
	"testing"

	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/failures"
)

// TestPartial: what an interrupted run has judged proves nothing about the rest, but refutes.
func TestPartial(t *testing.T) {
	for _, c := range []struct {
		spec string
		want verify.Verdict
	}{{"ring:5", verify.Undecided}, {"mesh:3x1", verify.Refuted}} {
		a, err := failures.New(parse(t, c.spec), failures.Links, shortest, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := a.Check(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		p := a.Partial([]failures.Failure{f})
		if p.Verdict() != c.want || p.Missing != a.Number()-1 || p.Tried != 1 {
			t.Errorf("%s: %s, %+v", c.spec, p.Verdict(), p)
		}
		if none := a.Partial(nil); none.Verdict() != verify.Undecided || none.Missing != a.Number() {
			t.Errorf("%s: no failure is judged: %+v", c.spec, none)
		}
	}
}
