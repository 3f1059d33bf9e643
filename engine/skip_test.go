package engine_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// later is a source that gets packets while the simulation runs.
type later map[model.HostID][]engine.Packet

// Next implements engine.Source.
func (l later) Next(h model.HostID) (engine.Packet, bool) {
	if len(l[h]) == 0 {
		return engine.Packet{}, false
	}
	p := l[h][0]
	l[h] = l[h][1:]
	return p, true
}

// TestSkip: waves of packets, each begun by Wake when the network is empty, arrive in the same
// clocks whether the empty clocks are skipped or simulated. Skip refuses while anything moves.
func TestSkip(t *testing.T) {
	net, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := func(skips bool) (got []engine.Delivery) {
		source := later{}
		sim, err := engine.New(relation, source, engine.Options{BufferFlits: 4}, func(d engine.Delivery) { got = append(got, d) })
		if err != nil {
			t.Fatal(err)
		}
		for wave := range engine.Clock(20) {
			start := wave * 3000
			if skips && wave > 0 && !sim.Skip(start) {
				t.Fatalf("wave %d: the network is not empty in clock %d", wave, sim.Now())
			}
			if _, err := sim.Advance(context.Background(), start-sim.Now()); err != nil {
				t.Fatal(err)
			}
			for h := range model.HostID(9) {
				source[h] = append(source[h], engine.Packet{Created: start, Source: h, Dest: model.DestID((h + 1 + model.HostID(wave)) % 9), Flits: 5})
				sim.Wake(h)
			}
			for k := 0; sim.Delivered() < int64(9*(wave+1)) || k < 20; k++ {
				if sim.Delivered() < int64(9*(wave+1)) && sim.Skip(sim.Now()+1) {
					t.Fatalf("skipped with %d packets left", sim.InNetwork())
				}
				if _, err := sim.Advance(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				if sim.Delivered() < int64(9*(wave+1)) {
					k = 0
				}
			}
			if errs := sim.Check(); len(errs) > 0 || sim.Now() > start+3000 {
				t.Fatal(errs, sim.Now())
			}
		}
		return got
	}
	if a, b := run(true), run(false); !reflect.DeepEqual(a, b) || len(a) != 180 {
		t.Errorf("%d and %d deliveries differ", len(a), len(b))
	}
}
