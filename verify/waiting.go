package verify

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file determines which of several next hops packets wait for. verify/cert/deadlock.go
// says what this means for verdicts.

// checkWaiting sets o.Waiting from the relation if it is empty. It fails if Check cannot
// decide this kind of waiting with the other options.
func checkWaiting(r model.Relation, o *Options) error {
	if o.Waiting == "" {
		o.Waiting = model.WaitAny
		if _, ok := r.(model.Committer); ok {
			o.Waiting = model.WaitMixed
		}
	}
	switch o.Waiting {
	case model.WaitAny:
		return nil
	case model.WaitOne:
	case model.WaitMixed:
		if _, ok := r.(model.Committer); !ok {
			return errors.New("cannot decide waiting mixed: the routing does not say which packets wait for one next hop")
		}
	default:
		return fmt.Errorf("cannot decide waiting %q: want any, one or mixed", o.Waiting)
	}
	if o.Gating != nil {
		return fmt.Errorf("cannot decide gates with waiting %s: want waiting any", o.Waiting)
	}
	if _, ok := r.(*model.Table); o.Multicast != nil && !ok {
		return fmt.Errorf("cannot decide multicast groups with waiting %s: want waiting any", o.Waiting)
	}
	if o.Ranks != nil && o.EscapeRanks {
		return fmt.Errorf("cannot decide given ranks of an escape with waiting %s: want waiting any", o.Waiting)
	}
	return nil
}

// setWaiting sets Waiting and Commits of the subject. If no state that commits has
// several next hops, both stay empty.
func setWaiting(s *cert.Subject, r model.Relation, o Options) {
	commits := model.CommitsIn(r, o.Waiting)
	if o.isLine && o.Waiting == model.WaitOne {
		s.Waiting = cert.WaitingOne
		return
	}
	if commits == nil {
		return
	}
	var flags cert.Ints
	var several [2]bool // by flag
	eachState(r, func(st model.State, hops []model.Hop) {
		flag := int32(0)
		if isChoice(hops) {
			if commits(st) {
				flag = 1
			}
			several[flag] = true
		}
		flags = append(flags, flag)
	})
	switch {
	case several[1] && !several[0]:
		s.Waiting = cert.WaitingOne
	case several[1]:
		s.Waiting, s.Relation.Commits = cert.WaitingMixed, &flags
	}
}

// adoptWaiting sets mixed waiting of the report to the waiting of its subject, if the subject is not
// mixed.
func (rep *Report) adoptWaiting() {
	if rep.Waiting != model.WaitMixed {
		return
	}
	switch rep.subject.Waiting {
	case "":
		rep.Waiting, rep.commits = model.WaitAny, nil
	case cert.WaitingOne:
		rep.Waiting = model.WaitOne
	}
}

// vcsOf returns the different VCs of hops, ascending.
func vcsOf(hops []model.Hop) []model.VCID {
	vcs := make([]model.VCID, len(hops))
	for i, h := range hops {
		vcs[i] = h.VC
	}
	slices.Sort(vcs)
	return slices.Compact(vcs)
}

// makeChosen returns Report.Chosen in the form of verify/cert. If the subject has no Waiting, it returns nil.
func makeChosen(rep *Report) *cert.Ints {
	if rep.subject.Waiting == "" {
		return nil
	}
	list := make(cert.Ints, len(rep.Chosen))
	for i, v := range rep.Chosen {
		list[i] = int32(v)
	}
	return &list
}

// waitingPremise returns the premise about waiting packets.
func waitingPremise(w model.Waiting) string {
	const anyOf = "a packet waits for any VC that the routing permits, and keeps asking"
	switch w {
	case model.WaitOne:
		return "a packet waits for one of the VCs that the routing permits, chosen when the packet arrives, and any of them can be chosen"
	case model.WaitMixed:
		return anyOf + ", or in some states for the one that was chosen when the packet arrived, and any of them can be chosen"
	}
	return anyOf
}

// isChoice reports whether two hops differ.
func isChoice(hops []model.Hop) bool {
	return slices.ContainsFunc(hops, func(h model.Hop) bool { return h != hops[0] })
}

// waitsOf yields each set of VCs that a packet in state i of s can wait for, ascending. With
// each set it yields the VC that the packet has chosen, or -1. If the packet can be ejected or
// has no next hop, it yields nothing.
func waitsOf(s *cdg.Space, i int, commits func(model.State) bool) iter.Seq2[[]model.VCID, model.VCID] {
	return func(yield func([]model.VCID, model.VCID) bool) {
		hops, to := s.HopsOf(i)
		if !isChoice(hops) || commits == nil || !commits(s.States[i]) {
			if len(hops) > 0 && slices.Min(to) >= 0 {
				yield(vcsOf(hops), -1)
			}
			return
		}
		for k, h := range hops {
			if to[k] >= 0 && !yield([]model.VCID{h.VC}, h.VC) {
				return
			}
		}
	}
}

// waitingValue returns the value of the premise about waiting.
func waitingValue(w model.Waiting) string {
	switch w {
	case model.WaitOne:
		return "one: the next hop of a packet is chosen when it arrives, and the packet waits for this hop only"
	case model.WaitMixed:
		return "mixed: one next hop, chosen on arrival, or all permitted next hops, as the routing says state by state"
	}
	return WaitsForAny
}
