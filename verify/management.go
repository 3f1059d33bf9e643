package verify

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file decides a forwarding table for management traffic as well, if the caller does not
// say which there is: packets between hosts and switches, then packets among all endpoints.

// Traffic is the verdict on a table with some kind of management traffic.
type Traffic struct {
	Management model.Management
	Verdict    Verdict
	Claims     []Claim
}

// managementWords name the kinds of management traffic.
var managementWords = map[model.Management]string{
	model.NoManagement: "none", model.HostManagement: "hosts to switches and back", model.AllManagement: "all",
}

// ManagementText names a kind of management traffic.
func ManagementText(m model.Management) string { return managementWords[m] }

// decideManagement fills in r.Management. More traffic cannot heal a refutation, so it looks at
// proofs only. If all traffic is proved, so is each part of it.
func (r *Report) decideManagement(ctx context.Context, o Options) error {
	t, ok := r.Relation.(*model.Table)
	if !o.Management || !ok || t.Management() != model.NoManagement || !t.HasManagement() || r.Verdict() != Proved {
		return nil
	}
	all, err := withManagement(ctx, t, o, model.AllManagement)
	if err != nil {
		return err
	}
	hosts := Traffic{Management: model.HostManagement, Verdict: Proved}
	if all.Verdict != Proved {
		if hosts, err = withManagement(ctx, t, o, model.HostManagement); err != nil {
			return err
		}
	}
	r.Management = []Traffic{hosts, all}
	return nil
}

// withManagement decides t with some management traffic. The checker accepts the verdict.
func withManagement(ctx context.Context, t *model.Table, o Options, m model.Management) (Traffic, error) {
	rep, err := Check(ctx, t.WithManagement(m), Options{Switching: o.Switching, Messages: o.Messages, Multicast: o.Multicast, NoPairs: o.NoPairs})
	if err != nil {
		return Traffic{}, err
	}
	return Traffic{Management: m, Verdict: rep.Verdict(), Claims: rep.Claims()}, nil
}

// Failed returns the first claim that is not proved and why, or "".
func (t Traffic) Failed() string {
	for _, c := range t.Claims {
		if c.Verdict != Proved {
			return c.Name + ": " + c.Reason
		}
	}
	return ""
}

// managementPremise returns the premise of a table that has management endpoints.
func (r *Report) managementPremise() []model.Premise {
	t, ok := r.Relation.(interface{ Management() model.Management })
	if !ok || t.Management() == model.NoManagement && r.Management == nil && !r.Relation.Network().IsInfiniBand() {
		return nil
	}
	p := model.Premise{Name: model.PremiseManagement, Value: managementWords[t.Management()], Source: model.Assumed}
	var others []string
	same := r.Management != nil
	for _, x := range r.Management {
		others = append(others, fmt.Sprintf("%s: %s", managementWords[x.Management], x.Verdict))
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
