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
		s.leftOut(hosts[0])
	}
}

// leftOut notes that the new tables have entries for addresses of hosts that are gone: the reader leaves them out.
func (s *Pair) leftOut(first string) {
	for d := range model.DestID(s.Any.NumDestinations()) {
		if lid := model.LIDOf(s.Any.Relation(), d); lid != 0 && s.In[1].LeftOut(lid) {
			s.Doubts = append(s.Doubts, model.Doubt{Premise: "packets to hosts that are gone", Against: model.AgainstProof,
				Reason: fmt.Sprintf("%s is gone, and the new tables have entries for LID %d of it, which are not looked at", first, lid),
				Next:   "keep the host in the topology of the new state"})
			return
		}
	}
}
