package model

import (
	"cmp"
	"slices"
)

// Premise is a statement about the user's network that a verdict rests on, with
// the place that the statement comes from.
type Premise struct {
	Name   string `json:"name"`   // one of the Premise... constants
	Value  string `json:"value"`  // in a few words
	Source string `json:"source"` // a file, a flag, or Assumed
}

// Assumed is the source of a premise that nothing in the input states.
const Assumed = "assumed"

// IsAssumed reports whether nothing in the input states the premise.
func (p Premise) IsAssumed() bool { return p.Source == Assumed }

// The names of premises, in the order in which they are printed.
const (
	PremiseSwitching      = "switching"
	PremiseWaiting        = "waiting"
	PremiseBuffers        = "packet and buffer"
	PremiseLevels         = "service levels"
	PremiseSL2VL          = "SL to VL"
	PremiseLMC            = "LMC"
	PremiseManagement     = "management traffic"
	PremiseMulticast      = "multicast"
	PremiseMulticastLevel = "multicast service level"
	PremiseAdaptive       = "adaptive routing"
	PremiseRouters        = "routers and virtual ports"
	PremiseHosts          = "hosts"
	PremiseFlows          = "flows"
	PremiseMessages       = "messages"
)

// PremiseNames lists all names in the order of print.
func PremiseNames() []string {
	return []string{
		PremiseSwitching, PremiseWaiting, PremiseBuffers, PremiseLevels, PremiseSL2VL, PremiseLMC, PremiseManagement,
		PremiseMulticast, PremiseMulticastLevel, PremiseAdaptive, PremiseRouters, PremiseHosts, PremiseFlows, PremiseMessages,
	}
}

// MergePremises returns the premises of all lists, one per name, in the order of
// PremiseNames. A later list overrides an earlier one; where its value is empty, it
// overrides an assumed source alone.
func MergePremises(lists ...[]Premise) []Premise {
	byName := map[string]Premise{}
	for _, list := range lists {
		for _, p := range list {
			before, known := byName[p.Name]
			switch {
			case p.Value != "":
				byName[p.Name] = p
			case known && before.IsAssumed():
				byName[p.Name] = Premise{p.Name, before.Value, p.Source}
			}
		}
	}
	merged := make([]Premise, 0, len(byName))
	for _, p := range byName {
		merged = append(merged, p)
	}
	order := PremiseNames()
	slices.SortFunc(merged, func(a, b Premise) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Name), slices.Index(order, b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return merged
}

// Doubt is evidence in the input against an assumption. The claims that the
// assumption could change are undecided while the doubt stands.
type Doubt struct {
	Premise string   // the name of the premise
	Claims  []string // the claims that it could change; if nil, deadlock-free alone
	Against Against  // which verdicts it suspends; if empty, all
	Reason  string   // the evidence, in a sentence without a full stop
	Next    string   // the file that is missing and the command that produces it
}

// Against says which verdicts a doubt suspends.
type Against string

// A doubt may leave the other verdict as it is.
const (
	AgainstProof      Against = "proof"      // more traffic does not heal a refutation
	AgainstRefutation Against = "refutation" // the proof holds whatever the truth is
)

// Text writes the doubt as a reason for a claim that is undecided.
func (d Doubt) Text() string {
	if d.Next == "" {
		return d.Reason
	}
	return d.Reason + "; next: " + d.Next
}
