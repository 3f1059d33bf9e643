package synth_test

import (
	"context"
	"errors"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// TestDestinationTable walks each pair through the relation and through its table.
func TestDestinationTable(t *testing.T) {
	for _, c := range []struct {
		routing string
		several bool
	}{{"dor", false}, {"west-first", true}} {
		n, err := topo.Parse("mesh:4x3")
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		table, left, err := synth.DestinationTable(context.Background(), r)
		if several := (*synth.SeveralHops)(nil); errors.As(err, &several) != c.several {
			t.Fatal(c.routing, err)
		}
		if c.several {
			continue
		}
		if err != nil || left != 0 {
			t.Fatal(left, err)
		}
		for from := range model.HostID(n.NumHosts()) {
			for to := range model.HostID(n.NumHosts()) {
				if from != to {
					if a, b := path(t, r, from, to), path(t, table, from, to); a != b {
						t.Errorf("from %d to %d the relation goes %q, the table %q", from, to, a, b)
					}
				}
			}
		}
	}
}

// path returns the switches on the only path from one host to another.
func path(t *testing.T, r model.Relation, from, to model.HostID) (switches string) {
	t.Helper()
	n, count := r.Network(), 0
	for d := range model.DestID(r.Destinations()) {
		if r.DestinationHost(d) != to {
			continue
		}
		for w := range route.Walks(r, from, d) {
			count++
			for _, s := range w.Path {
				c, _ := n.Channel(s.VC)
				if u := n.Head(c); u != model.NoSwitch {
					switches += n.SwitchLabel(u) + " "
				}
			}
			if w.End != route.EndDelivered {
				t.Errorf("from %d to %d the path ends: %s", from, to, w.End)
			}
		}
	}
	if count != 1 {
		t.Fatalf("%d paths from %d to %d", count, from, to)
	}
	return switches
}
