package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file collects the premises of a verdict, and makes a verdict undecided if the
// input gives reason to doubt it.
//
// Options.Premises holds what the caller has read from files. This file adds the premises
// of every routing: switching, waiting, packet and buffer sizes, flows, messages.

// sourceOpen is the source of a premise whose every value has been decided.
const sourceOpen = "left open by the input, each is decided"

// addPremises writes the premises into the report and its certificate. It makes the
// claims undecided that Options.Doubts or Options.Strict doubt.
func (r *Report) addPremises(o Options, c *cert.Certificate) {
	r.Premises = model.MergePremises(r.ownPremises(o), r.conditionPremises(), o.Premises)
	if i := slices.IndexFunc(r.Premises, func(p model.Premise) bool { return p.Name == model.PremiseManagement }); i >= 0 &&
		r.Multicast() != nil && model.ManagementOf(r.Relation) != model.NoManagement {
		r.Premises[i].Value += "; switches send multicast packets, too"
	}
	r.Doubts = slices.DeleteFunc(slices.Clone(o.Doubts), func(d model.Doubt) bool {
		return d.Managed > model.ManagementOf(r.Relation) || r.isStated && r.endsWithStated(d)
	})
	if o.Strict {
		r.Doubts = append(r.Doubts, r.strictDoubts()...)
	}
	r.Doubts = mergeDoubts(r.Doubts)
	r.Doubts = slices.DeleteFunc(r.Doubts, func(d model.Doubt) bool { return !r.suspend(d, c) })
	for _, p := range r.Premises {
		if p.Name == model.PremiseSwitching {
			p.Value = string(r.Switching)
		}
		c.Subject.Premises = append(c.Subject.Premises, cert.Premise{Name: p.Name, Value: plain.Text(p.Value), Source: plain.Text(p.Source)})
	}
}

// ownPremises returns the premises that do not depend on files.
func (r *Report) ownPremises(o Options) []model.Premise {
	list := []model.Premise{
		{Name: model.PremiseFlows, Value: "all pairs of hosts", Source: model.Assumed},
		{Name: model.PremiseMessages, Value: "independent", Source: model.Assumed},
		r.switchingPremise(o),
	}
	if _, deterministic := r.Relation.(*model.Table); !deterministic && r.Acyclic.Verdict != Proved {
		list = append(list, model.Premise{Name: model.PremiseWaiting, Value: waitingValue(r.Waiting), Source: model.Assumed})
	}
	list = append(list, r.bufferPremise()...)
	return append(list, r.managementPremise()...)
}

func (r *Report) switchingPremise(o Options) model.Premise {
	p := model.Premise{Name: model.PremiseSwitching, Value: string(r.Switching), Source: cmp.Or(o.switchingSource, model.Assumed)}
	if r.open {
		p.Value, p.Source = joinSwitching(model.Switchings()), sourceOpen
	}
	return p
}

// joinSwitching returns the disciplines as text: "vct, saf, wormhole".
func joinSwitching(list []model.Switching) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// bufferPremise returns what the evidence supposes about packets and buffers: the facts, and the predicates whose value is
// unknown. If the evidence supposes nothing, as for an acyclic graph, it returns nil.
func (r *Report) bufferPremise() []model.Premise {
	p := model.Premise{Name: model.PremiseBuffers, Value: r.facts.Text(), Source: cmp.Or(r.facts.Origin(), model.Assumed)}
	switch open := r.openPredicates(); {
	case r.Acyclic.Verdict == Proved && r.facts.Words == "" && !(r.Switching == model.Wormhole && hasCopies(r.Conditions)):
		return nil
	case r.Acyclic.Verdict == Proved: // no evidence needs them, but the file states them
	case open != "" && p.Value != "":
		p.Value, p.Source = fmt.Sprintf("%s (%s); %s", p.Value, p.Source, open), model.Assumed
	case open != "":
		p.Value, p.Source = open, model.Assumed
	}
	if p.Value == "" {
		return nil
	}
	return []model.Premise{p}
}

// conditionPremises returns the premises that conditions state.
func (r *Report) conditionPremises() (list []model.Premise) {
	for _, a := range r.Answers {
		list = append(list, a.Premises...)
	}
	return list
}

// Open returns the premises of a claim without the predicates that the facts make true.
func (r *Report) Open(premises []string) []string { return open(r.facts, premises) }

// openPredicates returns the predicates about packets and buffers that no fact decides, by discipline.
func (r *Report) openPredicates() string {
	var parts []string
	for _, d := range r.Disciplines {
		text := BufferPremise(r.Open(d.Claim.Premises))
		if text != "" && len(r.Disciplines) > 1 {
			text = joinSwitching(d.Switching) + ": " + text
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}

// BufferPremise returns the premises that are about packets and buffers, joined by
// semicolons.
func BufferPremise(premises []string) string {
	var parts []string
	for _, premise := range premises {
		if slices.ContainsFunc(predicates, func(p facts.Predicate) bool { return p.Text == premise }) {
			parts = append(parts, premise)
		}
	}
	return strings.Join(parts, "; ")
}

// mergeDoubts makes one doubt of those about the same premise that have the same next step. Managed does not count any more.
func mergeDoubts(list []model.Doubt) (merged []model.Doubt) {
	for _, d := range list {
		i := slices.IndexFunc(merged, func(old model.Doubt) bool {
			return old.Premise == d.Premise && old.Next == d.Next && d.Next != "" && old.Against == d.Against && slices.Equal(old.Claims, d.Claims)
		})
		if i < 0 {
			merged = append(merged, d)
		} else {
			merged[i].Reason = addReason(merged[i].Reason, d.Reason)
		}
	}
	return merged
}

// addReason returns reason a with the part of reason b that differs from a. If both begin with the same words and a colon, these
// words are written once.
func addReason(a, b string) string {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	if head := strings.LastIndexByte(b[:same], ' ') + 1; strings.Contains(b[:head], ": ") {
		b = b[head:]
	}
	return a + "; " + b
}

// suspend makes the claims undecided that doubt d could change, and removes them from c.
// It returns false if d changes no claim.
func (r *Report) suspend(d model.Doubt, c *cert.Certificate) bool {
	names := d.Claims
	if names == nil {
		names = []string{cert.ClaimDeadlockFree}
	}
	if slices.Contains(names, cert.ClaimDeadlockFree) {
		names = slices.Clone(names)
		for _, rule := range r.rulesFor(false) {
			names = append(names, rule.Claim)
		}
	}
	any := false
	for _, claim := range r.allClaims() {
		if !slices.Contains(names, claim.Name) || !isAgainst(d, claim.Verdict) {
			continue
		}
		if claim.Verdict != Undecided {
			claim.Reason = "" // it explains the verdict that is removed here
		}
		claim.Verdict, claim.Theorem, any = Undecided, "", true
		claim.Reason = strings.TrimPrefix(claim.Reason+"; "+d.Text(), "; ")
	}
	c.Claims = slices.DeleteFunc(c.Claims, func(k cert.Claim) bool {
		return slices.Contains(names, k.Claim) && isAgainst(d, Verdict(k.Verdict))
	})
	if r.DeadlockFree.Verdict != Refuted {
		r.Schedule, r.FlitMoves, r.Run, r.Reached, r.NotReached = nil, nil, nil, nil, ""
		c.Claims = slices.DeleteFunc(c.Claims, func(k cert.Claim) bool { return k.Claim == cert.ClaimReached })
	}
	return any
}

// isAgainst reports whether doubt d contradicts verdict v.
func isAgainst(d model.Doubt, v Verdict) bool {
	switch d.Against {
	case model.AgainstProof:
		return v != Refuted
	case model.AgainstRefutation:
		return v != Proved
	}
	return true
}

// allClaims returns every claim of the report, including those of the disciplines.
func (r *Report) allClaims() []*Claim {
	list := []*Claim{&r.DeadlockFree, &r.Connected, &r.LivelockFree}
	for _, a := range r.Answers {
		if a.Claim.Name != cert.ClaimDeadlockFree {
			list = append(list, &a.Claim)
		}
	}
	for i := range r.Disciplines {
		list = append(list, &r.Disciplines[i].Claim)
	}
	return list
}

// strictDoubts returns the doubts about assumed premises: one for all claims that the same premises could change.
func (r *Report) strictDoubts() (list []model.Doubt) {
	for _, c := range r.Claims() {
		var names, words []string
		value := ""
		for _, p := range r.Premises {
			if p.IsAssumed() && r.couldChange(p, c) {
				names, words, value = append(names, p.Name), append(words, strings.ReplaceAll(p.Name, " ", "-")), p.Value
			}
		}
		if names == nil {
			continue
		}
		accepts := "it: " + value
		if len(names) > 1 {
			accepts = "them"
		}
		d := model.Doubt{Premise: names[0], Claims: []string{c.Name}, Next: "--assume " + strings.Join(words, ",") + " accepts " + accepts,
			Reason: "--strict accepts no assumptions, and the input does not state: " + strings.Join(names, ", ")}
		if i := slices.IndexFunc(list, func(old model.Doubt) bool { return old.Reason == d.Reason }); i >= 0 {
			list[i].Claims = append(list[i].Claims, c.Name)
		} else {
			list = append(list, d)
		}
	}
	return list
}

// couldChange reports whether the verdict of c could differ if the assumed premise p were
// false. More traffic or more dependencies cannot remove a refutation. Fewer cannot break
// a proof.
func (r *Report) couldChange(p model.Premise, c Claim) bool {
	deadlock := c.Name == cert.ClaimDeadlockFree || c.Name == cert.ClaimMessages
	proved, acyclic := c.Verdict == Proved, r.Acyclic.Verdict == Proved && r.rulesFor(true) == nil
	switch p.Name {
	case model.PremiseSwitching:
		return deadlock && !acyclic
	case model.PremiseWaiting, model.PremiseControl:
		return deadlock && proved && !acyclic
	case model.PremiseBuffers:
		return deadlock && !acyclic
	case model.PremiseFlows:
		return !proved
	case model.PremiseMessages, model.PremiseManagement, model.PremiseMulticast:
		return deadlock && proved
	case model.PremiseMulticastLevel:
		return deadlock && (proved || r.Relation.Network().VCs() > 1)
	case model.PremiseLevels, model.PremiseSL2VL:
		return deadlock && (!proved || r.Relation.Network().VCs() > 1)
	}
	return true
}
