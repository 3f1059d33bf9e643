package packets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// This file compares the simulation by packet events with the reference, packet by packet.

// lists is a source with given packets.
type lists [][]engine.Packet

// arbiters are the arbiters that both kernels support.
var arbiters = []engine.Arbiter{engine.RoundRobin, engine.OldestFirst}

func (l lists) Next(h model.HostID) (engine.Packet, bool) {
	if len(l[h]) == 0 {
		return engine.Packet{}, false
	}
	p := l[h][0]
	l[h] = l[h][1:]
	return p, true
}

func (l lists) total() (packets int) {
	for _, list := range l {
		packets += len(list)
	}
	return packets
}

// demand draws packets for each host, with an average gap in clocks. Lengths are 1 to longest
// flits if mixed, else longest. Some hosts send to themselves.
func demand(r model.Relation, packets, gap, longest int, mixed bool, seed uint64) lists {
	random := rand.New(rand.NewPCG(seed, 0))
	list := make(lists, r.Sources())
	id := int64(0)
	for h := range list {
		at := engine.Clock(0)
		for range packets {
			at += engine.Clock(random.IntN(2*gap + 1))
			flits := longest
			if mixed {
				flits = 1 + random.IntN(longest)
			}
			id++
			list[h] = append(list[h], engine.Packet{Created: at, Source: model.HostID(h), Dest: model.DestID(random.IntN(r.Destinations())), Flits: flits, ID: id * 7919 % 10007})
		}
	}
	return list
}

func relation(t testing.TB, spec, routing string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	name, against := strings.CutSuffix(routing, " against the order")
	r, err := route.New(name, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if against {
		return backwards(r)
	}
	return r
}

// backwards returns r with the order of preference reversed.
func backwards(r model.Relation) model.Relation {
	b := &modeltest.Relation{Net: r.Network(), NextHops: func(x model.State) []model.Hop {
		hops := r.Next(x, nil)
		slices.Reverse(hops)
		return hops
	}}
	for d := range model.DestID(r.Destinations()) {
		b.Dests = append(b.Dests, r.DestinationHost(d))
	}
	return b
}

// failer is a *testing.T or a *rapid.T.
type failer interface {
	Helper()
	Fatalf(string, ...any)
}

func inOrder(list []engine.Delivery) []engine.Delivery {
	return slices.SortedFunc(slices.Values(list), func(a, b engine.Delivery) int {
		return cmp.Or(cmp.Compare(a.Arrived, b.Arrived), cmp.Compare(a.Source, b.Source), cmp.Compare(a.ID, b.ID))
	})
}

// pair is a simulation and the reference for the same input.
type pair struct {
	fast *Sim
	slow *reference
	got  []engine.Delivery
	what string
}

func newPair(t failer, r model.Relation, l lists, o engine.Options) *pair {
	t.Helper()
	p := &pair{what: fmt.Sprintf("%+v", o), slow: newReference(r, slices.Clone(l), o)}
	var err error
	if p.fast, err = New(r, slices.Clone(l), o, func(d engine.Delivery) { p.got = append(p.got, d) }); err != nil {
		t.Fatalf("%v", err)
	}
	return p
}

// run runs both for the given clocks and compares all their results.
func (p *pair) run(t failer, clocks engine.Clock) {
	t.Helper()
	if err := p.fast.Run(context.Background(), clocks); err != nil {
		t.Fatalf("%s: %v", p.what, err)
	}
	p.slow.run(clocks)
	for _, err := range p.fast.Check() {
		t.Fatalf("%s: %v", p.what, err)
	}
	got, want := inOrder(p.got), inOrder(p.slow.got)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("%s: clock %d, %d and %d packets delivered, from the first that differ on:\n%v\n%v",
				p.what, p.fast.Now(), len(got), len(want), got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
	counts := [6]int64{int64(p.fast.Now()), p.fast.Delivered(), p.fast.InNetwork(), p.fast.Dropped(), p.fast.FlitHops()}
	if wanted := [6]int64{int64(p.slow.now), int64(len(want)), int64(len(p.slow.packets)), p.slow.dropped, p.slow.hops}; counts != wanted {
		t.Fatalf("%s: clock, delivered, in the network, dropped, flit hops: %v, not %v", p.what, counts, wanted)
	}
	if got, want := p.fast.Frozen(), p.slow.frozen(); !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: clock %d, frozen:\n%+v\n%+v", p.what, p.fast.Now(), got, want)
	}
	if p.fast.loads != nil {
		p.compareLoads(t)
	}
}

func (p *pair) compareLoads(t failer) {
	t.Helper()
	if got := p.fast.ChannelFlits(); !slices.Equal(got, p.slow.flits) {
		t.Fatalf("%s: clock %d, flits of channels:\n%v\n%v", p.what, p.fast.Now(), got, p.slow.flits)
	}
	n := p.slow.n
	for c := range model.ChannelID(n.NumChannels()) {
		if n.Kind(c) == model.Eject {
			continue
		}
		for _, out := range n.Out(n.Head(c)) {
			if got, want := p.fast.TurnFlits(c, out), p.slow.turns[[2]model.ChannelID{c, out}]; got != want {
				t.Fatalf("%s: clock %d, %d flits from channel %d to %d, not %d", p.what, p.fast.Now(), got, c, out, want)
			}
		}
	}
}

// cases are networks with routings. minimal, and dor on a ring, deadlock.
var cases = []struct{ spec, routing string }{
	{"ring:5,hosts=2", "dor"}, {"ring:4", "minimal"}, {"mesh:3x3,hosts=2", "dor"}, {"mesh:4x3", "west-first"}, {"mesh:3x3", "minimal"}, {"mesh:3x3,hosts=2", "minimal against the order"},
	{"random:switches=7,degree=3-4,hosts=3,seed=2", "updown"}, {"random:switches=6,degree=3,hosts=2,seed=5", "minimal"},
	{"fattree:k=4,levels=2", "updown"}, {"mesh:3x3,hosts=3", "odd-even"}, {"hypercube:3", "e-cube"},
}

// eachRun calls run for all cases and rules, with buffers of one packet, two, and two and a half,
// below and far above saturation.
func eachRun(t *testing.T, run func(what string, r model.Relation, l lists, o engine.Options)) {
	t.Helper()
	seed := uint64(0)
	for _, c := range cases {
		r := relation(t, c.spec, c.routing)
		for i := range len(selections) * 2 * 2 * 2 {
			seed++
			if bits.OnesCount(uint(i))%2 == 1 && os.Getenv("TURNPROOF_LONG") == "" {
				continue // half of the combinations contain every pair of options
			}
			random := rand.New(rand.NewPCG(seed, 1))
			o := engine.Options{
				Timing: engine.Paper, Switching: []model.Switching{model.CutThrough, model.StoreAndForward}[i%2],
				Arbiter: arbiters[i/2%2], LinkClocks: 1 + i/4%2*2, Select: selections[i/8],
				BufferFlits: []int{6, 12, 15}[seed%3], MaxFlits: 6, Seed: seed, Loads: random.IntN(2) == 0,
			}
			gap := []int{3, 60 * o.LinkClocks}[random.IntN(2)]
			run(fmt.Sprintf("%s, %s: %+v", c.spec, c.routing, o), r, demand(r, 12, gap, 6, random.IntN(3) > 0, seed), o)
		}
	}
}

// TestSameAsFlits: every packet leaves its host and arrives in the same clocks as in the
// reference, which simulates flit by flit.
func TestSameAsFlits(t *testing.T) {
	eachRun(t, func(what string, r model.Relation, l lists, o engine.Options) {
		p := newPair(t, r, l, o)
		p.what = what
		random := rand.New(rand.NewPCG(o.Seed, 2))
		for range 4 {
			p.run(t, engine.Clock(1+random.IntN(120*o.LinkClocks)))
		}
		p.run(t, 900)
	})
}

// TestSameAsKernel: the results also equal those of package engine.
func TestSameAsKernel(t *testing.T) {
	eachRun(t, func(what string, r model.Relation, l lists, o engine.Options) {
		var got, want []engine.Delivery
		fast, err := New(r, slices.Clone(l), o, func(d engine.Delivery) { got = append(got, d) })
		slow, other := engine.New(r, slices.Clone(l), o, func(d engine.Delivery) { want = append(want, d) })
		if err = errors.Join(err, other); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for range 10 {
			if err := errors.Join(fast.Run(context.Background(), 170), slow.Run(context.Background(), 170)); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if a, b := inOrder(got), inOrder(want); !slices.Equal(a, b) {
				t.Fatalf("%s: clock %d, delivered:\n%v\n%v", what, fast.Now(), a, b)
			}
			counts := func(s interface {
				InNetwork() int64
				FlitHops() int64
				Frozen() []engine.Blocked
			}) [3]int64 {
				return [3]int64{s.InNetwork(), s.FlitHops(), int64(len(s.Frozen()))}
			}
			if a, b := counts(fast), counts(slow); a != b {
				t.Fatalf("%s: clock %d, in the network, flit hops, frozen: %v, not %v", what, fast.Now(), a, b)
			}
		}
	})
}

// weighted gives the classes of a pair the weights 1, 3, 5, and the last one less for some pairs.
type weighted struct{ model.Relation }

// Weights implements model.Weighted.
func (w weighted) Weights(h model.HostID, d model.DestID, buf []uint32) []uint32 {
	for i := range w.Inject(h, d, nil) {
		buf = append(buf, uint32(2*i+1))
	}
	return buf
}

// TestSameOnAnyRelation: the results equal the reference for random relations, which may have dead
// ends, hosts without a path, delivery to a wrong host, and classes that change.
func TestSameOnAnyRelation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5)
		r := modeltest.Adaptive(t, n, rapid.IntRange(1, 2).Draw(t, "classes"))
		if r.NumClasses == 2 {
			r.Injects = func(h model.HostID, d model.DestID) []model.Class {
				return []model.Class{0, 1, 1, 0, 0}[(int(h)+int(d))%3:][:(int(h)+2*int(d))%4]
			}
		}
		longest := rapid.IntRange(1, 6).Draw(t, "longest")
		switching := []model.Switching{model.CutThrough, model.StoreAndForward}
		o := engine.Options{Timing: engine.Paper, Switching: rapid.SampledFrom(switching).Draw(t, "switching"),
			Select: rapid.SampledFrom(selections).Draw(t, "select"), Arbiter: rapid.SampledFrom(arbiters).Draw(t, "arbiter"),
			LinkClocks: rapid.IntRange(1, 5).Draw(t, "clocks"), BufferFlits: longest + rapid.IntRange(0, 9).Draw(t, "more"), Seed: rapid.Uint64().Draw(t, "seed"), Loads: true}
		gap := rapid.SampledFrom([]int{0, 2, 30}).Draw(t, "gap")
		var rel model.Relation = r
		if rapid.Bool().Draw(t, "weighted") {
			rel = weighted{r}
		}
		p := newPair(t, rel, demand(r, 6, gap, longest, rapid.Bool().Draw(t, "mixed"), o.Seed), o)
		for range 8 {
			p.run(t, engine.Clock(rapid.IntRange(0, 60).Draw(t, "run")))
		}
		p.run(t, 300)
	})
}

// TestManyPorts: the results are equal for a switch with more ports than a machine word has bits.
func TestManyPorts(t *testing.T) {
	r := relation(t, "star:70", "updown")
	for _, selection := range []engine.Selection{engine.SelectAll, engine.SelectTurn} {
		for _, arbiter := range arbiters {
			o := paper(engine.Options{Select: selection, Arbiter: arbiter, LinkClocks: 1, BufferFlits: 8})
			p := newPair(t, r, demand(r, 10, 4, 4, true, 3), o)
			p.run(t, 70)
			p.run(t, 500)
		}
	}
}

// TestFarEvents: the results are equal for packets so long, or so far apart, that events exceed
// the calendar's wheel.
func TestFarEvents(t *testing.T) {
	r := relation(t, "ring:4,hosts=2", "minimal")
	o := paper(engine.Options{Select: engine.SelectAll, Arbiter: engine.RoundRobin, LinkClocks: 30, BufferFlits: 60})
	p := newPair(t, r, demand(r, 5, 4000, 40, true, 9), o)
	for range 5 {
		p.run(t, 7001)
	}
}
