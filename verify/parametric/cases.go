package parametric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file proves the cases of a proof with failures one after another, and joins their reports.

// Cases returns the reports of the cases of a proof with failures, or nil.
func (r *Report) Cases() []*Report { return r.cases }

// CaseText describes the failures of a case: "failed link in y".
func (r *Report) CaseText() string { return r.family.faultsText() }

// FailedPlace returns the coordinates of the failures of a case: "(fx, fy)".
func (r *Report) FailedPlace() string {
	f, names := r.family, []string{}
	for k := range f.faults {
		first := 3*f.dims + len(f.sizes) + k*f.dims
		names = append(names, "("+strings.Join(f.names[first:first+f.dims], ", ")+")")
	}
	return strings.Join(names, ", ")
}

// joined returns the report of cases, none of which is refuted.
func joined(cases []*prover) *Report {
	r := cases[0].report
	if len(cases) == 1 {
		return r
	}
	for _, p := range cases {
		if p.report.Verdict == verify.Undecided {
			p.report.Notes = append(p.report.Notes, "undecided is the case: "+p.faultsText())
			p.report.retract("not proved in all cases; undecided is the case: " + p.faultsText())
			return p.report
		}
	}
	whole := *r
	whole.Ranks, whole.Escape, whole.Invariants, whole.Obligations, whole.Script, whole.Rechecked = nil, nil, nil, nil, "", nil
	whole.Paths, whole.Classes, whole.Searched, whole.made = 0, 0, nil, nil
	for _, p := range cases {
		one, label := p.report, p.faultsText()+": "
		whole.cases = append(whole.cases, one)
		for _, row := range one.Ranks {
			whole.Ranks = append(whole.Ranks, Rank{label + row.Channel, row.Tuple})
		}
		for _, e := range one.Escape {
			whole.Escape = append(whole.Escape, label+e)
		}
		for _, c := range one.Invariants {
			whole.Invariants = append(whole.Invariants, label+c)
		}
		for _, o := range one.Obligations {
			o.Name = label + o.Name
			whole.Obligations = append(whole.Obligations, o)
		}
		if whole.Script != "" {
			whole.Script += "(reset)\n"
		}
		whole.Script += one.Script
		whole.Paths, whole.Classes = whole.Paths+one.Paths, whole.Classes+one.Classes
		whole.Searched, whole.Rechecked = append(whole.Searched, one.Searched...), append(whole.Rechecked, one.Rechecked...)
		whole.Notes = append(whole.Notes, one.Notes...)
		whole.Switching = slices.DeleteFunc(slices.Clone(whole.Switching), func(s model.Switching) bool { return !slices.Contains(one.Switching, s) })
		if one.Method != whole.Method {
			whole.Method = fmt.Sprintf("%s, %s", whole.Method, one.Method)
		}
		whole.joinClaims(one.Claims)
	}
	return &whole
}

// retract makes proved claims undecided: they were proved in one case only.
func (r *Report) retract(reason string) {
	r.made, r.own = nil, nil
	for i, c := range r.Claims {
		if c.Verdict == verify.Proved {
			r.Claims[i] = Claim{Name: c.Name, Verdict: verify.Undecided, Reason: reason}
		}
	}
}

// joinClaims adds the theorems and premises of further claims.
func (r *Report) joinClaims(claims []Claim) {
	list := make([]Claim, len(r.Claims))
	for i, c := range r.Claims {
		if other := claims[i]; other.Theorem != c.Theorem {
			c.Theorem += "; or " + other.Theorem
			c.Premises = append(slices.Clone(c.Premises), other.Premises...)
		}
		list[i] = c
	}
	r.Claims = list
}
