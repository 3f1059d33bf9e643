package engine

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// plainOptions returns options that the plain kernel can run.
func plainOptions() []Options {
	return append(partOptions(), Options{Select: SelectFreeVCs}, Options{Select: SelectCrossbar}, Options{Select: SelectWeighted})
}

// partOptions returns those that parts of a simulation can run.
func partOptions() []Options {
	return []Options{
		{}, {Select: SelectDrawn}, {Select: SelectRandom}, {Select: SelectLoad, Loads: true}, {BufferFlits: 1}, {BufferFlits: 3, Select: SelectDrawn},
		{BufferFlits: 5}, {Delays: &Delays{0, 1, 1, 1, 1, 0, 0}}, {Delays: &Delays{2, 3, 1, 1, 3, 2, 0}, Select: SelectTurn}, {Loads: true, Seed: 7, Select: SelectDrawn},
	}
}

// numbered gives the packets of a source different IDs.
func numbered(l *listSource) Source {
	id := int64(0)
	for h := range l.lists {
		for i := range l.lists[h] {
			l.lists[h][i].ID = id
			id++
		}
	}
	return l
}

// pair is the same simulation with the plain and with the general kernel.
type pair struct {
	plain, general *Sim
	got            map[int64]Clock // by ID: arrivals with the general kernel that the plain kernel has not reported
	wrong          string
}

func newPair(t interface{ Fatal(...any) }, r model.Relation, packets func() Source, o Options) *pair {
	p := &pair{got: map[int64]Clock{}}
	var err error
	if p.general, err = New(r, packets(), o, func(d Delivery) { p.got[d.ID] = d.Arrived }); err != nil {
		t.Fatal(err)
	}
	p.general.plain = false
	p.general.newRouters()
	if p.plain, err = New(r, packets(), o, func(d Delivery) {
		if at, ok := p.got[d.ID]; !ok || at != d.Arrived {
			p.wrong = fmt.Sprintf("packet %d: clock %d with the plain kernel, %d with the general one", d.ID, d.Arrived, at)
		}
		delete(p.got, d.ID)
	}); err != nil {
		t.Fatal(err)
	}
	if !p.plain.plain {
		t.Fatal("the plain kernel does not run")
	}
	return p
}

// run simulates a clock with both kernels, and returns a difference.
func (p *pair) run() error {
	for _, s := range []*Sim{p.general, p.plain} {
		if err := s.Run(context.Background(), 1); err != nil {
			return err
		}
	}
	a, b := p.plain, p.general
	if p.wrong != "" || len(p.got) > 0 || a.counters != b.counters {
		return fmt.Errorf("clock %d: %s, %d packets are missing, counters %+v, want %+v", a.now-1, p.wrong, len(p.got), a.counters, b.counters)
	}
	for v := range a.vc {
		x, y := &a.vc[v], &b.vc[v]
		if x.have != y.have || x.credits != y.credits || x.owner != y.owner || x.packets != y.packets {
			return fmt.Errorf("clock %d: VC %d differs: %+v, want %+v", a.now-1, v, *x, *y)
		}
	}
	if errs := a.Check(); len(errs) > 0 {
		return errs[0]
	}
	if k, l := len(a.Frozen()), len(b.Frozen()); k != l {
		return fmt.Errorf("clock %d: %d packets are frozen, want %d", a.now-1, k, l)
	}
	return nil
}

// TestPlain: the plain kernel has the same buffers, counters and arrivals as the general one after
// every clock, for random relations with dead ends and deadlocks.
func TestPlain(t *testing.T) {
	arrived := int64(0)
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5).WithVCs(rapid.IntRange(1, 3).Draw(t, "vcs"))
		r := modeltest.Adaptive(t, n, rapid.IntRange(1, 2).Draw(t, "classes"))
		o := rapid.SampledFrom(plainOptions()).Draw(t, "options")
		seed := rapid.Uint64().Draw(t, "seed")
		p := newPair(t, r, func() Source { return numbered(burst(n, 5, 6, seed)) }, o)
		for range 150 {
			if err := p.run(); err != nil {
				t.Fatal(err)
			}
		}
		arrived += p.plain.delivered
	})
	if arrived == 0 {
		t.Error("no packet arrived")
	}
}

// TestPlainNetworks is TestPlain for regular networks, also with more than 64 VCs into a switch
// and with channels of different lengths.
func TestPlainNetworks(t *testing.T) {
	for k, c := range []struct{ spec, routing string }{
		{"mesh:4x4", "dor"}, {"torus:5x4,vcs=2", "dor-booksim"}, {"torus:4x3,vcs=3", "duato"}, {"mesh:4x4,vcs=4", "duato"},
		{"mesh:4x4,vcs=2", "fully-adaptive"}, {"mesh:3x3,vcs=16", "west-first"}, {"fattree:k=4,levels=3", "updown"},
	} {
		r := routed(t, c.spec, c.routing)
		n := r.Network()
		uneven := Options{Channels: make([]model.ChannelAttributes, n.NumChannels())}
		for c := range uneven.Channels {
			uneven.Channels[c] = model.ChannelAttributes{Latency: int32(1 + c%5), Buffer: int32(c % 7)}
		}
		for i, o := range append(plainOptions(), uneven) {
			if (i+k)%2 == 1 && !longtest.On() {
				continue // other networks have these options
			}
			p := newPair(t, r, func() Source { return numbered(burst(n, 20, 1+i%9, uint64(i))) }, o)
			for p.plain.inNetwork > 0 || p.plain.now < 100 {
				if err := p.run(); err != nil {
					t.Fatalf("%s, %s, %+v: %v", c.spec, c.routing, o, err)
				}
				if p.plain.now > 5000 {
					t.Fatalf("%s, %s, %+v: %d packets do not arrive", c.spec, c.routing, o, p.plain.inNetwork)
				}
			}
		}
	}
}
