package engine

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// separate is a source that says that its hosts are independent.
type separate struct{ Source }

func (separate) Separate() bool { return true }

// Fork makes a separate source unable to be copied.
func (separate) Fork() Source { return nil }

// divided is the same simulation undivided and in parts.
type divided struct {
	whole, parts *Sim
	want, got    []Delivery
}

func newDivided(t interface{ Fatal(...any) }, r model.Relation, packets func() Source, o Options, parts, workers int, lazy bool) *divided {
	d := &divided{}
	var err error
	if d.whole, err = New(r, packets(), o, func(x Delivery) { d.want = append(d.want, x) }); err != nil {
		t.Fatal(err)
	}
	if d.parts, err = New(r, separate{packets()}, o, func(x Delivery) { d.got = append(d.got, x) }); err != nil {
		t.Fatal(err)
	}
	if lazy {
		d.parts.routes = newRoutes(&d.parts.state, r, 0) // as in a network whose table is too large to be filled at once
	}
	if d.parts.divide(parts, workers); d.parts.parts != nil {
		d.parts.parts.rate = 1 << 20 // as if much moved
	}
	return d
}

// run simulates clocks with both, and returns a difference.
func (d *divided) run(clocks Clock) error {
	a, b := d.whole, d.parts
	if err := a.Run(context.Background(), clocks); err != nil {
		return err
	}
	if b.parts == nil {
		if err := b.Run(context.Background(), clocks); err != nil {
			return err
		}
	} else if err := b.parts.run(context.Background(), &b.plainKernel, b.now+clocks); err != nil {
		return err
	}
	if a.now != b.now || a.counters != b.counters || a.sleepers != b.sleepers {
		return fmt.Errorf("clock %d: counters %+v and %d sleepers, want clock %d, %+v and %d", b.now, b.counters, b.sleepers, a.now, a.counters, a.sleepers)
	}
	if !slices.Equal(d.want, d.got) {
		return fmt.Errorf("clock %d: deliveries %v, want %v", a.now, d.got, d.want)
	}
	d.want, d.got = d.want[:0], d.got[:0]
	for v := range a.vc {
		x, y := a.vc[v], b.vc[v]
		x.id, x.last, x.answer, y.id, y.last, y.answer = 0, 0, 0, 0, 0, 0 // numbers of packets and answers differ
		if x != y {
			return fmt.Errorf("clock %d: VC %d differs: %+v, want %+v", a.now, v, y, x)
		}
	}
	for p := range a.port {
		x, y := a.port[p], b.port[p]
		if x.asleep, y.asleep = 0, 0; x != y { // the first one of a list
			return fmt.Errorf("clock %d: port %d differs: %+v, want %+v", a.now, p, y, x)
		}
	}
	if !slices.Equal(a.router, b.router) || !slices.Equal(a.grants, b.grants) {
		return fmt.Errorf("clock %d: the switches differ: %+v, want %+v", a.now, b.router, a.router)
	}
	if errs := b.Check(); len(errs) > 0 {
		return errs[0]
	}
	if x, y := a.Frozen(), b.Frozen(); !reflect.DeepEqual(x, y) {
		return fmt.Errorf("clock %d: frozen are %v, want %v", a.now, y, x)
	}
	return nil
}

// TestParts: a divided simulation has the same state and deliveries, in the same order, as an
// undivided one, for random relations with dead ends and deadlocks, and any numbers of parts,
// workers and clocks.
func TestParts(t *testing.T) {
	arrived, frozen, parted, widened := int64(0), 0, 0, 0
	check := func(t *rapid.T) {
		n := modeltest.Network(t, 8).WithVCs(rapid.IntRange(1, 3).Draw(t, "vcs"))
		r := modeltest.Adaptive(t, n, rapid.IntRange(1, 2).Draw(t, "classes"))
		o := rapid.SampledFrom(partOptions()).Draw(t, "options")
		if rapid.Bool().Draw(t, "latencies") {
			o.Channels = make([]model.ChannelAttributes, n.NumChannels())
			for c := range o.Channels {
				o.Channels[c] = model.ChannelAttributes{Latency: rapid.Int32Range(1, 9).Draw(t, "latency"), Buffer: rapid.Int32Range(0, 9).Draw(t, "buffer")}
			}
		}
		seed := rapid.Uint64().Draw(t, "seed")
		d := newDivided(t, r, func() Source { return numbered(burst(n, 5, 6, seed)) }, o, rapid.IntRange(2, 8).Draw(t, "parts"),
			rapid.IntRange(1, 3).Draw(t, "workers"), rapid.Bool().Draw(t, "lazy"))
		if d.parts.parts != nil {
			parted++
		}
		for d.whole.now < 200 {
			if err := d.run(Clock(rapid.IntRange(1, 40).Draw(t, "clocks"))); err != nil {
				t.Fatal(err)
			}
		}
		arrived += d.whole.delivered
		frozen += len(d.whole.Frozen())
		if d.parts.parts != nil && d.parts.routes.large != nil {
			widened++
		}
	}
	for range 5 { // in a few of 100 runs, one series of cases has no deadlock
		if rapid.Check(t, check); arrived > 0 && frozen > 0 && parted > 0 && widened > 0 {
			break
		}
	}
	t.Logf("%d packets arrived, %d are frozen, %d simulations had parts, %d of them many answers", arrived, frozen, parted, widened)
	if arrived == 0 || frozen == 0 || parted == 0 || widened == 0 {
		t.Error("some cases did not occur")
	}
}

// TestPartsNetworks is TestParts for regular networks, and until all packets have arrived.
func TestPartsNetworks(t *testing.T) {
	for k, c := range []struct{ spec, routing string }{
		{"mesh:4x4", "dor"}, {"torus:5x4,vcs=2", "dor-booksim"}, {"torus:4x3,vcs=3", "duato"}, {"mesh:4x4,hosts=2", "west-first"},
		{"mesh:3x3,vcs=16", "west-first"}, {"fattree:k=4,levels=3", "updown"}, {"dragonfly:a=4,h=2,p=2,vcs=2", "minimal"},
	} {
		r := routed(t, c.spec, c.routing)
		n := r.Network()
		for i, o := range partOptions() {
			if (i+k)%2 == 1 && !longtest.On() {
				continue // other networks have these options
			}
			d := newDivided(t, r, func() Source { return numbered(burst(n, 20, 1+i%9, uint64(i))) }, o, []int{2, 3, 8}[i%3], 1+i%4, i%2 == 1)
			if d.parts.parts == nil {
				t.Fatalf("%s is not divided", c.spec)
			}
			for d.whole.inNetwork > 0 || d.whole.now < 100 {
				if err := d.run(1 + Clock(i)*d.whole.now%7); err != nil {
					t.Fatalf("%s, %s, %+v: %v", c.spec, c.routing, d.whole.o, err)
				}
				if d.whole.now > 5000 {
					t.Fatalf("%s, %s, %+v: %d packets do not arrive", c.spec, c.routing, d.whole.o, d.whole.inNetwork)
				}
			}
		}
	}
}

// TestPartsDeadlock: Watch finds the same deadlock in the same clock.
func TestPartsDeadlock(t *testing.T) {
	r := routed(t, "torus:4x4", "dor")
	for seed := range uint64(10) {
		d := newDivided(t, r, func() Source { return numbered(burst(r.Network(), 40, 8, seed)) }, Options{}, 4, 2, false)
		want, err := d.whole.Watch(context.Background(), 5000)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.parts.Watch(context.Background(), 5000)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: deadlock %v, want %v", seed, got, want)
		}
	}
}

// TestPartsChosen: New divides large simulations, and their results are the same on several
// processors as undivided.
func TestPartsChosen(t *testing.T) {
	r := routed(t, "torus:64x64,vcs=2", "dor-booksim")
	run := func(workers int, separate bool) (list []Delivery, s *Sim) {
		var source Source = bench(t, "torus:64x64,vcs=2", "dor-booksim", 0.02, 2).source
		if !separate {
			source = struct{ Source }{source}
		}
		s, err := New(r, source, Options{Select: SelectDrawn, Workers: workers}, func(d Delivery) { list = append(list, d) })
		if err != nil {
			t.Fatal(err)
		}
		for _, clocks := range []Clock{100, 7, 93} {
			if err := s.Run(context.Background(), clocks); err != nil {
				t.Fatal(err)
			}
		}
		if (s.parts != nil) != (separate && workers > 1) {
			t.Errorf("%d workers, separate %v: divided %v", workers, separate, s.parts != nil)
		}
		return list, s
	}
	want, whole := run(3, false)
	for _, workers := range []int{1, 3} {
		got, s := run(workers, true)
		if s.parts != nil && s.parts.rate < teamHops {
			t.Errorf("%d flit hops a clock are too few for this test", s.parts.rate)
		}
		if len(want) < 500 || !slices.Equal(got, want) || s.counters != whole.counters {
			t.Errorf("%d workers: %d deliveries and counters %+v, want %d and %+v", workers, len(got), s.counters, len(want), whole.counters)
		}
	}
}

// TestNotDivided: simulations in which hosts or distant switches affect each other at once are not
// divided.
func TestNotDivided(t *testing.T) {
	r := routed(t, "torus:4x4,vcs=2", "dor")
	lists := func() Source { return burst(r.Network(), 5, 3, 1) }
	for _, c := range []struct {
		name   string
		source Source
		o      Options
		want   bool
	}{
		{"default", separate{lists()}, Options{}, true},
		{"a source that is not separate", lists(), Options{}, false},
		{"gates", separate{lists()}, Options{Gate: rule(t, "both,level=6,unit=packet")}, false},
		{"cut-through", separate{lists()}, Options{Switching: model.CutThrough, MaxFlits: 3}, false},
		{"congestion ahead", separate{lists()}, Options{Select: SelectAhead}, false},
		{"detours", separate{lists()}, Options{Select: SelectUGAL}, false},
	} {
		s, err := New(r, c.source, c.o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.divide(4, 2); (s.parts != nil) != c.want {
			t.Errorf("%s: divided %v, want %v", c.name, s.parts != nil, c.want)
		}
	}
}
