package parametric

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// This file decides the claims minimal, deterministic and fully-adaptive. With other claims, each of them is first decided alone: a program
// that takes longer paths can still be deadlock-free. A proved claim then joins the proof of the other claims.

// decideExtra decides each claim of ExtraClaims that o asks for alone, if o asks for several claims. It returns the options for the other
// claims, which have those of ExtraClaims that are proved, and the reports.
func decideExtra(ctx context.Context, p *program.Program, o Options) (Options, []*Report, error) {
	if len(o.chosenClaims()) == 1 {
		return o, nil, nil
	}
	var list []*Report
	for _, claim := range ExtraClaims {
		if !slices.Contains(o.Claims, claim) {
			continue
		}
		alone := o
		alone.Claims, alone.Each, alone.Flow = []string{claim}, false, nil
		r, err := proveClaims(ctx, p, alone)
		if err != nil {
			return o, nil, err
		}
		if list = append(list, r); r.Verdict != verify.Proved {
			o.Claims = slices.DeleteFunc(slices.Clone(o.Claims), func(c string) bool { return c == claim })
		}
	}
	return o, list, nil
}

// proveBeside proves the claims of o, to which decideExtra has left those of ExtraClaims that are proved. If they are not decided together,
// it proves the others without them. alone are the reports of decideExtra; if no other claim is wanted, the result is the first of them.
func proveBeside(ctx context.Context, p *program.Program, o Options, alone []*Report) (*Report, error) {
	others := slices.DeleteFunc(slices.Clone(o.Claims), isExtra)
	if alone != nil && len(others) == 0 && len(o.Claims) < 2 { // each claim is decided alone
		first := *alone[0]
		return &first, nil
	}
	r, err := proveClaims(ctx, p, o)
	if err != nil || r.Verdict != verify.Undecided || alone == nil || len(others) == len(o.Claims) {
		return r, err
	}
	if len(others) == 0 {
		first := *alone[0]
		return &first, nil
	}
	o.Claims = others
	return proveClaims(ctx, p, o)
}

// takeExtra adds what decideExtra found to the report of the other claims.
func (r *Report) takeExtra(alone []*Report) {
	for _, one := range alone {
		r.takeAlone(one)
	}
	slices.SortFunc(r.Claims, func(a, b Claim) int { return slices.Index(KnownClaims, a.Name) - slices.Index(KnownClaims, b.Name) })
}

// takeAlone adds a claim that was decided alone.
func (r *Report) takeAlone(alone *Report) {
	found := alone.Claims[0]
	i := slices.IndexFunc(r.Claims, func(c Claim) bool { return c.Name == found.Name })
	if i >= 0 && r.Claims[i].Verdict != verify.Undecided {
		return
	}
	if r.Verdict == verify.Proved && alone.Verdict != verify.Proved { // the proof of the other claims is kept
		others := *r
		others.Claims = slices.Clone(r.Claims) // those of r are sorted in place later
		r.Alone = append(r.Alone, &others)
	}
	if i < 0 {
		r.Claims = append(r.Claims, found)
	} else {
		r.Claims[i] = found
	}
	if r.Examples = append(r.Examples, alone.Examples...); alone.Verdict == verify.Proved {
		r.Alone = append(r.Alone, alone)
	}
	if alone.Verdict == verify.Refuted || alone.Verdict == verify.Undecided && r.Verdict == verify.Proved {
		r.Verdict = alone.Verdict
	}
}
