package model

import (
	"cmp"
	"slices"
)

// Premise is a statement about the user's network that a verdict depends on, with its source.
type Premise struct {
	Name   string `json:"name"`   // one of the Premise... constants
	Value  string `json:"value"`  // in a few words
	Source string `json:"source"` // a file, a flag, or Assumed
}

// Known is what a caller knows about the user's network, beside the routing.
type Known struct {
	Premises []Premise // facts, each with its source
	Doubts   []Doubt   // they make claims undecided
	Strict   bool      // every assumed premise that could change a verdict is a doubt, too
}

// Assumed is the source of a premise that nothing in the input states.
const Assumed = "assumed"

// LevelsAllZero is the value of PremiseLevels if no file states service levels.
const LevelsAllZero = "all 0"

// IsAssumed reports whether nothing in the input states the premise.
func (p Premise) IsAssumed() bool { return p.Source == Assumed }

// The names of premises, in the order in which they are printed.
const (
	PremiseSwitching      = "switching"
	PremiseWaiting        = "waiting"
	PremiseBuffers        = "packet and buffer"
	PremiseControl        = "control information"
	PremiseLevels         = "service levels"
	PremiseSL2VL          = "SL to VL"
	PremiseLMC            = "LMC"
	PremiseManagement     = "management traffic"
	PremiseMulticast      = "multicast"
	PremiseMulticastLevel = "multicast service level"
	PremiseAdaptive       = "adaptive routing"
	PremiseRouters        = "routers and virtual ports"
	PremiseHosts          = "hosts"
	PremiseFailures       = "failures"
	PremiseFlows          = "flows"
	PremiseMessages       = "messages"
	PremiseNoHop          = "packets without a next hop during the change" // of changes only
)

// registered are the names of premises that packages add.
var registered []string

// RegisterPremises adds names of premises. Packages that read files call it in their init functions.
func RegisterPremises(names ...string) {
	registered = append(registered, names...)
	slices.Sort(registered)
}

// PremiseNames lists all names in the order of print.
func PremiseNames() []string {
	return append([]string{
		PremiseSwitching, PremiseWaiting, PremiseBuffers, PremiseControl, PremiseLevels, PremiseSL2VL, PremiseLMC,
		PremiseManagement, PremiseMulticast, PremiseMulticastLevel, PremiseAdaptive, PremiseRouters, PremiseHosts, PremiseFailures,
		PremiseFlows, PremiseMessages,
	}, registered...)
}

// MergePremises returns the premises of all lists, one per name, in the order of PremiseNames.
// A later list overrides an earlier list. A later premise without a value overrides only the
// source, and only if the source was Assumed.
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

// The names of claims, as doubts name them.
const (
	ClaimDeadlockFree = "deadlock-free"
	ClaimConnected    = "connected"
	ClaimLivelockFree = "livelock-free"
)

// Doubt is evidence in the input against an assumption. Claims that the assumption could change
// are undecided as long as the doubt exists.
type Doubt struct {
	Premise string     // the name of the premise
	Managed Management // the least management traffic with which verdicts are in doubt
	Claims  []string   // the claims that the premise could change; if nil, only deadlock-free
	Against Against    // the verdicts that the doubt suspends; if empty, all
	Reason  string     // the evidence, a sentence without a full stop
	Next    string     // the missing file and the command that produces it
	// UnlessStated says that a refutation of deadlock-free is not in doubt if the packets of model.Stated suffice for it.
	UnlessStated bool
	// Firm says that --assume does not accept the doubt: no value of the premise makes sense of the input, or makes the verdict certain.
	Firm bool
}

// Against names a verdict that a doubt suspends.
type Against string

// The verdicts that a doubt can suspend. The other verdict keeps its meaning.
const (
	AgainstProof      Against = "proof"      // a refutation still holds: more traffic cannot repair it
	AgainstRefutation Against = "refutation" // a proof still holds under every value of the premise
)

// Text returns the doubt as the reason of an undecided claim.
func (d Doubt) Text() string {
	if d.Next == "" {
		return d.Reason
	}
	return d.Reason + "; next: " + d.Next
}
