package packets

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// This file has tests without the reference.

func paper(o engine.Options) engine.Options {
	o.Timing = engine.Paper
	if o.Switching == "" {
		o.Switching = model.CutThrough
	}
	return o
}

// TestZeroLoad: a packet alone in the network takes 3 clocks a channel, and the clocks of one flit
// for each flit after the first. With store-and-forward, the flits after the first count again on
// every channel.
func TestZeroLoad(t *testing.T) {
	r := relation(t, "mesh:6x5,hosts=2", "dor")
	for _, flits := range []int{1, 2, 8, 128} {
		for _, clocks := range []int{1, 3} {
			for _, switching := range []model.Switching{model.CutThrough, model.StoreAndForward} {
				l, at := make(lists, 60), engine.Clock(0)
				var want []engine.Clock
				for h := range l {
					for d := range l {
						x, y := h/2%6-d/2%6, h/2/6-d/2/6
						channels := engine.Clock(max(x, -x) + max(y, -y) + 2)
						length := engine.Clock((flits - 1) * clocks)
						at += 20 * (length + 10)
						l[h] = append(l[h], engine.Packet{Created: at, Source: model.HostID(h), Dest: model.DestID(d), Flits: flits, ID: int64(len(want))})
						if switching == model.StoreAndForward {
							length *= channels
						}
						want = append(want, at+3*channels+length)
					}
				}
				s, err := New(r, l, paper(engine.Options{LinkClocks: clocks, BufferFlits: 128, Switching: switching}), func(d engine.Delivery) {
					if d.Arrived != want[d.ID] || d.Injected != d.Created {
						t.Errorf("%+v: clock %d was expected", d, want[d.ID])
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Run(context.Background(), at+20000); err != nil {
					t.Fatal(err)
				}
				if s.Delivered() != int64(len(want)) {
					t.Errorf("%d of %d packets", s.Delivered(), len(want))
				}
			}
		}
	}
}

// TestThroughput: if buffers hold two packets, a channel that always has a packet to carry is
// never idle.
func TestThroughput(t *testing.T) {
	r := relation(t, "line:3", "dor")
	l := make(lists, 3)
	for range 100 {
		l[0] = append(l[0], engine.Packet{Dest: 2, Flits: 16})
	}
	s, err := New(r, l, paper(engine.Options{BufferFlits: 32}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 100*16+11); err != nil || s.Delivered() != 99 {
		t.Errorf("%d packets, %v", s.Delivered(), err)
	}
	if err := s.Run(context.Background(), 1); err != nil || s.Delivered() != 100 {
		t.Errorf("%d packets, %v", s.Delivered(), err)
	}
}

// saturated returns a simulation far above saturation.
func saturated(t testing.TB, seed uint64, report func(engine.Delivery)) *Sim {
	t.Helper()
	r := relation(t, "random:switches=16,degree=4,hosts=2", "updown")
	p, err := traffic.NewPattern("uniform", r.Network(), seed)
	if err != nil {
		t.Fatal(err)
	}
	source, err := traffic.New(r.Network(), p, traffic.Options{Load: 0.6, Flits: 16, Mixed: []int{1, 5, 16}, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(r, source, paper(engine.Options{MaxFlits: 16, BufferFlits: 40, Select: engine.SelectRandom, Seed: seed}), report)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPieces: a run in several parts gives the same result as a single run, and the same seed
// gives the same result.
func TestPieces(t *testing.T) {
	var once, pieces, other []engine.Delivery
	a := saturated(t, 1, func(d engine.Delivery) { once = append(once, d) })
	b := saturated(t, 1, func(d engine.Delivery) { pieces = append(pieces, d) })
	c := saturated(t, 2, func(d engine.Delivery) { other = append(other, d) })
	if err := errors.Join(a.Run(context.Background(), 5000), c.Run(context.Background(), 5000)); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 3))
	for b.Now() < 5000 {
		if err := b.Run(context.Background(), min(engine.Clock(random.IntN(40)), 5000-b.Now())); err != nil {
			t.Fatal(err)
		}
		if errs := b.Check(); errs != nil {
			t.Fatal(errs)
		}
	}
	if len(once) < 1000 || !slices.Equal(once, pieces) || a.FlitHops() != b.FlitHops() {
		t.Errorf("%d packets at once, %d in pieces", len(once), len(pieces))
	}
	if slices.Equal(once, other) {
		t.Error("another seed gives the same packets")
	}
}

// TestConservation: in every clock, each created packet is at its source, in the network,
// delivered or dropped, and every slot of a buffer is accounted for.
func TestConservation(t *testing.T) {
	for _, c := range cases {
		r := relation(t, c.spec, c.routing)
		l := demand(r, 40, 6, 9, true, 4)
		all := l.total()
		reported, random := int64(0), rand.New(rand.NewPCG(5, 5))
		s, err := New(r, l, paper(engine.Options{BufferFlits: 14, Select: engine.SelectLoad}), func(engine.Delivery) { reported++ })
		if err != nil {
			t.Fatal(err)
		}
		for s.Now() < 3000 {
			if err := s.Run(context.Background(), engine.Clock(random.IntN(100))); err != nil {
				t.Fatal(err)
			}
			for _, err := range s.Check() {
				t.Fatal(c, err)
			}
			waiting := l.total()
			for h := range s.host {
				if s.host[h].has {
					waiting++
				}
			}
			if got := int64(waiting) + s.InNetwork() + s.Delivered() + s.Dropped(); got != int64(all) || reported != s.Delivered() {
				t.Fatalf("%v: clock %d: %d packets of %d, %d reported of %d", c, s.Now(), got, all, reported, s.Delivered())
			}
		}
	}
}

// TestDropped: a packet without a route is dropped at its source and takes no time. A packet
// without a permitted channel on its path is dropped at that switch.
func TestDropped(t *testing.T) {
	r := relation(t, "line:4", "dor")
	dead := &modeltest.Relation{Net: r.Network(), Dests: []model.HostID{0, 1, 2, 3}}
	dead.Injects = func(_ model.HostID, d model.DestID) []model.Class { return []model.Class{0, 1}[:min(int(d), 1)] }
	dead.NextHops = func(x model.State) []model.Hop {
		if c, _ := r.Network().Channel(x.VC); x.Dest == 3 && r.Network().Head(c) == 2 {
			return nil
		}
		return r.Next(x, nil)
	}
	var got []engine.Delivery
	s, err := New(dead, lists{{{Dest: 3, Flits: 4}, {Dest: 2, Flits: 4}, {Dest: 0, Flits: 4}}, {{Dest: 0, Flits: 4}, {Dest: 1, Flits: 4}}, nil, nil},
		paper(engine.Options{}), func(d engine.Delivery) { got = append(got, d) })
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 200); err != nil {
		t.Fatal(err)
	}
	if s.Dropped() != 2 || s.Delivered() != 3 || s.InNetwork() != 0 || got[0].Dest != 1 || got[0].Injected != 0 {
		t.Errorf("%d dropped, %d in the network, delivered %v", s.Dropped(), s.InNetwork(), got)
	}
}

// TestRefused: New and Run reject unsupported options with the expected errors.
func TestRefused(t *testing.T) {
	good := engine.Options{Timing: engine.Paper, Switching: model.CutThrough}
	for _, c := range []struct {
		spec   string
		change func(o *engine.Options)
		want   string
	}{
		{"ring:4", func(o *engine.Options) { o.Timing = "" }, `router model ""`},
		{"ring:4", func(o *engine.Options) { o.Timing = engine.BookSim }, `router model "booksim"`},
		{"ring:4", func(o *engine.Options) { o.Switching = model.Wormhole }, `switching "wormhole"`},
		{"ring:4", func(o *engine.Options) { o.Switching = "" }, `switching ""`},
		{"ring:4,vcs=2", func(*engine.Options) {}, "2 VCs"},
		{"ring:4", func(o *engine.Options) { o.Atomic = true }, "atomic"},
		{"ring:4", func(o *engine.Options) { o.EjectClocks = 2 }, "2 clocks a flit to the hosts and 1 elsewhere"},
		{"ring:4", func(o *engine.Options) { o.Select = "best" }, `no selection "best"`},
		{"ring:4", func(o *engine.Options) { o.Arbiter = "coin" }, `no arbiter "coin"`},
		{"ring:4", func(o *engine.Options) { o.BufferFlits = -1 }, "a buffer of -1 flits"},
		{"ring:4", func(o *engine.Options) { o.MaxFlits = maxBuffer + 1 }, "a buffer of 16385 flits"},
		{"ring:4", func(o *engine.Options) { o.BufferFlits, o.MaxFlits = 8, 9 }, "8 flits are less than a packet of 9"},
		{"ring:4", func(o *engine.Options) { o.LinkClocks = -1 }, "-1 clocks a flit"},
		{"ring:4", func(o *engine.Options) { o.LinkClocks = maxClocks + 1 }, "1025 clocks a flit"},
	} {
		o := good
		c.change(&o)
		if _, err := New(relation(t, c.spec, "minimal"), lists{}, o, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %+v: error %v, %q was expected", c.spec, o, err, c.want)
		}
	}
	r := relation(t, "ring:4", "minimal")
	for _, c := range []struct {
		packet engine.Packet
		want   string
	}{
		{engine.Packet{Created: 5, Dest: 1, Flits: 9}, "a packet of 9 flits from host 0"},
		{engine.Packet{Created: 5, Dest: 1, Flits: 0}, "a packet of 0 flits"},
		{engine.Packet{Created: 5, Dest: 4, Flits: 1}, "to destination 4, destinations are 0 to 3"},
	} {
		s, err := New(r, lists{{c.packet}, nil, nil, {{Dest: 0, Flits: 2}}}, good, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := s.Run(context.Background(), 100); err == nil || !strings.Contains(err.Error(), c.want) || s.Now() != 6 {
				t.Errorf("%+v: clock %d, error %v, %q was expected", c.packet, s.Now(), err, c.want)
			}
		}
	}
	wrong := &modeltest.Relation{Net: r.Network(), Dests: []model.HostID{0, 1, 2, 3}, NextHops: func(model.State) []model.Hop { return []model.Hop{{VC: 0}} }}
	s, err := New(wrong, lists{nil, {{Dest: 0, Flits: 1}}, nil, nil}, good, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 100); err == nil || !strings.Contains(err.Error(), "which leaves another switch") {
		t.Error(err)
	}
}

// TestCanceled: a run ends with its context, and can continue with another one.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := saturated(t, 1, nil)
	delivered := s.Delivered()
	s.report = func(engine.Delivery) {
		if delivered++; delivered == 500 {
			cancel()
		}
	}
	if err := s.Run(ctx, 1_000_000_000); !errors.Is(err, context.Canceled) || s.Now() > 20_000 {
		t.Fatalf("clock %d, %v", s.Now(), err)
	}
	at := s.Now()
	if err := s.Run(ctx, 10); !errors.Is(err, context.Canceled) || s.Now() != at {
		t.Errorf("clock %d, %v", s.Now(), err)
	}
	if err := s.Run(context.Background(), 1000); err != nil || s.Now() != at+1000 {
		t.Errorf("clock %d, %v", s.Now(), err)
	}
}

// TestIdle: clocks without events take no time, whatever their number.
func TestIdle(t *testing.T) {
	r := relation(t, "ring:4", "minimal")
	s, err := New(r, lists{{{Created: 1 << 60, Dest: 1, Flits: 8}}, nil, nil, nil}, paper(engine.Options{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, clocks := range []engine.Clock{-5, 0, 1 << 59, 1 << 59, 15} {
		if err := s.Run(context.Background(), clocks); err != nil {
			t.Fatal(err)
		}
	}
	if s.Now() != 1<<60+15 || s.Delivered() != 0 || s.InNetwork() != 1 {
		t.Errorf("clock %d, %d delivered", s.Now(), s.Delivered())
	}
	if err := s.Run(context.Background(), never); err != nil || s.Delivered() != 1 || s.Now() != never {
		t.Errorf("clock %d, %d delivered, %v", s.Now(), s.Delivered(), err)
	}
}

// TestNoAllocation: when all lists have reached their length, a run allocates nothing.
func TestNoAllocation(t *testing.T) {
	s := saturated(t, 1, func(engine.Delivery) {})
	if err := s.Run(context.Background(), 20000); err != nil {
		t.Fatal(err)
	}
	if a := testing.AllocsPerRun(10, func() {
		if err := s.Run(context.Background(), 2000); err != nil {
			t.Fatal(err)
		}
	}); a > 0 {
		t.Errorf("%v allocations in 2000 clocks", a)
	}
}
