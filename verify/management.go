package verify

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file also decides a forwarding table with management traffic, if the caller does
// not say which kind exists: first between hosts and switches, then among all endpoints.

// decideManagement sets r.Management. More traffic cannot remove a refutation, so only
// proofs are decided again. A proof for all traffic holds for each part of the traffic.
func (r *Report) decideManagement(ctx context.Context, o Options) error {
	t := underlying(r.Relation)
	if !o.Management || t == nil || t.Management() != model.NoManagement || !t.HasManagement() || r.Verdict() != Proved {
		return nil
	}
	if _, ok := r.Relation.(model.Flowing); ok && model.ClassesOf(o.Conditions) != nil {
		return nil // see checkTogether
	}
	o.Strict = false // doubtManagement
	all, err := checkWithManagement(ctx, r.Relation, o, model.AllManagement)
	if err != nil {
		return err
	}
	hosts := Traffic{Management: model.HostManagement, Verdict: Proved}
	if all.Verdict != Proved {
		if hosts, err = checkWithManagement(ctx, r.Relation, o, model.HostManagement); err != nil {
			return err
		}
	}
	r.Management = []Traffic{hosts, all}
	return nil
}

// doubtManagement decides r.Management again if Options.Strict doubts assumed premises. The premise about management traffic itself
// rests on the verdicts without these doubts.
func (r *Report) doubtManagement(ctx context.Context, o Options) (err error) {
	if !o.Strict {
		return nil
	}
	for i := range r.Management {
		if r.Management[i], err = checkWithManagement(ctx, r.Relation, o, r.Management[i].Management); err != nil {
			return err
		}
	}
	return nil
}

// withManagement returns a relation that has an underlying table, with management traffic.
func withManagement(r model.Relation, m model.Management) model.Relation {
	switch r := r.(type) {
	case model.Flowing:
		return model.WithFlows(withManagement(r.AllPairs(), m), r.Flows())
	case *model.AdaptiveTable:
		return r.WithTable(r.Table.WithManagement(m))
	}
	return underlying(r).WithManagement(m)
}

// checkWithManagement runs Check on a relation with management traffic m.
func checkWithManagement(ctx context.Context, r model.Relation, o Options, m model.Management) (Traffic, error) {
	rep, err := Check(ctx, withManagement(r, m), Options{Switching: o.Switching, Waiting: o.Waiting, Conditions: o.Conditions,
		Facts: o.Facts, NoPairs: o.NoPairs, Known: model.Known{Doubts: o.Doubts, Strict: o.Strict, Premises: append(slices.Clone(o.Premises),
			model.Premise{Name: model.PremiseManagement, Value: m.Text(), Source: "each is decided"})}})
	if err != nil {
		return Traffic{}, err
	}
	return Traffic{Management: m, Verdict: rep.Verdict(), Claims: rep.Claims()}, nil
}
