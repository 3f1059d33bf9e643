package packets

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// This file tests properties of Frozen. The comparison with the reference tests that it returns
// the greatest set.

// TestFrozen: under load a ring with plain dimension order freezes, and the frozen packets do not
// move in the next ten thousand clocks. When no event is left, all packets in the network are
// frozen. Deadlock-free routings never freeze.
func TestFrozen(t *testing.T) {
	for _, c := range []struct {
		spec, routing string
		freezes       bool
	}{{"ring:6", "dor", true}, {"torus:4x4", "dor", true}, {"mesh:4x4", "minimal", true}, {"ring:4,hosts=2", "minimal", true},
		{"mesh:4x4", "dor", false}, {"mesh:4x4,hosts=2", "west-first", false}, {"random:switches=12,degree=3,hosts=3", "updown", false}, {"fattree:k=4", "updown", false}} {
		for _, switching := range []model.Switching{model.CutThrough, model.StoreAndForward} {
			r := relation(t, c.spec, c.routing)
			l := demand(r, 300, 3, 12, true, 7)
			all := int64(l.total())
			arrived := map[int64]bool{}
			s, err := New(r, l, paper(engine.Options{Switching: switching, BufferFlits: 15}), func(d engine.Delivery) { arrived[d.ID*1000+int64(d.Source)] = true })
			if err != nil {
				t.Fatal(err)
			}
			var frozen []engine.Blocked
			for frozen == nil && s.Delivered() < all && s.Now() < 100_000 {
				if err := s.Run(context.Background(), 20); err != nil {
					t.Fatal(err)
				}
				frozen = s.Frozen()
			}
			if (frozen != nil) != c.freezes || frozen == nil && s.Delivered() != all {
				t.Errorf("%v, %s: %d packets frozen in clock %d, %d of %d delivered", c, switching, len(frozen), s.Now(), s.Delivered(), all)
			}
			if frozen != nil {
				staysFrozen(t, s, frozen, arrived)
			}
		}
	}
}

func staysFrozen(t *testing.T, s *Sim, frozen []engine.Blocked, arrived map[int64]bool) {
	t.Helper()
	if err := s.Run(context.Background(), 10_000); err != nil {
		t.Fatal(err)
	}
	where := map[int64]int{}
	again := s.Frozen()
	for _, b := range again {
		where[b.ID*1000+int64(b.Source)] = int(b.On[len(b.On)-1])
	}
	for _, b := range frozen {
		key := b.ID*1000 + int64(b.Source)
		if at, ok := where[key]; !ok || at != int(b.On[len(b.On)-1]) || arrived[key] {
			t.Fatalf("%+v has moved", b)
		}
	}
	if s.calendar.next(s.now) == never && int64(len(again)) != s.InNetwork() {
		t.Errorf("%d of %d packets are frozen, and nothing will come", len(again), s.InNetwork())
	}
}

// TestFreezing: while a network freezes, the frozen set, the VCs of its packets and the VCs for
// which they wait equal those of the reference in every clock.
func TestFreezing(t *testing.T) {
	frozen := 0
	for seed, c := range []struct{ spec, routing string }{
		{"ring:5,hosts=2", "dor"}, {"ring:4,hosts=3", "minimal"}, {"mesh:3x3,hosts=2", "minimal against the order"}, {"torus:3x3", "dor"}, {"hypercube:3,hosts=2", "minimal"},
	} {
		for clocks := 1; clocks <= 4; clocks++ {
			r := relation(t, c.spec, c.routing)
			o := paper(engine.Options{Select: engine.SelectAll, Arbiter: engine.RoundRobin, LinkClocks: clocks, BufferFlits: 9})
			p := newPair(t, r, demand(r, 60, 3, 8, true, uint64(seed)), o)
			for range 400 {
				p.run(t, 1)
			}
			frozen += len(p.slow.frozen())
		}
	}
	if frozen < 100 {
		t.Errorf("%d packets frozen in all", frozen)
	}
}

// TestFrozenIsAll: for any relation, all packets in the network are frozen when no event is left.
func TestFrozenIsAll(t *testing.T) {
	ends, deadlocks := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := modeltest.Adaptive(t, modeltest.Network(t, 5), 1)
		s, err := New(r, demand(r, 8, 2, 6, true, rapid.Uint64().Draw(t, "seed")), paper(engine.Options{BufferFlits: rapid.IntRange(6, 13).Draw(t, "buffer")}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), 3000); err != nil {
			t.Fatal(err)
		}
		if s.calendar.next(s.now) != never {
			return // a packet may circulate for ever
		}
		ends++
		if s.InNetwork() > 0 {
			deadlocks++
		}
		if got := s.Frozen(); int64(len(got)) != s.InNetwork() {
			t.Fatalf("%d packets are in the network, %d frozen", s.InNetwork(), len(got))
		}
	})
	if ends < 20 {
		t.Errorf("%d runs ended, %d in deadlock", ends, deadlocks)
	}
}
