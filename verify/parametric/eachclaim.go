package parametric

import (
	"context"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// This file decides each claim for itself, if the claims together are not proved.

// Prove proves claims for every size of the family of a program, or refutes them by the smallest networks on which they
// fail. Otherwise the report is undecided and says what is left. Prove
// needs Z3 (smt.ErrUnavailable), unless a small network refutes the program. If a
// packet can cause an error of the program, Prove returns this error with its place in the
// text.
func Prove(ctx context.Context, p *program.Program, o Options) (*Report, error) {
	o, alone, err := decideExtra(ctx, p, o)
	if err != nil {
		return nil, err
	}
	r, err := proveBeside(ctx, p, o, alone)
	if err != nil {
		return nil, err
	}
	if err := r.proveRest(ctx, p, o); err != nil {
		return nil, err
	}
	r.takeExtra(alone)
	return r, nil
}

// proveRest decides the claims about paths that are open in a report, if o asks for each claim.
func (r *Report) proveRest(ctx context.Context, p *program.Program, o Options) error {
	if !o.Each || r.Verdict == verify.Proved || r.manyPaths {
		return nil
	}
	began := time.Now()
	if err := r.proveFreedom(ctx, p, o); err != nil {
		return err
	}
	open := r.openPathClaims()
	if len(open) < len(r.Claims) { // else they have been tried together
		if err := r.proveAlone(ctx, p, o, open); err != nil {
			return err
		}
	}
	if open = r.openPathClaims(); len(r.Claims) > 1 || len(open) > 1 {
		for _, c := range open {
			if err := r.proveAlone(ctx, p, o, []string{c}); err != nil {
				return err
			}
		}
	}
	r.Verdict = verify.Proved
	for _, c := range r.Claims {
		if c.Verdict == verify.Refuted || c.Verdict == verify.Undecided && r.Verdict == verify.Proved {
			r.Verdict = c.Verdict
		}
	}
	r.Seconds += time.Since(began).Seconds()
	return nil
}

// proveFreedom decides deadlock-free without the other claims, if a network refutes one of them and leaves it open. If it is proved
// for fewer switching disciplines than r is about, r is about these then.
func (r *Report) proveFreedom(ctx context.Context, p *program.Program, o Options) error {
	const free = "deadlock-free"
	isOpen := func(c Claim) bool { return c.Name == free && c.Verdict == verify.Undecided }
	if !o.Each || r.Verdict != verify.Refuted || len(r.Claims) < 2 || !slices.ContainsFunc(r.Claims, isOpen) {
		return nil
	}
	before := len(r.Alone)
	if err := r.proveAlone(ctx, p, o, []string{free}); err != nil {
		return err
	}
	if len(r.Alone) > before && len(r.Alone[before].Switching) < len(r.Switching) {
		r.Switching = r.Alone[before].Switching
		r.Premises = r.premises(o.source)
	}
	return nil
}

// openPathClaims returns the claims about paths that are undecided.
func (r *Report) openPathClaims() (list []string) {
	for _, c := range r.Claims {
		if c.Verdict == verify.Undecided && slices.Contains(PathClaims, c.Name) {
			list = append(list, c.Name)
		}
	}
	return list
}

// proveAlone proves some claims without the others. It changes their verdicts in r.
func (r *Report) proveAlone(ctx context.Context, p *program.Program, o Options, claims []string) error {
	if len(claims) == 0 {
		return nil
	}
	o.Claims, o.Each = claims, false
	alone, err := proveClaims(ctx, p, o)
	if err != nil {
		return err
	}
	if alone.Verdict == verify.Proved {
		r.Alone = append(r.Alone, alone)
	}
	for _, c := range alone.Claims {
		i := slices.IndexFunc(r.Claims, func(mine Claim) bool { return mine.Name == c.Name })
		if c.Verdict == verify.Refuted && r.Witness == nil && alone.Witness != nil {
			r.Witness, r.Searched, r.Method = alone.Witness, alone.Searched, alone.Method
		}
		if c.Verdict != verify.Undecided || len(claims) == 1 {
			r.Claims[i] = c
		}
	}
	return nil
}
