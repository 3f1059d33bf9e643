package states

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file is about what was there before a part of the network went: changes are decided on the new network.

// before notes what the new network does not show: packets of before, and packets to hosts that are gone. Premises of the old state that differ
// from those of the new one are added.
func (s *Pair) before() {
	for _, p := range s.Rep[0].Premises {
		same := slices.IndexFunc(s.Rep[1].Premises, func(q model.Premise) bool { return q.Name == p.Name })
		if same >= 0 && s.Rep[1].Premises[same].Value != p.Value {
			s.Premises = append(s.Premises, model.Premise{Name: p.Name + ", old state", Value: p.Value, Source: p.Source})
		}
	}
	s.leftOut()
	lost := slices.Concat(s.Diff.SwitchesGone, s.Diff.HostsGone, s.Diff.CablesGone)
	if len(lost) == 0 {
		return
	}
	s.Premises = append([]model.Premise{{Name: "packets that were sent before " + lost[0] + " was gone", Source: model.Assumed,
		Value: "none are left when the first entry changes"}}, s.Premises...)
	if free := s.Rep[0].DeadlockFree; free.Verdict != verify.Proved {
		s.Doubts = append(s.Doubts, model.Doubt{Premise: "packets of before", Against: model.AgainstProof,
			Reason: fmt.Sprintf("the old state is %s on its own network (deadlock-free): packets that block each other may be left", free.Verdict),
			Next:   "stop all packets, wait until none are left, change all entries"})
	}
	if hosts := s.Diff.HostsGone; len(hosts) > 0 {
		s.Premises = append([]model.Premise{{Name: "packets to " + wording.Count(len(hosts), "host", "s that are", " that is") + " gone", Source: model.Assumed,
			Value: "follow old entries, until they leave at the switch of the host or are dropped"}}, s.Premises...)
	}
}

// leftOut notes that tables have entries for addresses of no host: the reader leaves them out, and packets to them may be in the network.
func (s *Pair) leftOut() {
	for i, state := range []string{"old", "new"} {
		if lids := s.In[i].LeftOut(); len(lids) > 0 {
			s.Doubts = append(s.Doubts, model.Doubt{Premise: "addresses without a host", Against: model.AgainstProof,
				Reason: fmt.Sprintf("the %s tables have entries for %s of no host of their topology (LID %d first), which are not looked at: packets to "+
					"such an address may be in the network", state, wording.Count(len(lids), "LID", "s"), lids[0]),
				Next: "keep the host in the topology of both states, or dump topology and tables again"})
		}
	}
}

// OfChange returns the premises of the change that are not those of the new state.
func (s *Pair) OfChange() []model.Premise {
	return slices.DeleteFunc(slices.Clone(append([]model.Premise{}, s.Premises...)), func(p model.Premise) bool {
		return slices.Contains(s.Rep[1].Premises, p)
	})
}

// NewIsWhole reports whether the new tables have no entries that are left out.
func (s *Pair) NewIsWhole() bool { return len(s.In[1].LeftOut()) == 0 }
