package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/waits"
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
	if o.Ranks.escape() {
		return fmt.Errorf("cannot decide given ranks of an escape with waiting %s: want waiting any", o.Waiting)
	}
	return nil
}

// setWaiting sets Waiting and Commits of the subject. If no state that commits has
// several next hops, both stay empty. If inBlocks is true, the flags of mixed waiting are left out.
func setWaiting(ctx context.Context, s *cert.Subject, r model.Relation, o Options, inBlocks bool) error {
	commits := model.CommitsIn(r, o.Waiting)
	if o.isLine && o.Waiting == model.WaitOne {
		s.Waiting = cert.WaitingOne
		return nil
	}
	if commits == nil {
		return nil
	}
	several, err := choices(ctx, r, commits, o.Waiting == model.WaitOne)
	switch {
	case several[1] && !several[0]:
		s.Waiting = cert.WaitingOne
	case several[1]:
		flags := cert.Ints{}
		if !inBlocks {
			eachState(r, func(st model.State, hops []model.Hop) {
				flags = append(flags, flag(waits.IsChoice(hops) && commits(st)))
			})
		}
		s.Waiting, s.Relation.Commits = cert.WaitingMixed, &flags
	}
	return err
}

// errFound ends a search.
var errFound = errors.New("found")

// choices reports whether states with several next hops exist that do not commit (0), and that commit (1). If allCommit is true, all states
// commit, and the search ends with the first.
func choices(ctx context.Context, r model.Relation, commits func(model.State) bool, allCommit bool) (several [2]bool, err error) {
	found := make([][2]bool, parallel.Workers(r.Destinations()))
	err = eachGroup(ctx, r, func(w int, s *cdg.Space) error {
		for i, st := range s.States {
			if hops, _ := s.HopsOf(i); waits.IsChoice(hops) {
				found[w][flag(commits(st))] = true
				if allCommit {
					return errFound
				}
			}
		}
		return nil
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	for _, f := range found {
		several = [2]bool{several[0] || f[0], several[1] || f[1]}
	}
	return several, err
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

// WaitsForAny is the value of the premise waiting for packets that take the first free hop.
const WaitsForAny = "any: a packet waits for all permitted next hops and takes the first free one"
