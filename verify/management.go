package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file also decides a forwarding table with management traffic, if the caller does
// not say which kind exists: first between hosts and switches, then among all endpoints.

// Traffic is the verdict on a table with one kind of management traffic.
type Traffic struct {
	Management model.Management
	Verdict    Verdict
	Claims     []Claim
}

// decideManagement sets r.Management. More traffic cannot remove a refutation, so only
// proofs are decided again. A proof for all traffic holds for each part of the traffic.
func (r *Report) decideManagement(ctx context.Context, o Options) error {
	t, ok := r.Relation.(*model.Table)
	if !o.Management || !ok || t.Management() != model.NoManagement || !t.HasManagement() || r.Verdict() != Proved {
		return nil
	}
	o.Strict = false // doubtManagement
	all, err := checkWithManagement(ctx, t, o, model.AllManagement)
	if err != nil {
		return err
	}
	hosts := Traffic{Management: model.HostManagement, Verdict: Proved}
	if all.Verdict != Proved {
		if hosts, err = checkWithManagement(ctx, t, o, model.HostManagement); err != nil {
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
		if r.Management[i], err = checkWithManagement(ctx, r.Relation.(*model.Table), o, r.Management[i].Management); err != nil {
			return err
		}
	}
	return nil
}

// checkWithManagement runs Check on t with management traffic m.
func checkWithManagement(ctx context.Context, t *model.Table, o Options, m model.Management) (Traffic, error) {
	rep, err := Check(ctx, t.WithManagement(m), Options{Switching: o.Switching, Waiting: o.Waiting, Conditions: o.Conditions,
		Facts: o.Facts, NoPairs: o.NoPairs, Known: model.Known{Doubts: o.Doubts, Strict: o.Strict, Premises: append(slices.Clone(o.Premises),
			model.Premise{Name: model.PremiseManagement, Value: m.Text(), Source: "each is decided"})}})
	if err != nil {
		return Traffic{}, err
	}
	return Traffic{Management: m, Verdict: rep.Verdict(), Claims: rep.Claims()}, nil
}

// Failed returns the name and reason of the first claim that is not proved, or "".
func (t Traffic) Failed() string {
	for _, c := range t.Claims {
		if c.Verdict != Proved {
			return c.Name + ": " + c.Reason
		}
	}
	return ""
}

// managed is a relation that can route management traffic.
type managed interface{ Management() model.Management }

// managementTraffic returns the management traffic that the relation routes.
func (r *Report) managementTraffic() model.Management {
	if t, ok := r.Relation.(managed); ok {
		return t.Management()
	}
	return model.NoManagement
}

// managementPremise returns the premise about management traffic, or nil if the network
// has no management endpoints.
func (r *Report) managementPremise() []model.Premise {
	t, ok := r.Relation.(managed)
	if !ok || t.Management() == model.NoManagement && r.Management == nil && !r.Relation.Network().IsInfiniBand() {
		return nil
	}
	p := model.Premise{Name: model.PremiseManagement, Value: t.Management().Text(), Source: model.Assumed}
	var others []string
	same := r.Management != nil
	for _, x := range r.Management {
		others = append(others, fmt.Sprintf("%s: %s", x.Management.Text(), x.Verdict))
		same = same && x.Verdict == Proved
	}
	switch {
	case same:
		p.Value, p.Source = "none, hosts to switches and back, or all: the verdict is the same", "each is decided"
	case others != nil:
		p.Value += " (decided, too: " + strings.Join(others, "; ") + ")"
	}
	return []model.Premise{p}
}
