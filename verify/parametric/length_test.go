package parametric

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// longestOn returns the bound of l on a network with these sides.
func longestOn(f *family, l *Length, sides []int) int {
	sum := int(l.created[0])
	for d, side := range sides[:f.dims] {
		far := side - 1
		if f.complete() {
			far = min(far, 1)
		} else if f.wraps(d) {
			far = side / 2
		}
		sum += int(l.created[1+d]) * far
	}
	return sum
}

// judgeLength compares the bound of a report with the longest path on small networks, and checks its certificate. It reports
// whether some path is as long as the bound on each of them that has sides of at least 3.
func judgeLength(t *testing.T, p *program.Program, r *Report, most int) (tight bool) {
	t.Helper()
	families := []*family{r.family}
	for _, one := range r.cases {
		families = append(families, one.family)
	}
	longest := map[string]int{} // by sides, with any failure
	for _, f := range families {
		for _, setting := range f.sizesUpTo(most*most, most) {
			w, ok := walkOf(t.Context(), p, f, setting)
			if !ok || !w.livelockFree {
				t.Errorf("%s: no paths on %v", r.Program, setting)
				continue
			}
			sides := setting[:f.dims]
			if w.longest > longestOn(f, r.Length, sides) {
				t.Errorf("%s: a path of %d hops on %v; %s", r.Program, w.longest, setting, r.Length.Text)
			}
			longest[fmt.Sprint(sides)] = max(longest[fmt.Sprint(sides)], w.longest)
		}
	}
	tight = true
	for _, sides := range families[0].sizesUpTo(most*most, most) { // with two values there are no deroutes
		tight = tight && (longest[fmt.Sprint(sides)] == longestOn(families[0], r.Length, sides) || slices.Min(sides) < 3)
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

// TestLengths bounds the paths of published programs, except on hexagonal grids, brick walls and express meshes, and compares the bounds
// with the longest paths of small networks.
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
		own.certificate = nil // without a bound
		r := &own
		if r.Verdict != verify.Proved {
			t.Errorf("%s: %s", f.Path, r.Verdict)
			continue
		}
		began := time.Now()
		if r.Length, err = r.BoundLength(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r.family.hasAxes() { // distances are not sums over dimensions
			if r.Length != nil {
				t.Errorf("%s: a bound %s", f.Path, r.Length.Text)
			}
			continue
		}
		if tried++; r.Length == nil {
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

// TestLengthsWithFailures bounds the paths with a failure anywhere, and compares the bounds with the longest paths of small networks with
// each failure.
func TestLengthsWithFailures(t *testing.T) {
	needZ3(t)
	text, err := os.ReadFile("../../examples/routing-programs/sidestep.star")
	if err != nil {
		t.Fatal(err)
	}
	family := "mesh(n, 2)"
	if long() {
		family = "mesh(n, m)"
	}
	p := parsed(t, "sidestep.star", strings.Replace(string(text), "mesh(n, m)", family, 1))
	r, err := Prove(t.Context(), p, Options{Limit: 5 * time.Second, Faults: &Faults{Most: 1}, Claims: []string{"livelock-free"}})
	if err != nil || r.Verdict != verify.Proved {
		t.Fatal(err, r)
	}
	if r.Length, err = r.BoundLength(t.Context()); err != nil || r.Length == nil {
		t.Fatal(err, r.Length)
	}
	tight := judgeLength(t, p, r, 4)
	t.Logf("%s, tight %v", r.Length.Text, tight)
	if want := []int64{2, 1, 1}; !slices.Equal(r.Length.created, want) {
		t.Errorf("%v; want %v", r.Length.created, want)
	}
	made, _, err := r.Certificate(t.Context(), []cert.Input{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := everysize.Theorem(made); !strings.Contains(text, r.Length.Text) {
		t.Errorf("the theorem has no %q: %s", r.Length.Text, text)
	}
	lying := *made
	lying.Claims = slices.Clone(made.Claims)
	e := *made.Claims[0].Sizes
	l := *e.Length
	one := (1 + len(e.Classes)) * 3 // numbers of the first case
	for name, measures := range map[string]cert.Ints{
		"of the first case only":            l.Measures[:one],
		"one number too many":               append(slices.Clone(l.Measures), 0),
		"of the first case for every case":  append(slices.Clone(l.Measures[:one]), slices.Repeat(l.Measures[:one], len(e.Cases))...),
		"of the second case, lower by 1":    lowered(l.Measures, one),
		"factors of the second case, lower": lowered(l.Measures, one+1),
	} {
		l.Measures = measures
		e.Length, lying.Claims[0].Sizes = &l, &e
		if cert.Check(&lying) == nil {
			t.Errorf("measures are accepted: %s", name)
		}
	}
}

// lowered returns a list with number i lower by 1.
func lowered(list cert.Ints, i int) cert.Ints {
	list = slices.Clone(list)
	list[i]--
	return list
}
