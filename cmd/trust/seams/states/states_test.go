package states

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// relation returns a named routing on a spec. The routing "around" goes east until the destination.
func relation(t *testing.T, spec, routing string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	if routing == "around" {
		return around(n)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// around returns a routing in the plus direction of a ring.
func around(n *model.Network) model.Relation {
	r := &modeltest.Relation{Net: n}
	for h := range model.HostID(n.NumHosts()) {
		r.Dests = append(r.Dests, h)
	}
	r.Injects = func(model.HostID, model.DestID) []model.Class { return []model.Class{0} }
	r.NextHops = func(s model.State) []model.Hop {
		ch, _ := n.Channel(s.VC)
		if h := r.Dests[s.Dest]; n.Host(h).Switch == n.Head(ch) {
			return []model.Hop{{VC: n.VC(n.EjectChannel(h), 0)}}
		}
		return []model.Hop{{VC: n.VC(n.OutAt(n.Head(ch), model.PlusPort(0)), 0)}}
	}
	return r
}

// flows lets only some pairs of hosts talk.
func flows(r model.Relation, pairs ...[2]model.HostID) model.Relation {
	var list []model.Flow
	for _, x := range pairs {
		list = append(list, model.Flow{Source: x[0], Dest: x[1], Amount: 1})
	}
	return model.WithFlows(r, list)
}

// judge searches all states of a routing.
func judge(t *testing.T, r model.Relation, o Options, l Limits) Result {
	t.Helper()
	c, err := Convert(r, o)
	if err != nil {
		t.Fatal(err)
	}
	result, err := Search(context.Background(), *c, l)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// expect fails if the search has another verdict than that by hand.
func expect(t *testing.T, name string, got Result, want Verdict) {
	t.Helper()
	if t.Logf("%s: %s, %d states", name, got.Verdict, got.States); got.Verdict != want {
		t.Errorf("%s: %s after %d states, want %s", name, got.Verdict, got.States, want)
		for _, line := range got.Run {
			t.Log(line)
		}
	}
}

// TestRings judges rings and small meshes with known answers.
func TestRings(t *testing.T) {
	for _, x := range []struct {
		spec, routing string
		o             Options
		want          Verdict
	}{
		{"ring:3", "around", Options{}, Stuck},
		{"ring:3", "dor", Options{}, Free}, // one hop at most
		{"ring:4", "dor", Options{Packets: []int{3}, Buffer: 2}, Stuck},
		{"ring:4", "dor", Options{Packets: []int{2}, Buffer: 2, Switching: model.CutThrough}, Stuck},
		{"ring:4", "dor", Options{Packets: []int{2}, Buffer: 4, Switching: model.StoreAndForward, Reuse: WhenRoom}, Stuck},
		{"ring:4,vcs=2", "dor", Options{Packets: []int{3}, Buffer: 2}, Free}, // datelines
		{"mesh:2x2", "minimal", Options{}, Stuck},
		{"mesh:2x2", "dor", Options{Packets: []int{2}}, Free},
		{"mesh:2x2,vcs=2", "fully-adaptive", Options{Buffer: 2}, Free},
		{"mesh:2x2,vcs=2", "fully-adaptive", Options{Buffer: 2, Waiting: model.WaitOne}, Stuck},
	} {
		expect(t, x.spec+" "+x.routing, judge(t, relation(t, x.spec, x.routing), x.o, Limits{}), x.want)
	}
}
