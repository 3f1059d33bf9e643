package engine

import (
	"context"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
)

// This file tests what docs/theorems/gates.md says of throttling: it stops all hosts forever only if packets block each other.

// throttles returns all combinations of some values, the strongest ones included.
func throttles() (list []Options) {
	for _, mobility := range []float64{0.5, 1} {
		for _, occupancy := range []float64{0, 0.3, 1} {
			for k := range 8 {
				list = append(list, Options{Switching: model.CutThrough, BufferFlits: 2, MaxFlits: 2, Control: ControlPaths()[k&1],
					Throttle: &Throttle{Mobility: mobility, Occupancy: occupancy, ReleaseEmpty: k&2 > 0, Starts: k&4 > 0}})
			}
		}
	}
	return list
}

// TestThrottledRings has every host of a ring send one packet or two, to all combinations of destinations. All packets arrive, and
// in an empty network no host stays stopped for longer than twice the sum of the sides.
func TestThrottledRings(t *testing.T) {
	specs := []string{"ring:3,vcs=2"}
	if longtest.On() {
		specs = append(specs, "ring:4,vcs=2", "mesh:2x2,vcs=2")
	}
	for _, spec := range specs {
		r := routed(t, spec, "dor")
		hosts, stopped := r.Network().NumHosts(), 0
		for _, traffic := range allTraffic(hosts) {
			for _, o := range throttles() {
				source := &listSource{lists: slices.Clone(traffic)}
				total, empty := source.total(), Clock(0)
				s, err := New(r, source, o, nil)
				if err != nil {
					t.Fatal(err)
				}
				for s.delivered < total || empty < Clock(2*slices.Max(r.Network().Grid().Sides)*r.Network().Grid().Dims()) {
					if err := s.Run(context.Background(), 1); err != nil {
						t.Fatal(err)
					}
					if slices.Contains(find[*counts](&s.hooks).stopped, true) {
						stopped++
					}
					if empty++; s.inNetwork > 0 {
						empty = 0
					}
					if s.now > 1000 {
						t.Fatalf("%s, %+v: %d of %d packets arrive in 1000 clocks", spec, *o.Throttle, s.delivered, total)
					}
				}
				if slices.Contains(find[*counts](&s.hooks).stopped, true) {
					t.Fatalf("%s, %+v: hosts are stopped %d clocks after the network became empty", spec, *o.Throttle, empty)
				}
			}
		}
		if stopped == 0 {
			t.Errorf("%s: no host is ever stopped", spec)
		}
	}
}

// allTraffic returns the packets of all hosts, for all combinations of destinations: in clock 0 and, if there are three hosts, in
// clock 1.
func allTraffic(hosts int) (list [][][]Packet) {
	each := hosts - 1
	if hosts == 3 {
		each *= hosts - 1
	}
	total := 1
	for range hosts {
		total *= each
	}
	for k := range total {
		lists := make([][]Packet, hosts)
		for h := range lists {
			for clock, rest := Clock(0), k%each; clock == 0 || hosts == 3 && clock == 1; clock++ {
				to := (h + 1 + rest%(hosts-1)) % hosts
				lists[h] = append(lists[h], Packet{Created: clock, Source: model.HostID(h), Dest: model.DestID(to), Flits: 2})
				rest /= hosts - 1
			}
			k /= each
		}
		list = append(list, lists)
	}
	return list
}

// TestThrottledDeadlock has four packets block each other on a ring without dateline. Then hosts are stopped for ever, unless
// a rule releases them.
func TestThrottledDeadlock(t *testing.T) {
	for _, x := range []struct {
		throttle Throttle
		stops    bool
	}{
		{Throttle{Mobility: 0.5, Occupancy: 1, Starts: true}, true},
		{Throttle{Mobility: 0.5, Occupancy: 0, ReleaseEmpty: true, Starts: true}, true},
		{Throttle{Mobility: 0.5, Occupancy: 0, Starts: true}, false},
		{Throttle{Mobility: 0.5, Occupancy: 1, ReleaseEmpty: true, Starts: true}, false},
		{Throttle{Mobility: 0, Occupancy: 1, Starts: true}, false},
	} {
		r := routed(t, "ring:4", "dor")
		lists := make([][]Packet, 4)
		for h := range lists {
			for range 4 {
				lists[h] = append(lists[h], Packet{Source: model.HostID(h), Dest: model.DestID((h + 2) % 4), Flits: 2})
			}
		}
		s, err := New(r, &listSource{lists: lists}, Options{Switching: model.CutThrough, BufferFlits: 2, MaxFlits: 2, Throttle: &x.throttle}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), 1000); err != nil {
			t.Fatal(err)
		}
		if s.inNetwork == 0 || s.now-s.lastMove < 900 {
			t.Fatalf("%+v: %d packets in the network, nothing has moved since clock %d", x.throttle, s.inNetwork, s.lastMove)
		}
		if all := !slices.Contains(find[*counts](&s.hooks).stopped, false); all != x.stops || slices.Contains(find[*counts](&s.hooks).stopped, true) != x.stops {
			t.Errorf("%+v: stopped are %v, want all %v", x.throttle, find[*counts](&s.hooks).stopped, x.stops)
		}
	}
}
