package verify

import (
	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/waits"
)

// This file decides whether the choice among several next hops can change a verdict.

// HasChoice reports whether a reachable state of r has two different next hops. It
// explores destinations one by one. After limit states it stops and returns true.
func HasChoice(r model.Relation, limit int) bool {
	if _, ok := r.(*model.Table); ok {
		return false
	}
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		if limit <= 0 {
			return true
		}
		s := x.Explore(d)
		for i := range s.States {
			if hops, _ := s.HopsOf(i); waits.IsChoice(hops) {
				return true
			}
		}
		limit -= len(s.States)
	}
	return false
}

// WaitingPremise returns the assumed premise about waiting packets of r. If w is empty, r
// decides.
func WaitingPremise(r model.Relation, w model.Waiting) model.Premise {
	if _, ok := r.(model.Committer); ok && w == "" {
		w = model.WaitMixed
	}
	return model.Premise{Name: model.PremiseWaiting, Value: waitingValue(w), Source: model.Assumed}
}
