package reroute_test

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify/transition"

	_ "github.com/turnproof/turnproof/synth/makers" // tables by name
)

// tables returns tables of a network by the words of routings.
func tables(t *testing.T, network string, words ...string) (list []*model.Table) {
	t.Helper()
	s, err := resolve.Load(t.Context(), resolve.Request{Network: network})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words {
		other, err := s.Reroute(t.Context(), w, "table", format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, other.Rel.(*model.Table))
	}
	return list
}

// TestMesh judges up*/down* routing on a 3x3 mesh with the root at one corner, and then at the opposite one. cmd/trust/transitions judges
// random networks.
func TestMesh(t *testing.T) {
	t.Parallel()
	about := transition.About{Switching: model.Wormhole}
	list := tables(t, "mesh:3x3", "updown,root=#0", "updown,root=#4", "updown,root=#8")
	for _, c := range []struct {
		old, now int
		part     transition.Part
		answer   reroute.Answer
		steps    int // in service, the fewest
	}{
		{0, 2, transition.Destination, reroute.None, 0},
		{0, 2, transition.Switch, reroute.None, 0},
		{0, 1, transition.Destination, reroute.Found, 3},
		{1, 2, transition.Switch, reroute.Found, 3},
		{1, 1, transition.Switch, reroute.Found, 0},
	} {
		x, err := transition.New(list[c.old], list[c.now])
		if err != nil {
			t.Fatal(err)
		}
		r, err := reroute.Find(t.Context(), x, reroute.Options{Part: c.part})
		if err != nil {
			t.Fatal(err)
		}
		if r.Answer != c.answer || len(r.Steps) != c.steps || r.Answer == reroute.Found && len(r.Steps) > 0 && r.Bound.Steps != c.steps {
			t.Errorf("%+v: %s, %d steps, bound %+v", c, r.Answer, len(r.Steps), r.Bound)
		}
	}
	x, err := transition.New(list[0], list[2])
	if err != nil {
		t.Fatal(err)
	}
	stops, err := reroute.Stops(t.Context(), x)
	if err != nil || stops[0].Kind != transition.Stop || len(stops[0].Parts) != 1 {
		t.Errorf("%v, %v: want one stopped destination", stops, err)
	}
	if _, err := x.StepsCertificate(transition.Destination, stops, nil, about); err != nil {
		t.Error(err)
	}
	v, err := reroute.FindVia(t.Context(), []string{"center"}, func(int) (to, from reroute.Change, err error) {
		if to, err = transition.New(list[0], list[1]); err == nil {
			from, err = transition.New(list[1], list[2])
		}
		return to, from, err
	})
	if err != nil || v == nil || v.Steps() < 4 {
		t.Errorf("by way of the center: %+v, %v", v, err)
	}
	if _, err := x.StepsCertificate(transition.Destination, stops[1:], nil, about); err == nil {
		t.Error("the checker accepts steps without the first one")
	}
}
