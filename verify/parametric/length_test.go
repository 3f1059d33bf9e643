package parametric

import (
	"slices"
	"testing"
	"time"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// longestOn returns the bound of l on a network with these sides.
func longestOn(f *family, l *Length, sides []int) int {
	sum := int(l.measures[0])
	for d, side := range sides[:f.dims] {
		far := side - 1
		if f.complete() {
			far = min(far, 1)
		} else if f.wraps(d) {
			far = side / 2
		}
		sum += int(l.measures[1+d]) * far
	}
	return sum
}

// judgeLength compares the bound of a report with the longest path on small networks, and checks its certificate. It reports
// whether some path is as long as the bound on each of them that has sides of at least 3.
func judgeLength(t *testing.T, p *program.Program, r *Report, most int) (tight bool) {
	t.Helper()
	tight = true
	for _, sides := range r.family.sizesUpTo(most*most, most) {
		w, ok := walkOf(t.Context(), p, r.family, sides)
		if !ok || !w.livelockFree {
			t.Errorf("%s: no paths on %v", r.Program, sides)
			continue
		}
		bound := longestOn(r.family, r.Length, sides)
		if w.longest > bound {
			t.Errorf("%s: a path of %d hops on %v; %s", r.Program, w.longest, sides, r.Length.Text)
		}
		tight = tight && (w.longest == bound || slices.Min(sides) < 3) // with two values there are no deroutes
	}
	c, _, err := r.Certificate(t.Context(), []cert.Input{}, nil)
	if err != nil {
		t.Errorf("%s: %v", r.Program, err)
		return tight
	}
	for i := range 2 + r.family.dims { // a lower bound has no proof
		lying := *c
		lying.Claims = slices.Clone(c.Claims)
		e := *c.Claims[0].Sizes
		l := *e.Length
		l.Measures = slices.Clone(l.Measures)
		if k := 1 + r.family.dims; i < k {
			l.Measures[i]--
		} else {
			for j := 0; j < len(l.Measures); j += k {
				l.Measures[j]--
			}
		}
		e.Length, lying.Claims[0].Sizes = &l, &e
		if cert.Check(&lying) == nil {
			t.Errorf("%s: a bound that is lower by 1 in number %d is accepted", r.Program, i)
		}
	}
	return tight
}

// TestLengths bounds the paths of published programs, and compares the bounds with the longest paths of small networks.
func TestLengths(t *testing.T) {
	needZ3(t)
	bounded, tight, tried := 0, 0, 0
	for _, f := range published.All() {
		if f.Name == "nf" || f.Name == "nf+1-as-printed" || !long() && !slices.Contains([]string{"west-first", "dimwar", "o1turn"}, f.Name) {
			continue
		}
		p := parsed(t, f.Path, f.Text)
		once, err := proveOnce(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		own := *once
		r := &own
		if r.Verdict != verify.Proved {
			t.Errorf("%s: %s", f.Path, r.Verdict)
			continue
		}
		tried++
		began := time.Now()
		if r.Length, err = r.BoundLength(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r.Length == nil {
			t.Logf("%s: no bound, %.1f s", f.Path, time.Since(began).Seconds())
			continue
		}
		bounded++
		isTight := judgeLength(t, p, r, 4)
		if isTight {
			tight++
		}
		t.Logf("%s: %s, tight %v, %.1f s", f.Path, r.Length.Text, isTight, time.Since(began).Seconds())
	}
	if bounded < tried || tight < bounded {
		t.Errorf("%d programs, %d bounded, %d tight", tried, bounded, tight)
	}
}
