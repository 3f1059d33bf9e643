package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// burst returns a source in which each host sends a fixed number of random packets. All are drawn
// in advance.
func burst(n *model.Network, packets, flits int, seed uint64) *listSource {
	random := rand.New(rand.NewPCG(seed, 0))
	l := &listSource{lists: make([][]Packet, n.NumHosts())}
	for h := range l.lists {
		at := Clock(0)
		for range packets {
			at += Clock(random.IntN(12))
			d := model.DestID(random.IntN(n.NumHosts()))
			if model.HostID(d) != model.HostID(h) {
				l.lists[h] = append(l.lists[h], Packet{Created: at, Source: model.HostID(h), Dest: d, Flits: 1 + random.IntN(flits)})
			}
		}
	}
	return l
}

func (l *listSource) total() (packets int64) {
	for _, list := range l.lists {
		packets += int64(len(list))
	}
	return packets
}

// everyOption returns number i of a list of options that covers every value of every option. The
// first seven are plain wormhole switching. In the others, buffers must hold 9 flits if whole
// packets need room.
func everyOption(i int) Options {
	if i < 7 {
		return Options{}
	}
	return []Options{
		{Switching: model.CutThrough},
		{Switching: model.StoreAndForward, Select: SelectLowest},
		{Atomic: true, Select: SelectRandom},
		{Timing: Paper, Switching: model.CutThrough, Arbiter: OldestFirst},
		{Timing: Paper, Switching: model.StoreAndForward, LinkClocks: 3},
		{Timing: Paper, Switching: model.CutThrough, Select: SelectLoad},
		{Select: SelectTurn, Arbiter: OldestFirst, EjectClocks: 2},
		{Timing: Paper, LinkClocks: 5, Select: SelectOrder},
		{Timing: Paper, Switching: model.CutThrough, Atomic: true, Loads: true},
		{Select: SelectDrawn, LinkClocks: 4, Delays: &Delays{0, 2, 1, 2, 3, 2, 0}},
		{Switching: model.CutThrough, Arbiter: FirstCome, Select: SelectRandom},
		{NotFull: true},
	}[i-7]
}

// TestConservation: in every clock all flits and slots are accounted for. On deadlock-free
// routings all packets arrive. Packets of a pair with one path and one VC arrive in the order of
// their creation.
func TestConservation(t *testing.T) {
	for _, c := range []struct{ spec, routing string }{
		{"mesh:4x4", "dor"}, {"mesh:3x3,vcs=2,hosts=2", "west-first"}, {"torus:4x4,vcs=2", "dor"}, {"torus:4x3,vcs=3", "duato"},
		{"mesh:4x4,vcs=2", "fully-adaptive"}, {"ring:5,vcs=2", "dor"}, {"random:switches=8,degree=3,seed=1,hosts=2",
			"updown"}, {"hypercube:3,vcs=4", "e-cube"}, {"complete:4", "minimal"},
	} {
		for i, buffer := range []int{1, 2, 3, 4, 5, 8, 13, 9, 9, 12, 20, 9, 9, 20, 3, 9, 11, 10, 2} {
			o := everyOption(i)
			o.BufferFlits = buffer
			n, err := topo.Parse(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			r, err := route.New(c.routing, n, route.Options{})
			if err != nil {
				t.Fatal(err)
			}
			source := burst(n, 12, 9, uint64(buffer))
			want := source.total()
			s, err := New(r, source, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			for s.delivered < want && s.now < 40000 {
				if err := s.Run(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				for _, err := range s.Check() {
					t.Fatalf("%s, %s, %+v: %v", c.spec, c.routing, o, err)
				}
			}
			if s.delivered != want || s.inNetwork != 0 {
				t.Errorf("%s, %s, %+v: %d of %d packets delivered in %d clocks", c.spec, c.routing, o, s.delivered, want, s.now)
			}
		}
	}
}

// TestAnyRelation: for random relations, also with dead ends and deadlocks, no flit is lost or
// duplicated.
func TestAnyRelation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5).WithVCs(rapid.IntRange(1, 3).Draw(t, "vcs"))
		o := everyOption(rapid.IntRange(6, 17).Draw(t, "options"))
		if o.BufferFlits = rapid.IntRange(1, 6).Draw(t, "buffer"); o.Switching != "" {
			o.BufferFlits += 5
		}
		n = drawLinks(t, n, o)
		r := modeltest.Adaptive(t, n, rapid.IntRange(1, 2).Draw(t, "classes"))
		s, err := New(r, burst(n, 5, 6, rapid.Uint64().Draw(t, "seed")), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			if err := s.Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			for _, err := range s.Check() {
				t.Fatal(err)
			}
		}
	})
}

// TestZeroLoad: a packet alone in the network takes 5 clocks a switch, 2 more, and one for each
// flit after the first (BookSim 2, default delays).
func TestZeroLoad(t *testing.T) {
	n, err := topo.Parse("mesh:6x6")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, flits := range []int{1, 2, 8, 30} {
		l, clock := &listSource{lists: make([][]Packet, n.NumHosts())}, Clock(0)
		var want []Clock
		for h := range l.lists {
			for d := range l.lists {
				clock += 200
				l.lists[h] = append(l.lists[h], Packet{Created: clock, Source: model.HostID(h), Dest: model.DestID(d), Flits: flits, ID: int64(len(want))})
				x, y := h%6-d%6, h/6-d/6
				want = append(want, clock+Clock(5*(max(x, -x)+max(y, -y)+1)+2+flits-1))
			}
		}
		s, err := New(r, l, Options{}, func(d Delivery) {
			if d.Arrived != want[d.ID] || d.Injected != d.Created {
				t.Errorf("%+v: clock %d was expected", d, want[d.ID])
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), clock+500); err != nil {
			t.Fatal(err)
		}
		if s.delivered != int64(len(want)) {
			t.Errorf("%d of %d packets", s.delivered, len(want))
		}
	}
}

// TestDelays: the latency of a packet alone in the network is the sum of the delays.
func TestDelays(t *testing.T) {
	n, err := topo.Parse("mesh:5x5,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []Delays{BookSimDelays(), {0, 1, 1, 1, 1, 0, 0}, {2, 3, 1, 1, 1, 0, 0}, {1, 1, 4, 0, 1, 7, 0}, {1, 1, 1, 3, 5, 1, 0}, {3, 2, 2, 2, 20, 2, 0}} {
		l, clock := &listSource{lists: make([][]Packet, n.NumHosts())}, Clock(0)
		var want []Clock
		for h := range l.lists {
			for to := range l.lists {
				clock += 700
				l.lists[h] = append(l.lists[h], Packet{Created: clock, Source: model.HostID(h), Dest: model.DestID(to), Flits: 3, ID: int64(len(want))})
				x, y := h%5-to%5, h/5-to/5
				switches := max(x, -x) + max(y, -y) + 1
				want = append(want, clock+Clock(2+switches*(d.Route+d.VCAlloc+d.SwitchAlloc+d.Traversal)+(switches-1)*d.Link+1+3-1))
			}
		}
		got := 0
		s, err := New(r, l, Options{Delays: &d, BufferFlits: 64}, func(x Delivery) {
			if got++; x.Arrived != want[x.ID] {
				t.Errorf("%+v: %+v: clock %d was expected", d, x, want[x.ID])
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), clock+1000); err != nil {
			t.Fatal(err)
		}
		if got != len(want) {
			t.Errorf("%+v: %d of %d packets", d, got, len(want))
		}
	}
	for _, d := range []Delays{{-1, 1, 1, 1, 1, 0, 0}, {1, 0, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 0, 0, 0}, {1, 1, 1, 1, 1, 5000, 0}} {
		if _, err := New(r, &listSource{}, Options{Delays: &d}, nil); err == nil {
			t.Errorf("%+v was taken", d)
		}
	}
	if _, err := New(r, &listSource{}, Options{Timing: Paper, Delays: &Delays{1, 1, 1, 1, 1, 0, 0}}, nil); err == nil {
		t.Error("delays with another router model were taken")
	}
}

// TestFrozen: a ring without VCs freezes under load. The packets found do not move in the next ten
// thousand clocks, and some of them moved in the clock before the deadlock closed. With a dateline
// no packet is ever frozen.
func TestFrozen(t *testing.T) {
	for _, c := range []struct {
		spec, routing string
		freezes       bool
	}{{"ring:6", "dor", true}, {"torus:4x4", "dor", true}, {"ring:6,vcs=2", "dor", false}, {"mesh:4x4", "dor", false}, {"mesh:4x4", "minimal", true},
		{"torus:4x4,vcs=3", "duato", false}} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		source := burst(n, 400, 12, 7)
		want := source.total()
		s, err := New(r, source, Options{BufferFlits: 4}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var frozen []Blocked
		for s.delivered < want && s.now < 60000 && frozen == nil {
			if err := s.Run(context.Background(), 50); err != nil {
				t.Fatal(err)
			}
			frozen = s.Frozen()
		}
		if (frozen != nil) != c.freezes {
			t.Errorf("%s, %s: %d packets frozen in clock %d, %d of %d delivered", c.spec, c.routing, len(frozen), s.now, s.delivered, want)
			continue
		}
		if frozen == nil {
			continue
		}
		arrived := map[model.HostID]bool{}
		s.report = func(d Delivery) {
			for _, b := range frozen {
				if b.Source == d.Source && b.Created == d.Created {
					arrived[d.Source] = true
				}
			}
		}
		if err := s.Run(context.Background(), 10000); err != nil {
			t.Fatal(err)
		}
		if len(arrived) > 0 {
			t.Errorf("%s, %s: packets of the deadlock arrived", c.spec, c.routing)
		}
		if again := s.Frozen(); len(again) < len(frozen) {
			t.Errorf("%s, %s: %d packets frozen, later %d", c.spec, c.routing, len(frozen), len(again))
		}
	}
}

// TestFrozenIsAll: if nothing moves for a long time, all packets in the network are frozen.
// Packets without a permitted VC have been dropped.
func TestFrozenIsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5).WithVCs(rapid.IntRange(1, 2).Draw(t, "vcs"))
		o := everyOption(rapid.IntRange(6, 16).Draw(t, "options"))
		if o.BufferFlits = rapid.IntRange(1, 4).Draw(t, "buffer"); o.Switching != "" {
			o.BufferFlits += 5
		}
		n = drawLinks(t, n, o)
		r := modeltest.Adaptive(t, n, 1)
		s, err := New(r, burst(n, 8, 6, rapid.Uint64().Draw(t, "seed")), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), 2000); err != nil {
			t.Fatal(err)
		}
		if s.now-s.lastMove < 100 {
			return // a packet may circulate for ever
		}
		if got := s.Frozen(); int64(len(got)) != s.inNetwork {
			t.Fatalf("nothing has moved since clock %d, %d packets are in the network, %d frozen", s.lastMove, s.inNetwork, len(got))
		}
	})
}

// TestGathered: gather, the first step of the search for deadlocks, finds in each VC exactly the
// flits in the buffer and in transit. With the flits that hosts have not sent, the packets are
// complete.
func TestGathered(t *testing.T) {
	halves := 0 // number of times a packet was seen of which its host has sent only a part
	for _, o := range []Options{{BufferFlits: 3}, {BufferFlits: 9, Switching: model.CutThrough, MaxFlits: 6}} {
		s, err := New(routed(t, "torus:4x4", "dor"), burst(routed(t, "torus:4x4", "dor").Network(), 40, 6, 11), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 150 {
			if err := s.Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			r := &reduction{kernel: &s.kernel}
			r.gather()
			r.settle()
			want, got := make([]int, len(s.vc)), make([]int, len(s.vc))
			for v := range s.vc {
				want[v] = int(s.vc[v].have)
			}
			for _, list := range s.arrivals {
				for _, v := range list {
					want[v]++
				}
			}
			for i := range r.all {
				x := &r.all[i]
				sum, sent := 0, 0
				for k, v := range x.on {
					got[v] += x.now[k]
					sum += x.have[k]
					sent += x.now[k]
				}
				if whole := int(s.packet[x.p].flits); !r.beyond(x) && sum+x.home != whole {
					t.Fatalf("clock %d: a packet of %d flits has %d", s.now, whole, sum+x.home)
				} else if sent < whole {
					halves++
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("clock %d: flits by VC %d, there are %d", s.now, got, want)
			}
		}
	}
	if halves < 100 {
		t.Errorf("%d packets half sent only", halves)
	}
}

// TestFrozenStays: packets that are frozen at any time, on any relation, stay frozen with their
// heads in the same place.
func TestFrozenStays(t *testing.T) {
	found := 0
	stays := func(t *rapid.T) {
		n := modeltest.Network(t, 5).WithVCs(rapid.IntRange(1, 2).Draw(t, "vcs"))
		o := everyOption(rapid.IntRange(6, 16).Draw(t, "options"))
		if o.BufferFlits = rapid.IntRange(1, 4).Draw(t, "buffer"); o.Switching != "" {
			o.BufferFlits += 5
		}
		n = drawLinks(t, n, o)
		r := modeltest.Adaptive(t, n, 1)
		s, err := New(r, burst(n, 8, 6, rapid.Uint64().Draw(t, "seed")), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		type place struct {
			source  model.HostID
			created Clock
			id      int64
			head    model.VCID
		}
		var before map[place]bool
		for range 25 {
			if err := s.Run(context.Background(), 8); err != nil {
				t.Fatal(err)
			}
			now := map[place]bool{}
			for _, b := range s.Frozen() {
				now[place{b.Source, b.Created, int64(b.ID), b.On[len(b.On)-1]}] = true
			}
			for p := range before {
				if !now[p] {
					t.Fatalf("clock %d: packet %+v was frozen 8 clocks before", s.now, p)
				}
			}
			before = now
			found += len(now)
		}
	}
	const enough = 300
	for i := 0; i < 80 && (i < 8 || found < enough); i++ { // only few of the random networks freeze
		rapid.Check(t, stays)
	}
	if found < enough {
		t.Errorf("%d frozen packets only", found)
	}
}
