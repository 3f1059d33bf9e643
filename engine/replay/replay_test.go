package replay

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func relation(t *testing.T, spec, routing string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lastOn returns a packet that holds the plus channel out of switch u of a ring. It was injected
// the given number of switches before u and has to go further.
func lastOn(t *testing.T, r model.Relation, u, before, beyond int) Held {
	t.Helper()
	n := r.Network()
	k := n.NumSwitches()
	from, to := model.HostID((u-before+k)%k), model.DestID((u+1+beyond)%k)
	h := Held{Source: from, Dest: to, Holds: 1, Path: []model.State{model.InjectState(r, from, to, 0)}}
	for range before + 1 {
		next := r.Next(h.Path[len(h.Path)-1], nil)[0]
		h.Path = append(h.Path, model.State{VC: next.VC, Dest: to, Class: next.Class})
	}
	return h
}

// TestTails: on a ring, Run injects each packet of the plain deadlock at the switch where its
// channel starts, and the network freezes.
func TestTails(t *testing.T) {
	for _, switching := range engine.Switchings() {
		r := relation(t, "ring:5", "dor")
		var held []Held
		for u := range 5 {
			held = append(held, lastOn(t, r, u, 0, 1))
		}
		res, err := Run(context.Background(), r, held, Options{Switching: switching})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Reached || res.How != AtTails || res.Tries != 1 || len(res.Deadlock.Packets) != 5 {
			t.Errorf("%s: %+v", switching, res)
		}
	}
}

// noTail is a relation in which no host may use the channel out of its own switch directly.
// Packets must be injected two switches before the VC that they should hold.
type noTail struct {
	model.Relation
	bad model.HostID
}

// Inject implements model.Relation.
func (r noTail) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	if h == r.bad {
		return buf
	}
	return r.Relation.Inject(h, d, buf)
}

// TestOrder: if a host may not inject, its packet comes from another switch, and Run finds an
// order of injection that works.
func TestOrder(t *testing.T) {
	r := noTail{relation(t, "ring:7", "dor"), 3}
	var held []Held
	for u := range 7 {
		before := 0
		if u == 3 {
			before = 1
		}
		held = append(held, lastOn(t, r.Relation, u, before, 1))
	}
	res, err := Run(context.Background(), r, held, Options{Orders: 200})
	if err != nil {
		t.Fatal(err)
	}
	if !res.Reached || res.How == AtTails {
		t.Errorf("%+v", res)
	}
}

// TestNotReached: a deadlock-free routing does not deadlock, whatever witness Run is given.
func TestNotReached(t *testing.T) {
	for _, c := range []struct{ spec, routing string }{{"ring:5,vcs=2", "dor"}, {"mesh:3x3", "dor"}, {"torus:4x4,vcs=3", "duato"}} {
		r := relation(t, c.spec, c.routing)
		res, err := Run(context.Background(), r, nil, Options{Loads: 3, Clocks: 3000})
		if err != nil || res.Reached || res.Tries != 3 {
			t.Errorf("%v: %+v, %v", c, res, err)
		}
		sat, err := Saturate(context.Background(), r, Options{Clocks: 4000})
		if err != nil || sat.Deadlock != nil || sat.Accepted < 0.05 || sat.Clocks != 4000 {
			t.Errorf("%v: %+v, %v", c, sat, err)
		}
	}
	if sat, err := Saturate(context.Background(), relation(t, "torus:4x4", "dor"), Options{}); err != nil || sat.Deadlock == nil {
		t.Errorf("%+v, %v", sat, err)
	}
}

// leaving is a relation that also lets packets leave the network at every switch.
type leaving struct{ model.Relation }

// Next implements model.Relation.
func (r leaving) Next(s model.State, buf []model.Hop) []model.Hop {
	n := r.Network()
	c, _ := n.Channel(s.VC)
	for h := range model.HostID(n.NumHosts()) {
		if n.Host(h).Switch == n.Head(c) {
			buf = append(buf, model.Hop{VC: n.VC(n.EjectChannel(h), 0), Class: s.Class})
		}
	}
	return r.Relation.Next(s, buf)
}

// TestRealRelation: packets that only the path of a witness holds back are not frozen. The ring
// deadlocks along the paths, but the relation lets every packet leave.
func TestRealRelation(t *testing.T) {
	for _, switching := range engine.Switchings() {
		r := relation(t, "ring:5", "dor")
		var held []Held
		for u := range 5 {
			held = append(held, lastOn(t, r, u, 1, 1))
		}
		if res, err := Run(context.Background(), r, held, Options{Switching: switching}); err != nil || !res.Reached || res.Deadlock.Packets[0].Class != 0 {
			t.Errorf("%s: %+v, %v", switching, res, err)
		}
		res, err := Run(context.Background(), leaving{r}, held, Options{Switching: switching, Orders: 20, Loads: 1, Clocks: 2000})
		if err != nil || res.Reached || res.Tries < 20 {
			t.Errorf("%s: %+v, %v", switching, res, err)
		}
	}
}
