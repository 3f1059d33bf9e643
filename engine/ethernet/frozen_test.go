package ethernet

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// This file holds the search for freezes against its definition, word by word.

// byDefinition returns the greatest set of accounts that fulfils (1) and (2): it goes
// through all accounts and all queues again until none is taken away any more.
func byDefinition(s *Sim) []int32 {
	in := make([]bool, len(s.account))
	for c := range s.channel {
		x := &s.channel[c]
		for i := range s.accountsOf(int32(c)) {
			bit := uint8(1) << i
			in[c*len(s.accountsOf(int32(c)))+i] = x.stopped&bit > 0 && x.told&bit > 0 && x.over&bit > 0
		}
	}
	told := &s.calendar.lane[pauseArrived]
	for k := range told.many {
		e, many := told.at(k), len(s.accountsOf(told.at(k).which))
		for i := range many {
			if e.arg>>i&1 == 0 {
				in[int(e.which)*many+i] = false
			}
		}
	}
	for again := true; again; {
		again = false
		waiting := make([]int32, len(s.account))
		for v := range s.queue {
			for k := s.queue[v].first; k != none; k = s.frame[k].next {
				at := s.frame[k].at
				if !s.place[at].first && in[s.place[at].account] {
					waiting[s.place[at-1].account]++
				}
			}
		}
		for i := range in {
			if in[i] && waiting[i] <= s.z.xon {
				in[i], again = false, true
			}
		}
	}
	var list []int32
	for i, yes := range in {
		if yes {
			list = append(list, int32(i))
		}
	}
	return list
}

// TestByDefinition compares at many times of a run, also of states that no run has:
// with other thresholds and wishes, and one PAUSE after the other that lifts stops.
func TestByDefinition(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) {
		x := draw(d, t)
		r, flows := paths(t, x.net, 1e9, x.ways)
		s, err := New(r, flows, x.o)
		if err != nil {
			d.Fatal(err)
		}
		xon := s.z.xon
		for s.now < 2*Millisecond {
			if err := s.Run(context.Background(), s.now+50*Microsecond); err != nil {
				d.Fatal(err)
			}
			for s.z.xon = range s.z.xoff {
				compareFrozen(d, s)
			}
			s.z.xon = xon
		}
		for c := range s.channel {
			k := &s.channel[c]
			for _, mask := range []*uint8{&k.stopped, &k.told, &k.over} {
				*mask ^= 1
				compareFrozen(d, s)
				*mask ^= 1
			}
			s.calendar.add(pauseArrived, never, int32(c), int32(k.told&^1))
			s.markLifts(int32(c), k.told&^1, 1)
			compareFrozen(d, s)
		}
	})
}

func compareFrozen(t *rapid.T, s *Sim) {
	x := s.candidates()
	s.reduce(x)
	if want := byDefinition(s); !slices.Equal(x.list, want) {
		t.Fatalf("%d ps: accounts %v are frozen, by definition %v", s.now, x.list, want)
	}
}
