package mend

import (
	"testing"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// ringTable is a table on a ring of four: packets to the switch opposite go by ascending
// switches, so that there is a cycle of four dependencies. One switch has one host, the
// others have three.
func ringTable(t *testing.T, light int) *model.Table {
	t.Helper()
	var b model.Builder
	for u := range model.SwitchID(4) {
		b.AddSwitch(model.Switch{})
		hosts := 3
		if int(u) == light {
			hosts = 1
		}
		for i := range hosts {
			b.AddHost(model.Host{Switch: u, Port: model.Port(3 + i)})
		}
	}
	for u := range model.SwitchID(4) {
		b.AddLink(u, 1, (u+1)%4, 2)
	}
	b.SetVCs(1)
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	table := model.NewTable(n, model.AllAddresses(n))
	for d := range model.DestID(table.Destinations()) {
		h := table.DestinationHost(d)
		for u := range model.SwitchID(4) {
			switch (n.Host(h).Switch - u + 4) % 4 {
			case 0:
				table.SetPort(u, d, n.TailPort(n.EjectChannel(h)))
			case 3:
				table.SetPort(u, d, 2)
			default:
				table.SetPort(u, d, 1)
			}
		}
	}
	return table
}

// TestCheapestDependency: a cycle is ended at the one dependency that one entry makes,
// wherever it is in the cycle; each other one takes three.
func TestCheapestDependency(t *testing.T) {
	for light := range 4 {
		table := ringTable(t, light)
		e := newExact(newProblem(table), DefaultMemory)
		mended, r, err := e.nearest(t.Context(), time.Now().Add(time.Minute), 1<<30)
		if err != nil || r != sat.Sat {
			t.Fatal(r, err)
		}
		if k := len(changes(table, mended)); k != 1 || e.bound() != 1 {
			t.Errorf("switch %d has one host: %d changes, bound %d", light, k, e.bound())
		}
	}
}
