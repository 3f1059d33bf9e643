package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/packets"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// relationOf builds a routing of a network by name.
func relationOf(t *testing.T, spec, routing string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// runUniform simulates uniform traffic and returns the deadlock, if there is one.
func runUniform(t *testing.T, r model.Relation, o engine.Options, load float64, seed uint64) *engine.Deadlock {
	t.Helper()
	p, err := traffic.NewPattern("uniform", r.Network(), seed)
	if err != nil {
		t.Fatal(err)
	}
	source, err := traffic.New(r.Network(), p, traffic.Options{Load: load, Flits: 8, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	o.MaxFlits, o.Seed = 8, seed
	sim, err := engine.New(r, source, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := sim.Watch(context.Background(), 20_000)
	if err != nil {
		t.Fatal(err)
	}
	if errs := sim.Check(); len(errs) > 0 {
		t.Fatal(errs[0])
	}
	return d
}

// TestWaitingOneFreezes: an adaptive routing with an escape never freezes if packets wait for any
// hop. It freezes if they wait for one, and then each packet of the deadlock waits for a single
// VC.
func TestWaitingOneFreezes(t *testing.T) {
	r := relationOf(t, "mesh:4x4,vcs=2", "duato")
	frozen, seeds := 0, longtest.Share[uint64](10, 10)
	for seed := range seeds {
		for _, o := range []engine.Options{
			{Switching: model.CutThrough}, {Switching: model.StoreAndForward}, {Switching: model.CutThrough,
				Select: engine.SelectRandom}, {Switching: model.Wormhole, Atomic: true},
			{Switching: model.CutThrough, Timing: engine.Paper, Select: engine.SelectLoad, Arbiter: engine.FirstCome},
		} {
			if d := runUniform(t, r, o, 0.9, seed); d != nil {
				t.Errorf("%s, seed %d, any: frozen in clock %d", o.Switching, seed, d.Clock)
			}
			o.Waiting = model.WaitOne
			d := runUniform(t, r, o, 0.9, seed)
			if d == nil {
				continue
			}
			frozen++
			for _, p := range d.Packets {
				if len(p.Waits) > 1 {
					t.Errorf("%s, seed %d, one: a packet waits for %d VCs", o.Switching, seed, len(p.Waits))
				}
			}
		}
	}
	if frozen < 3*int(seeds) {
		t.Errorf("%d of %d runs under one froze", frozen, 5*seeds)
	}
}

// mixed is a relation in which packets commit to one hop in some states.
type mixed struct {
	model.Relation
	set func(model.State) bool
}

// Commits implements model.Committer.
func (m *mixed) Commits(s model.State) bool { return m.set(s) }

// TestWaitingFlows: if packets wait for one hop, all packets of a flow take one path, and the path
// depends on the seed.
func TestWaitingFlows(t *testing.T) {
	r := relationOf(t, "mesh:5x5", "minimal")
	paths := map[uint64]string{}
	for _, seed := range []uint64{1, 2, 3} {
		for _, w := range []model.Waiting{model.WaitAny, model.WaitOne} {
			o := engine.Options{Switching: model.CutThrough, Waiting: w, MaxFlits: 4, Seed: seed, Loads: true}
			sim, err := engine.New(r, &corner{left: 200, random: rand.New(rand.NewPCG(seed, 1))}, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := sim.Run(context.Background(), 5000); err != nil {
				t.Fatal(err)
			}
			used, path := 0, ""
			for c := range model.ChannelID(r.Network().NumLinkChannels()) {
				if f := sim.ChannelFlits(c); f > 0 {
					used, path = used+1, path+fmt.Sprint(c, " ")
				}
			}
			switch {
			case w == model.WaitAny && used <= 8:
				t.Errorf("seed %d, any: %d channels used by a stream that finds the first free one", seed, used)
			case w == model.WaitOne && used != 8:
				t.Errorf("seed %d, one: %d channels used, the path of a flow has 8", seed, used)
			case w == model.WaitOne:
				paths[seed] = path
			}
		}
	}
	if paths[1] == paths[2] && paths[2] == paths[3] {
		t.Errorf("three seeds give one path %s", paths[1])
	}
}

// corner sends short packets from host 0 to the last host.
type corner struct {
	left   int
	at     engine.Clock
	random *rand.Rand
}

// Next implements engine.Source.
func (c *corner) Next(h model.HostID) (engine.Packet, bool) {
	if h != 0 || c.left == 0 {
		return engine.Packet{}, false
	}
	c.left--
	return engine.Packet{Created: c.at, Source: 0, Dest: 24, Flits: 1 + c.random.IntN(4)}, true
}

// TestWaitingMixed: the relation decides for each state whether packets commit; Options.Waiting
// overrides it.
func TestWaitingMixed(t *testing.T) {
	r := relationOf(t, "mesh:4x4,vcs=2", "duato")
	all := &mixed{r, func(model.State) bool { return true }}
	none := &mixed{r, func(model.State) bool { return false }}
	o := engine.Options{Switching: model.CutThrough}
	if runUniform(t, all, o, 0.9, 1) == nil || runUniform(t, none, o, 0.9, 1) != nil {
		t.Error("what the relation says has no effect")
	}
	if o.Waiting = model.WaitAny; runUniform(t, all, o, 0.9, 1) != nil {
		t.Error("waiting any does not override the relation")
	}
	if o.Waiting = model.WaitOne; runUniform(t, none, o, 0.9, 1) == nil {
		t.Error("waiting one does not override the relation")
	}
}

// TestWaitingRefused: unknown words are errors, and so is waiting for one hop in the kernel of
// packet events.
func TestWaitingRefused(t *testing.T) {
	r := relationOf(t, "mesh:3x3", "minimal")
	silent := &corner{}
	for _, w := range []model.Waiting{"all", model.WaitMixed} {
		if _, err := engine.New(r, silent, engine.Options{Waiting: w}, nil); err == nil {
			t.Errorf("waiting %s is accepted", w)
		}
	}
	o := engine.Options{Timing: engine.Paper, Switching: model.CutThrough, Waiting: model.WaitOne}
	if _, err := packets.New(r, silent, o, nil); err == nil {
		t.Error("packet events take waiting one")
	}
}
