package modeltest

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// This file is the conformance suite of relations: the contract that every implementation of
// model.Relation must satisfy.

// Conformance checks that r satisfies the contract of model.Relation:
//
//   - Destinations, classes and hops are in range. Hops leave the switch of the packet, without
//     duplicates, and never on an injection channel.
//
//   - Inject and Next append to the buffer without changing its content. The same call gives the same
//     result in the same order, from several goroutines as well, and in unreachable states.
//
//   - Next does not allocate if the buffer has capacity.
//
//   - At the destination's switch the only hop is VC 0 of the destination's ejection channel.
//     Elsewhere no hop ejects.
//
//   - A model.Grouped relation has the same hops for all VCs of a group.
//
//   - The symmetries of a model.Symmetric relation map the states of each destination to those of its image.
//
//   - A model.SwitchRouted relation treats the destinations of a switch in the same manner.
//
// "Next does not allocate" and the rule about ejection need not hold for forwarding tables. If r is
// Weighted or HopWeighted, each class or hop has a weight of at least 1. Conformance visits every reachable state and
// some others, on a small network all of them. Cost: about a microsecond per state and hop.
func Conformance(t testing.TB, r model.Relation) {
	t.Helper()
	conform(t, r, false)
}

// PassingConformance is Conformance without the last rule: packets may pass through their
// destination's switch.
func PassingConformance(t testing.TB, r model.Relation) {
	t.Helper()
	conform(t, r, true)
}

func conform(t testing.TB, r model.Relation, passes bool) {
	t.Helper()
	c := &conformance{TB: t, r: r, passes: passes, n: r.Network(), seen: map[model.State][]model.Hop{}}
	c.header()
	c.injections()
	for i := 0; i < len(c.todo); i++ {
		c.visit(c.todo[i])
	}
	c.unreachableStates()
	c.switchRouted()
	c.grouped()
	c.symmetric()
	c.concurrent()
	c.allocations()
}

type conformance struct {
	testing.TB
	r    model.Relation
	n    *model.Network
	seen map[model.State][]model.Hop
	todo []model.State

	passes bool // packets may pass through their destination's switch
}

func (c *conformance) header() {
	c.Helper()
	for _, err := range c.n.Check() {
		c.Error(err)
	}
	if k := c.r.Classes(); k < 1 {
		c.Fatalf("%d classes", k)
	}
	if s := c.r.Sources(); s < 0 || s > c.n.NumEndpoints() {
		c.Fatalf("%d sources, the network has %d endpoints", s, c.n.NumEndpoints())
	}
	for d := range model.DestID(c.r.Destinations()) {
		if h := c.r.DestinationHost(d); h < 0 || int(h) >= c.n.NumEndpoints() {
			c.Fatalf("destination %d is endpoint %d of %d", d, h, c.n.NumEndpoints())
		}
	}
}

// injections checks Inject and collects the initial states of packets.
func (c *conformance) injections() {
	c.Helper()
	mark := []model.Class{77}
	for h := range model.HostID(c.r.Sources()) {
		for d := range model.DestID(c.r.Destinations()) {
			if !model.Sends(c.r, h, d) {
				continue
			}
			got := c.r.Inject(h, d, slices.Clone(mark))
			if again := c.r.Inject(h, d, nil); got[0] != 77 || !slices.Equal(got[1:], again) {
				c.Fatalf("Inject(%d, %d) gives %v after 77, then %v", h, d, got, again)
			}
			if w := model.Weights(c.r, h, d, got[1:], nil); len(w) != len(got[1:]) || slices.Contains(w, 0) {
				c.Fatalf("Inject(%d, %d) gives %v with weights %v", h, d, got[1:], w)
			}
			for i, k := range got[1:] {
				if k < 0 || int(k) >= c.r.Classes() || slices.Contains(got[1:][:i], k) {
					c.Fatalf("Inject(%d, %d) gives classes %v of %d", h, d, got[1:], c.r.Classes())
				}
				c.push(model.InjectState(c.r, h, d, k))
			}
		}
	}
}

func (c *conformance) push(s model.State) {
	if _, known := c.seen[s]; !known {
		c.seen[s] = nil
		c.todo = append(c.todo, s)
	}
}

// visit checks the hops of a reachable state and collects the next states.
func (c *conformance) visit(s model.State) {
	c.Helper()
	hops := c.hops(s)
	c.seen[s] = hops
	in, _ := c.n.Channel(s.VC)
	to := c.r.DestinationHost(s.Dest)
	home := c.n.Host(to).Switch == c.n.Head(in)
	if x, ok := c.r.(model.HopWeighted); ok {
		if w := x.HopWeights(s, nil); len(w) != len(hops) || slices.Contains(w, 0) {
			c.Fatalf("%s: %d hops with weights %v", c.name(s), len(hops), w)
		}
	}
	if eject := c.n.VC(c.n.EjectChannel(to), 0); home && !c.passes && (len(hops) != 1 || hops[0].VC != eject) {
		c.Fatalf("%s: at its destination's switch the hops are %v, not VC %d", c.name(s), hops, eject)
	}
	for _, h := range hops {
		if c.n.IsLinkVC(h.VC) {
			c.push(model.State{VC: h.VC, Dest: s.Dest, Class: h.Class})
		} else if !home {
			c.Fatalf("%s: is ejected (VC %d)", c.name(s), h.VC)
		}
	}
}

// hops returns the hops of s after checking that two calls agree and that the hops are valid.
func (c *conformance) hops(s model.State) []model.Hop {
	c.Helper()
	mark := model.Hop{VC: -7, Class: -7}
	got := c.r.Next(s, []model.Hop{mark})
	hops := got[1:]
	if again := c.r.Next(s, nil); got[0] != mark || !slices.Equal(hops, again) {
		c.Fatalf("%s: hops %v, asked again %v", c.name(s), got, again)
	}
	in, _ := c.n.Channel(s.VC)
	for i, h := range hops {
		if h.VC < 0 || int(h.VC) >= c.n.NumVCs() || h.Class < 0 || int(h.Class) >= c.r.Classes() {
			c.Fatalf("%s: hop %v of %d VCs and %d classes", c.name(s), h, c.n.NumVCs(), c.r.Classes())
		}
		if out, _ := c.n.Channel(h.VC); c.n.Tail(out) != c.n.Head(in) || c.n.Head(in) == model.NoSwitch {
			c.Fatalf("%s: hop %v leaves switch %d", c.name(s), h, c.n.Tail(out))
		}
		if slices.Contains(hops[:i], h) {
			c.Fatalf("%s: hop %v twice", c.name(s), h)
		}
	}
	return hops
}

func (c *conformance) name(s model.State) string {
	in, vc := c.n.Channel(s.VC)
	return fmt.Sprintf("%s channel %d, VC %d, from switch %d to %d, destination %d, class %d",
		c.n.Kind(in), in, vc, c.n.Tail(in), c.n.Head(in), s.Dest, s.Class)
}

// unreachableStates checks states that no packet reaches, a sample if there are many.
func (c *conformance) unreachableStates() {
	c.Helper()
	total := c.n.NumVCs() * c.r.Destinations() * c.r.Classes()
	for i := 0; i < total; i += 1 + total/20011 {
		k, rest := i%c.r.Classes(), i/c.r.Classes()
		s := model.State{VC: model.VCID(rest % c.n.NumVCs()), Dest: model.DestID(rest / c.n.NumVCs()), Class: model.Class(k)}
		if in, _ := c.n.Channel(s.VC); len(c.hops(s)) > 0 && c.n.Kind(in) == model.Eject {
			c.Fatalf("%s: a consumed packet goes on", c.name(s))
		}
	}
}

// switchRouted compares the destinations of each switch with the first of them.
func (c *conformance) switchRouted() {
	c.Helper()
	if s, ok := c.r.(model.SwitchRouted); !ok || !s.SwitchRouted() {
		return
	}
	first := map[model.SwitchID]model.DestID{}
	for d := range model.DestID(c.r.Destinations()) {
		host := c.r.DestinationHost(d)
		u := c.n.Host(host).Switch
		e, known := first[u]
		if !known {
			first[u] = d
			continue
		}
		for h := range model.HostID(c.r.Sources()) {
			if h == host || h == c.r.DestinationHost(e) {
				continue
			}
			if sends := model.Sends(c.r, h, d); sends != model.Sends(c.r, h, e) || sends && !slices.Equal(c.r.Inject(h, d, nil), c.r.Inject(h, e, nil)) {
				c.Fatalf("host %d sends to destinations %d and %d at one switch with classes %v and %v", h, d, e, c.r.Inject(h, d, nil), c.r.Inject(h, e, nil))
			}
		}
		for _, s := range c.todo {
			in, _ := c.n.Channel(s.VC)
			if s.Dest != d || c.n.Head(in) == u {
				continue // at u a packet is ejected: see visit
			}
			if other := c.hops(model.State{VC: s.VC, Dest: e, Class: s.Class}); !slices.Equal(c.hops(s), other) {
				c.Fatalf("%s: hops %v, to destination %d at the same switch %v", c.name(s), c.hops(s), e, other)
			}
		}
	}
}

// symmetric compares the states of each destination with those of its image.
func (c *conformance) symmetric() {
	c.Helper()
	s, ok := c.r.(model.Symmetric)
	if !ok {
		return
	}
	destOf := map[model.HostID]model.DestID{}
	for d := range model.DestID(c.r.Destinations()) {
		destOf[c.r.DestinationHost(d)] = d
	}
	for _, a := range s.Symmetries() {
		if len(destOf) < c.r.Destinations() {
			c.Fatal("a relation with symmetries has an endpoint with two destinations")
		}
		for d := range model.DestID(c.r.Destinations()) {
			image, ok := destOf[a.Host(c.r.DestinationHost(d))]
			if !ok {
				c.Fatalf("destination %d has no image", d)
			}
			for h := range model.HostID(c.r.Sources()) {
				if sends := model.Sends(c.r, h, d); sends != model.Sends(c.r, a.Host(h), image) || sends &&
					!slices.Equal(c.r.Inject(h, d, nil), c.r.Inject(a.Host(h), image, nil)) {
					c.Fatalf("host %d sends to destination %d otherwise than their images", h, d)
				}
			}
		}
		for _, at := range c.todo {
			var want []model.Hop
			for _, h := range c.hops(at) {
				want = append(want, model.Hop{VC: a.VC(h.VC), Class: h.Class})
			}
			got := slices.Clone(c.hops(model.State{VC: a.VC(at.VC), Dest: destOf[a.Host(c.r.DestinationHost(at.Dest))], Class: at.Class}))
			for _, list := range [][]model.Hop{got, want} {
				slices.SortFunc(list, func(x, y model.Hop) int { return cmp.Or(cmp.Compare(x.VC, y.VC), cmp.Compare(x.Class, y.Class)) })
			}
			if !slices.Equal(got, want) {
				c.Fatalf("%s: the image has hops %v, want %v", c.name(at), got, want)
			}
		}
	}
}

// grouped compares the hops of the VCs of each group with those of the first one.
func (c *conformance) grouped() {
	c.Helper()
	g, ok := c.r.(model.Grouped)
	if !ok {
		return
	}
	first := map[int]model.VCID{}
	for v := range model.VCID(c.n.NumVCs()) {
		in, _ := c.n.Channel(v)
		if c.n.Head(in) == model.NoSwitch {
			continue
		}
		w, known := first[g.GroupOf(v)]
		if !known {
			if first[g.GroupOf(v)] = v; g.GroupOf(v) < 0 {
				c.Fatalf("VC %d has group %d", v, g.GroupOf(v))
			}
			continue
		}
		if other, _ := c.n.Channel(w); c.n.Head(other) != c.n.Head(in) {
			c.Fatalf("VCs %d and %d have one group and enter switches %d and %d", v, w, c.n.Head(in), c.n.Head(other))
		}
		for d := range model.DestID(c.r.Destinations()) {
			for k := range model.Class(c.r.Classes()) {
				s, other := model.State{VC: v, Dest: d, Class: k}, model.State{VC: w, Dest: d, Class: k}
				if a, b := c.hops(s), c.hops(other); !slices.Equal(a, b) {
					c.Fatalf("%s: hops %v, in the same group %s: %v", c.name(s), a, c.name(other), b)
				}
			}
		}
	}
}

// concurrent repeats all calls from several goroutines.
func (c *conformance) concurrent() {
	c.Helper()
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			var buf []model.Hop
			for i := w; i < len(c.todo); i += 3 {
				s := c.todo[i]
				if buf = c.r.Next(s, buf[:0]); !slices.Equal(buf, c.seen[s]) {
					c.Errorf("%s: hops %v, from another goroutine %v", c.name(s), c.seen[s], buf)
					return
				}
			}
		})
	}
	wait.Wait()
}

// allocations checks that Next does not allocate if the buffer has capacity.
func (c *conformance) allocations() {
	c.Helper()
	buf := make([]model.Hop, 0, 4*c.n.NumLinkVCs()+16)
	some := c.todo[:min(len(c.todo), 2000)]
	if a := testing.AllocsPerRun(1, func() {
		for _, s := range some {
			buf = c.r.Next(s, buf[:0])
		}
	}); a > 0 {
		c.Errorf("Next allocates: %v times for %d states", a, len(some))
	}
}
