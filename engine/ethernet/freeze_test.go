package ethernet

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file tests the search for freezes. Oracles: dependencies of the flows' ways by
// Kahn peeling, and a network whose sources are turned off: what can move leaves it.

// TestTwoPriorities: a second priority for one of four flows breaks the cycle; PAUSE,
// which stops the whole link, does not know of that.
func TestTwoPriorities(t *testing.T) {
	n := paperRing(t, 2)
	r, flows := cyclic(t, n, hostRate, 1)
	if _, got := simulate(t, r, flows, Options{Control: PFC}, 5000); got.Deadlock != nil || got.Lost > 0 || got.Goodput < 1.8e9 {
		t.Errorf("pfc: deadlock %+v, %d frames lost, %v bit/s", got.Deadlock, got.Lost, got.Goodput)
	}
	if _, got := simulate(t, r, flows, Options{Control: Pause}, 500); got.Deadlock == nil || got.Deadlock.Blocked[0].Priority != -1 {
		t.Errorf("pause: deadlock %+v", got.Deadlock)
	}
}

// scene is a small network with random shortest paths.
type scene struct {
	net  *model.Network
	ways []route.Path
	o    Options
}

// draw makes a ring (or, cut, a line) with chords, a host or two at each switch, and on
// half of the rings flows all round, each over two links. Long cables and searches often
// make it likely that a search comes while PAUSEs are in transit.
func draw(t *rapid.T, tb testing.TB) scene {
	switches, vcs := rapid.IntRange(4, 6).Draw(t, "switches"), rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "VCs")
	var links [][2]int
	cut := rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "cut")
	for u := range switches - cut {
		links = append(links, [2]int{u, (u + 1) % switches})
	}
	chords := rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "chords")
	for range chords {
		u := rapid.IntRange(0, switches-3).Draw(t, "chord")
		links = append(links, [2]int{u, u + 2})
	}
	var hosts []int
	for i := range switches * rapid.IntRange(1, 2).Draw(t, "hosts") {
		hosts = append(hosts, i%switches)
	}
	x := scene{net: wired(tb, switches, vcs, links, hosts)}
	if cut == 0 && rapid.Bool().Draw(t, "round") {
		for u := range switches {
			v, w := (u+1)%switches, (u+2)%switches
			x.ways = append(x.ways, path(tb, x.net, u, w, rapid.IntRange(0, vcs-1).Draw(t, "priority"), u, v, w))
		}
	}
	for range rapid.IntRange(3, 12).Draw(t, "flows") {
		from := rapid.IntRange(0, len(hosts)-1).Draw(t, "from")
		to := (from + rapid.IntRange(1, len(hosts)-1).Draw(t, "to")) % len(hosts)
		p := x.shortest(t, model.HostID(from), model.HostID(to))
		if !slices.ContainsFunc(x.ways, func(q route.Path) bool { return q.Source == p.Source && q.Dest == p.Dest }) {
			x.ways = append(x.ways, p) // a pair's second way would have another class
		}
	}
	x.o = Options{
		Control: rapid.SampledFrom([]Control{Pause, PFC}).Draw(t, "control"), Seed: rapid.Uint64().Draw(t, "seed"),
		Warmup: -1, Window: 4 * Millisecond, GoOn: true, QueueFrames: 4, ScanEvery: 2 * Microsecond,
		Propagation: Time(rapid.SampledFrom([]int64{0, 1e6, 2e7, 6e7}).Draw(t, "propagation")),
	}
	above := rapid.IntRange(1, 8).Draw(t, "xoff")
	x.o.BufferBytes = Headroom(x.o) + 1516*above
	x.o.XonBytes = 1516 * rapid.IntRange(0, above-1).Draw(t, "xon")
	return x
}

// shortest walks from host to host, each hop nearer, priorities at random.
func (x *scene) shortest(t *rapid.T, from, to model.HostID) route.Path {
	n, p := x.net, route.Path{Source: from, Dest: to}
	goal := n.Host(to).Switch
	far := make([]int, n.NumSwitches()) // hops to goal, plus 1
	far[goal] = 1
	for i, list := 0, []model.SwitchID{goal}; i < len(list); i++ {
		for _, c := range n.Out(list[i]) {
			if w := n.Head(c); w != model.NoSwitch && far[w] == 0 {
				far[w] = far[list[i]] + 1
				list = append(list, w)
			}
		}
	}
	for at := n.Host(from).Switch; at != goal; {
		var may []model.ChannelID
		for _, c := range n.Out(at) {
			if w := n.Head(c); w != model.NoSwitch && far[w] < far[at] {
				may = append(may, c)
			}
		}
		c := rapid.SampledFrom(may).Draw(t, "hop")
		p.VCs = append(p.VCs, n.VC(c, rapid.IntRange(0, n.VCs()-1).Draw(t, "priority")))
		at = n.Head(c)
	}
	return p
}

// buffer is what VC v is accounted to.
func (x *scene) buffer(v model.VCID) Buffer {
	c, i := x.net.Channel(v)
	if x.o.Control == Pause {
		i = -1
	}
	return Buffer{c, i}
}

// dependencies returns the pairs of buffers that follow each other on a way.
func (x *scene) dependencies(p route.Path) (pairs [][2]Buffer) {
	way := []Buffer{x.buffer(x.net.VC(x.net.InjectChannel(p.Source), 0))}
	for _, v := range p.VCs {
		way = append(way, x.buffer(v))
		pairs = append(pairs, [2]Buffer(way[len(way)-2:]))
	}
	return pairs
}

// acyclic takes away what nothing leads to, until nothing is left.
func (x *scene) acyclic() bool {
	var pairs [][2]Buffer
	for _, p := range x.ways {
		pairs = append(pairs, x.dependencies(p)...)
	}
	for {
		into := map[Buffer]bool{}
		for _, p := range pairs {
			into[p[1]] = true
		}
		before := len(pairs)
		pairs = slices.DeleteFunc(pairs, func(p [2]Buffer) bool { return !into[p[0]] })
		if len(pairs) == before {
			return before == 0
		}
	}
}

// TestFreezes checks that a network without a dependency cycle does not freeze. If a network
// freezes, the reported cycle is a dependency cycle, and its frames never move again. When no host
// sends any more, the network becomes empty if and only if nothing is frozen.
func TestFreezes(t *testing.T) {
	frozen, cycles := 0, 0
	rapid.Check(t, func(d *rapid.T) {
		x := draw(d, t)
		r, flows := paths(t, x.net, 1e9, x.ways)
		s, err := New(r, flows, x.o)
		if err != nil {
			d.Fatal(err)
		}
		checked(d, s, 4*Millisecond, 3000)
		if s.count.lost > 0 {
			d.Fatalf("%d frames lost", s.count.lost)
		}
		found := s.deadlock
		if !x.acyclic() {
			cycles++
		} else if found != nil {
			d.Fatalf("no cycle of dependencies, and frozen: %+v", found)
		}
		if found != nil {
			frozen++
			x.checkCycle(d, found)
		}
		still := s.frozenFrames()
		turnOff(s)
		if err := s.Run(context.Background(), s.now+50*Millisecond); err != nil {
			d.Fatal(err)
		}
		for k, at := range still {
			if s.frame[k.index].id != k.id || s.frame[k.index].at != at {
				d.Fatalf("frozen frame %d has moved", k.id)
			}
		}
		if left := s.Result().InFlight; (left > 0) != (s.Frozen() != nil) || found != nil && left == 0 {
			d.Fatalf("%d frames left, frozen %+v, found before %+v", left, s.Frozen(), found)
		}
	})
	t.Logf("%d networks with cycles, %d froze", cycles, frozen)
}

// checkCycle holds the cycle of a freeze against the ways of the flows it names.
func (x *scene) checkCycle(t *rapid.T, d *Deadlock) {
	for i, k := range d.Cycle {
		b, next := d.Blocked[k], d.Blocked[d.Cycle[(i+1)%len(d.Cycle)]]
		if b.WaitsFor != next.Buffer {
			t.Fatalf("%+v waits for %+v, %+v comes next", b.Buffer, b.WaitsFor, next.Buffer)
		}
		way := x.ways[b.Flow]
		if !slices.Contains(x.dependencies(way), [2]Buffer{b.Buffer, b.WaitsFor}) || way.Source != b.Source || model.DestID(way.Dest) != b.Dest {
			t.Fatalf("flow %d, %+v: does not go from %+v to %+v", b.Flow, way, b.Buffer, b.WaitsFor)
		}
	}
}

type frameKey struct {
	index int32
	id    int64
}

// frozenFrames returns the place of each frame that is frozen now.
func (s *Sim) frozenFrames() map[frameKey]int32 {
	still, x := map[frameKey]int32{}, s.candidates()
	s.reduce(x)
	for _, i := range x.list {
		s.waitingFor(i, func(k int32, from *place) {
			if x.in[from.account] {
				still[frameKey{k, s.frame[k].id}] = s.frame[k].at
			}
		})
	}
	return still
}

// turnOff ends all applications; Check does not hold afterwards.
func turnOff(s *Sim) {
	events := slices.Clone(s.calendar.heap)
	s.calendar.heap = s.calendar.heap[:0]
	for _, e := range events {
		if e.arg != created {
			s.calendar.addUneven(int(e.arg), e.at, e.which)
		}
	}
	for c := range s.channel {
		s.channel[c].blocked = none
	}
}
