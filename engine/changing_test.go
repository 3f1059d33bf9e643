package engine

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// turning is a relation that is one relation until a clock, and another one from then on.
type turning struct {
	model.Relation // the hops of both
	before, after  model.Relation
	at             Clock
}

// At implements Changing.
func (t *turning) At(now Clock) model.Relation {
	if now < t.at {
		return t.before
	}
	return t.after
}

// TestChangingSame: a relation that changes to itself delivers the same packets in the same clocks.
func TestChangingSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6)
		table := modeltest.Table(t, n, true)
		packets := make([][]Packet, n.NumHosts())
		for h := range packets {
			for i := range rapid.IntRange(0, 6).Draw(t, "packets") {
				d := model.DestID(rapid.IntRange(0, table.Destinations()-1).Draw(t, "destination"))
				packets[h] = append(packets[h], Packet{Created: Clock(5 * i), Source: model.HostID(h), Dest: d, Flits: 3, ID: int64(100*h + i)})
			}
		}
		run := func(r model.Relation) (list map[int64]Clock, s *Sim) {
			list = map[int64]Clock{}
			source := &listSource{lists: make([][]Packet, len(packets))}
			copy(source.lists, packets)
			s, err := New(r, source, Options{MaxFlits: 3, Switching: model.CutThrough}, func(d Delivery) { list[d.ID] = d.Arrived })
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context(), 600); err != nil {
				t.Fatal(err)
			}
			return list, s
		}
		want, plain := run(table)
		got, s := run(&turning{table, table, table, 40})
		if len(got) != len(want) || s.Dropped() != plain.Dropped() || s.FlitHops() != plain.FlitHops() || len(s.Frozen()) != len(plain.Frozen()) {
			t.Fatalf("%d arrived, %d dropped, %d frozen; want %d, %d, %d", len(got), s.Dropped(), len(s.Frozen()), len(want), plain.Dropped(), len(plain.Frozen()))
		}
		for id, at := range want {
			if got[id] != at {
				t.Fatalf("packet %d arrived in clock %d, want %d", id, got[id], at)
			}
		}
	})
}
