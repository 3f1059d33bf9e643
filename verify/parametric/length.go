package parametric

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file bounds the length of paths by a formula in the sizes.
//
// A class has a measure: a constant, and a factor for each dimension. The measure of a packet is the constant plus the factors
// times the distances to its destination. It is at least 1 wherever the program routes a packet, and each hop decreases it. So the
// measure of a created packet bounds the hops of its path. The search is by counterexamples (CEGIS), for small factors first.

const (
	maxFactor        = 4  // of a distance
	maxLengthConst   = 12 // of a measure
	maxLengthRounds  = 200
	lengthPerRequest = 16 // counterexamples that are added before the next search
)

// measuring searches for measures.
type measuring struct {
	*proof
	solver  *smt.Script // the unknowns
	judge   *smt.Script // the obligations
	classes []class     // created packets first, then in the order of certificates
}

// BoundLength returns the least bound of this form on the paths of a proved report, or nil if none was found. With failures it is the
// greatest of the bounds of all cases. It fails for reports that are not proved.
func (r *Report) BoundLength(ctx context.Context) (*Length, error) {
	if r.Verdict != verify.Proved {
		return nil, errors.New("cannot bound the paths: the program is not proved for every size")
	}
	if r.cases == nil {
		return r.boundCase(ctx, nil)
	}
	all := &Length{created: make([]int64, 1+r.family.dims)}
	list := make([]*Length, len(r.cases))
	for i, one := range r.cases {
		l, err := one.boundCase(ctx, nil)
		if l == nil || err != nil {
			return nil, err
		}
		list[i] = l
		all.raise(l)
	}
	factors := all.created[1:]
	all.created = append([]int64{math.MinInt64}, factors...)
	for i, one := range r.cases { // greater factors may need a smaller constant
		if !slices.Equal(list[i].created[1:], factors) {
			l, err := one.boundCase(ctx, factors)
			if err != nil {
				return nil, err
			}
			list[i] = cmp.Or(l, list[i])
		}
		all.raise(list[i])
		all.measures = append(all.measures, list[i].measures...)
	}
	var err error
	all.Text, err = everysize.LengthText(r.family.program.Text, r.family.dims, all.created)
	return all, err
}

// raise raises the constant and factors of created packets to those of a case.
func (l *Length) raise(one *Length) {
	for k, w := range one.created {
		l.created[k] = max(l.created[k], w)
	}
}

// boundCase is BoundLength for a report without cases, or for a case. If factors is not nil, created packets have these factors.
func (r *Report) boundCase(ctx context.Context, factors []int64) (*Length, error) {
	if r.family.hasAxes() { // distances are not sums over dimensions
		return nil, nil
	}
	system := *r.made.system
	system.ctx = ctx
	made := *r.made
	made.system = &system
	m := &measuring{proof: &made, classes: slices.Clone(made.classes)}
	slices.SortFunc(m.classes[1:], compareClasses)
	var err error
	if m.solver, err = smt.NewScript(); err != nil {
		return nil, err
	}
	if m.judge, err = smt.NewScript(); err != nil {
		return nil, err
	}
	if err = errors.Join(m.judge.Tell(made.preamble()), m.solver.Tell(m.unknowns())); err != nil {
		return nil, err
	}
	if factors != nil {
		fixed := ""
		for d, w := range factors {
			fixed += fmt.Sprintf("(assert (= %s %d))", m.unknown(0, 1+d), w)
		}
		return m.length(m.leastConstant(fixed))
	}
	shortest := fmt.Sprintf("(= %s 0)", m.unknown(0, 0))
	for d := range made.dims {
		shortest = and(shortest, fmt.Sprintf("(= %s 1)", m.unknown(0, 1+d)))
	}
	if found, err := m.search("(assert " + shortest + ")"); found != nil || err != nil {
		return m.length(found, err)
	}
	for total := range maxFactor*made.dims + 1 {
		if found, err := m.leastConstant(fmt.Sprintf("(assert (<= total %d))", total)); found != nil || err != nil {
			return m.length(found, err)
		}
	}
	return nil, nil
}

// leastConstant returns measures that satisfy extra and all obligations, with the least constant of created packets that the search
// finds, or nil.
func (m *measuring) leastConstant(extra string) ([]int64, error) {
	found, err := m.search(extra)
	for better := found; better != nil && err == nil; {
		found = better
		better, err = m.search(extra + fmt.Sprintf("(assert (< %s %s))", m.unknown(0, 0), number(found[0])))
	}
	return found, err
}

// length returns the bound of measures, or nil if there are none.
func (m *measuring) length(measures []int64, err error) (*Length, error) {
	if measures == nil || err != nil {
		return nil, err
	}
	l := &Length{measures: measures, created: measures[:1+m.dims]}
	l.Text, err = everysize.LengthText(m.program.Text, m.dims, l.created)
	return l, err
}

// evidence returns the measures for a certificate.
func (l *Length) evidence() *cert.SizeLength {
	e := &cert.SizeLength{Proofs: cert.Ints{}}
	for _, k := range l.measures {
		e.Measures = append(e.Measures, int32(k))
	}
	return e
}

func (m *measuring) unknown(i, k int) string { return fmt.Sprintf("m%d_%d", i, k) }

// unknowns declares the constants and factors. The sum of the factors of created packets is total.
func (m *measuring) unknowns() string {
	var b strings.Builder
	var sum []string
	for i := range m.classes {
		for k := range 1 + m.dims {
			name, least, most := m.unknown(i, k), -maxFactor, maxFactor
			if k == 0 {
				least, most = -maxLengthConst, maxLengthConst
			} else if i == 0 {
				least = 0
				sum = append(sum, name)
			}
			fmt.Fprintf(&b, "(declare-const %s Int)(assert (<= %s %s %d))", name, number(int64(least)), name, most)
		}
	}
	fmt.Fprintf(&b, "(declare-const total Int)(assert (= total (+ 0 %s)))", strings.Join(sum, " "))
	return b.String()
}

// search returns measures that satisfy extra and all obligations, or nil.
func (m *measuring) search(extra string) ([]int64, error) {
	var names []string
	for i := range m.classes {
		for k := range 1 + m.dims {
			names = append(names, m.unknown(i, k))
		}
	}
	for range maxLengthRounds {
		result, values, _, err := m.solver.Ask(m.ctx, extra, names, smt.Limit{Time: m.limit})
		if err != nil || result != smt.Sat {
			return nil, err
		}
		wrong, ok, err := m.wrong(values)
		if err != nil || !ok {
			return nil, err
		}
		if wrong == "" {
			return values, nil
		}
		if err := m.solver.Tell(wrong); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// least is the least measure of a packet that the program routes. A program with EJECT routes packets at their destination.
func (m *measuring) least() int {
	if m.program.Passes {
		return 0
	}
	return 1
}

// wrong returns requirements that the measures violate, "" if there are none, or false if a question is undecided.
func (m *measuring) wrong(values []int64) (string, bool, error) {
	var b strings.Builder
	count := 0
	ask := func(formula string, require func(point []int64) string) (bool, error) {
		result, point, _, err := m.judge.Ask(m.ctx, "(assert "+formula+")", m.names, smt.Limit{Time: m.limit})
		if err == nil && result == smt.Sat {
			b.WriteString("(assert " + require(point) + ")")
			count++
		}
		return result != smt.Unknown, err
	}
	of := func(i int) []int64 { return values[i*(1+m.dims) : (i+1)*(1+m.dims)] }
	for i, a := range m.classes {
		if ok, err := ask(and(m.known(a), fmt.Sprintf("(< %s %d)", m.term(of(i), nil), m.least())), func(p []int64) string {
			return fmt.Sprintf("(>= %s %d)", m.value(i, p), m.least())
		}); !ok || err != nil {
			return "", ok, err
		}
		for j, c := range m.classes[1:] {
			if step := m.stepTo(a, c); step != "false" && count < lengthPerRequest {
				forward := m.toHead(c.dir, c.wrap)
				formula := and(m.known(a), step, m.undelivered(forward), fmt.Sprintf("(<= %s %s)", m.term(of(i), nil), m.term(of(j+1), forward)))
				if ok, err := ask(formula, func(p []int64) string {
					return fmt.Sprintf("(> %s %s)", m.value(i, p), m.value(j+1, m.shift(p, forward)))
				}); !ok || err != nil {
					return "", ok, err
				}
			}
		}
	}
	return b.String(), true, nil
}

// term returns the measure at the current place, after substitution by, as a term.
func (m *measuring) term(of []int64, by []form) string {
	parts := []string{number(of[0])}
	for d, w := range of[1:] {
		if w != 0 {
			parts = append(parts, fmt.Sprintf("(* %s %s)", number(w), m.distanceIn(d, by)))
		}
	}
	return "(+ 0 " + strings.Join(parts, " ") + ")"
}

// value returns the measure of class i at a point as a term in the unknowns.
func (m *measuring) value(i int, point []int64) string {
	parts := []string{m.unknown(i, 0)}
	for d := range m.dims {
		hops := point[m.dims+d] - point[d]
		if hops = max(hops, -hops); m.complete() {
			hops = min(hops, 1)
		} else if m.wraps(d) {
			hops = min(hops, m.sides[d].at(point)-hops)
		}
		parts = append(parts, fmt.Sprintf("(* %d %s)", hops, m.unknown(i, 1+d)))
	}
	return "(+ " + strings.Join(parts, " ") + ")"
}
