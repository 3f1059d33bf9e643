package engine

import (
	"context"
	"math"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// fan returns a routing on complete:5 in which packets from switch 0 to host 4 go by switches 1, 2 and 3 with weights 1, 2 and 5.
func fan(t *testing.T) model.Relation {
	n, err := topo.Parse("complete:5")
	if err != nil {
		t.Fatal(err)
	}
	s := route.Steps{Net: n, Classes: 1, BySwitch: true, Delivers: true}
	for h := range model.HostID(5) {
		s.Dests = append(s.Dests, h)
	}
	for _, c := range n.Out(0) {
		if u := n.Head(c); u >= 1 && u <= 3 {
			s.List, s.Weights = append(s.List, route.Step{Dest: 4, Hop: model.Hop{VC: n.VC(c, 0)}}), append(s.Weights, []uint32{0, 1, 2, 5}[u])
			for _, o := range n.Out(u) {
				if n.Head(o) == 4 {
					s.List, s.Weights = append(s.List, route.Step{Place: int32(u), Dest: 4, Hop: model.Hop{VC: n.VC(o, 0)}}), append(s.Weights, 1)
				}
			}
		}
	}
	r, err := route.FromSteps(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestHopWeights: packets take hops in proportion to the weights, each packet for itself with selection drawn, each flow for
// itself if packets wait for one hop; the same in virtual networks. The bounds are five standard deviations.
func TestHopWeights(t *testing.T) {
	r := fan(t)
	modeltest.Conformance(t, r)
	count := func(r model.Relation, o Options, packets int) (by [3]int64) {
		source := &listSource{lists: make([][]Packet, 5)}
		for i := range packets {
			source.lists[0] = append(source.lists[0], Packet{Created: Clock(4 * i), Dest: 4, Flits: 1})
		}
		o.Loads = true
		s, err := New(r, source, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), Clock(4*packets+100)); err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Network().Out(0) {
			if u := r.Network().Head(c); u >= 1 && u <= 3 {
				by[u-1] = s.ChannelFlits(c)
			}
		}
		return by
	}
	near := func(name string, by [3]int64, all float64) {
		for i, w := range []float64{1, 2, 5} {
			p := w / 8
			if d := math.Abs(float64(by[i]) - p*all); d > 5*math.Sqrt(all*p*(1-p)) {
				t.Errorf("%s: %d of %.0f by switch %d, want %.0f", name, by[i], all, i+1, p*all)
			}
		}
	}
	near("drawn", count(r, Options{Select: SelectDrawn, Seed: 7}, 4000), 4000)
	classes, err := model.Replicate(r, &model.Protocol{Names: []string{"a", "b"}, Network: []int{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	rules := &Messages{Causes: []int{-1, -1}, Flits: []int{1, 1}, Queue: []int{0, 0}}
	near("drawn in virtual networks", count(classes, Options{Select: SelectDrawn, Seed: 7, Messages: rules}, 4000), 4000)
	var flows [3]int64
	for seed := range uint64(400) {
		by := count(r, Options{Waiting: model.WaitOne, Seed: seed}, 3)
		for i, k := range by {
			if k != 0 && k != 3 {
				t.Fatalf("seed %d: %v: a flow is split", seed, by)
			}
			flows[i] += k / 3
		}
	}
	near("waiting one", flows, 400)
}
