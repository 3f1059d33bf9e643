package verify

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// managementPremise returns the premise about management traffic, or nil if the network
// has no management endpoints.
func (r *Report) managementPremise() []model.Premise {
	t := underlying(r.Relation)
	if t == nil || t.Management() == model.NoManagement && r.Management == nil && !r.Relation.Network().IsInfiniBand() {
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

// underlying returns a table, also that of adaptive tables and of flows, or nil.
func underlying(r model.Relation) *model.Table {
	switch r := r.(type) {
	case model.Flowing:
		return underlying(r.AllPairs())
	case *model.Table:
		return r
	case *model.AdaptiveTable:
		return r.Table
	}
	return nil
}

// endsWithStated reports whether d doubts a refutation by packets that r has, unless those of model.Stated suffice.
func (r *Report) endsWithStated(d model.Doubt) bool {
	return d.UnlessStated && d.Managed <= model.ManagementOf(r.Relation)
}
