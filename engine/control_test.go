package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func rule(t testing.TB, text string) *gate.Rule {
	t.Helper()
	r, err := gate.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// routed returns a routing by name on the network of a spec.
func routed(t testing.TB, spec, routing string) model.Relation {
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

// controls returns options that together cover all kinds of control information.
func controls(t testing.TB) (list []Options) {
	for i, text := range []string{"turn,level=3", "injection,level=8,f=f4:16>1", "both,level=8,unit=packet", "both,level=8,vcs=any,hops=5",
		"turn,level=9,vcs=all,hops=3", "both,level=7,buffer=reserved,unit=packet,within=row", "turn,level=8,f=f2"} {
		o := Options{Switching: model.CutThrough, BufferFlits: 15, MaxFlits: 8, Gate: rule(t, text), Arbiter: Arbiters()[i%3]}
		if i%2 == 1 {
			o.Control = DedicatedControl
		}
		if i == 3 || i == 6 {
			o.Throttle = &Throttle{Mobility: 0.9, Occupancy: 0.1, ReleaseEmpty: true, Starts: i == 6}
		}
		if i == 2 {
			o.Timing = Paper
		}
		list = append(list, o)
	}
	return append(list, Options{Switching: model.CutThrough, BufferFlits: 15, MaxFlits: 8, Throttle: &Throttle{Mobility: 1, Occupancy: 0.3},
		LinkClocks: 2},
		Options{BufferFlits: 9, Select: SelectAhead}, Options{Switching: model.StoreAndForward, BufferFlits: 9, MaxFlits: 8, Select: SelectAhead,
			Gate: rule(t, "turn,level=1,unit=packet")})
}

// TestControl: in every clock the invariants hold, also those of VCinfo and counts. No flit passes
// a closed gate. Every packet that is not frozen arrives.
func TestControl(t *testing.T) {
	for _, c := range []struct{ spec, routing string }{{"torus:4x4,vcs=2", "dor"}, {"torus:4x3,vcs=3", "duato"}, {"mesh:4x4,vcs=2", "simple-adaptive"}} {
		for i, o := range controls(t) {
			r := routed(t, c.spec, c.routing)
			source := burst(r.Network(), 8, 8, uint64(i))
			s, err := New(r, source, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := source.total()
			for s.delivered < want && s.now < 20000 && s.Frozen() == nil {
				shut := s.shut()
				if err := s.Run(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				for _, err := range s.Check() {
					t.Fatalf("%s, %s, setting %d: %v", c.spec, c.routing, i, err)
				}
				for v, x := range shut {
					if y := &s.vc[v]; y.id == x.id && y.packets == x.packets && (y.left != x.left || y.state != x.state) {
						t.Fatalf("%s, %s, setting %d: clock %d: VC %d passed a closed gate", c.spec, c.routing, i, s.now-1, v)
					}
				}
			}
			if s.delivered < want && s.Frozen() == nil {
				t.Errorf("%s, %s, setting %d: %d of %d packets in %d clocks", c.spec, c.routing, i, s.delivered, want, s.now)
			}
		}
	}
}

// shut returns the VCs whose front packet can only continue through closed gates.
func (s *Sim) shut() map[int32]vc {
	list := map[int32]vc{}
	byFlit := find[*flitGates](&s.hooks)
	c := find[*gates](&s.hooks)
	switch {
	case byFlit != nil:
		c = &byFlit.gates
	case c == nil:
		return list
	}
	for v := range int32(len(s.vc)) {
		x := &s.vc[v]
		switch {
		case x.state == active && byFlit != nil && c.passes(&s.kernel, v, s.vc[x.target].in, 1<<(x.target%int32(s.vcs)), c.info[s.vc[x.target].in]) == 0:
			list[v] = *x
		case x.state == waiting:
			open := false
			s.eachOf(v, func(o int32, mask uint64) { open = open || c.passes(&s.kernel, v, o, mask, c.info[o]) != 0 })
			if !open {
				list[v] = *x
			}
		}
	}
	return list
}

// eachOf calls f for each port that the head of v may request, with the permitted VCs.
func (s *Sim) eachOf(v int32, f func(o int32, mask uint64)) {
	x := &s.vc[v]
	if x.answer == 0 {
		f(x.port, x.mask)
		return
	}
	in := &s.port[x.in]
	for _, set := range s.routes.sets[-1-x.answer] {
		f(s.outs[in.outBase+int32(set.port)], set.mask)
	}
}

// TestVCinfo: on a separate network, bit i of a channel is the state of the buffer i channels
// ahead, i clocks ago. Over idle channels it is that state or an older one.
func TestVCinfo(t *testing.T) {
	for _, path := range ControlPaths() {
		r := routed(t, "torus:5x4,vcs=2", "dor")
		s, err := New(r, burst(r.Network(), 30, 8, 1), Options{Switching: model.CutThrough, BufferFlits: 15, MaxFlits: 8, Gate: rule(t,
			"turn,level=8,hops=6,unit=packet"), Control: path}, nil)
		if err != nil {
			t.Fatal(err)
		}
		info := &find[*gates](&s.hooks).vcInfo
		var history [][]int16
		late := 0
		for range 400 {
			if err := s.Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			have := make([]int16, len(s.vc))
			for v := range s.vc {
				have[v] = s.vc[v].have
			}
			history = append(history, have)
			for _, p := range info.links {
				for i := range s.vcs {
					at := p
					for bit := 0; bit < min(6, len(history)); bit++ {
						full := 15-int(history[len(history)-1-bit][int(at)*s.vcs+i]) <= 8
						if got := info.info[p]>>(i*6+bit)&1 == 1; got != full {
							if late++; path == DedicatedControl {
								t.Fatalf("clock %d, port %d, VC %d, bit %d: %v, the buffer was %v", s.now, p, i, bit, got, full)
							}
						}
						at = info.ahead[at]
					}
				}
			}
		}
		if path == VirtualControl && late == 0 {
			t.Error("over busy channels nothing was late")
		}
	}
}

// TestCensus: every switch learns the true counts of a network in which nothing moves.
func TestCensus(t *testing.T) {
	r := routed(t, "torus:4x5", "dor")
	s, err := New(r, burst(r.Network(), 40, 8, 3), Options{Switching: model.CutThrough, BufferFlits: 8, MaxFlits: 8, Throttle: &Throttle{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 3000); err != nil || s.Frozen() == nil {
		t.Fatal("it did not freeze", err)
	}
	occupied := int32(0)
	for v := range s.vc {
		if s.vc[v].have > 0 {
			occupied++
		}
	}
	for u, all := range find[*counts](&s.hooks).rows[1].all {
		if all != (census{occupied, 0}) {
			t.Errorf("switch %d learns %+v, %d buffers are occupied", u, all, occupied)
		}
	}
	if find[*counts](&s.hooks).buffers != 4*5*5 {
		t.Errorf("%d buffers in all", find[*counts](&s.hooks).buffers)
	}
}

// TestStandingClock compares the sources' clock with a count of the clocks in which it was not
// stopped.
func TestStandingClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &counts{Throttle: &Throttle{Mobility: 1}, buffers: 1, paused: make([][]stop, 1), stopped: make([]bool, 1), rows: []row{{all: make([]census, 1)}}}
		own, at := Clock(0), map[Clock]Clock{} // at: by sources' clock: the clock of the simulation
		now := Clock(0)
		for ; now < 60; now++ {
			if !c.stopped[0] {
				at[own] = now
				own++
			}
			c.rows[0].all[0] = census{1, int32(rapid.IntRange(0, 1).Draw(t, "moving"))}
			c.decide(now, 0)
		}
		for x := range own + 3 {
			got, ok := c.when(0, x)
			if want, known := at[x]; known && (got != want || !ok) || !known && ok && got < now {
				t.Fatalf("own time %d is clock %d, %v; clock %d", x, got, ok, want)
			}
		}
	})
}

// TestThrottled: throttling delays the packets of hosts, and all of them arrive in the end.
func TestThrottled(t *testing.T) {
	sent := map[bool]Clock{}
	for _, throttled := range []bool{false, true} {
		r := routed(t, "torus:4x4,vcs=2", "dor")
		source := burst(r.Network(), 20, 8, 5)
		o := Options{Switching: model.CutThrough, BufferFlits: 15, MaxFlits: 8}
		if throttled {
			o.Throttle = &Throttle{Mobility: 1, Occupancy: 1, Starts: true}
		}
		last := Clock(0)
		s, err := New(r, source, o, func(d Delivery) { last = max(last, d.Injected) })
		if err != nil {
			t.Fatal(err)
		}
		for s.delivered < source.total() && s.now < 50000 {
			if err := s.Run(context.Background(), 10); err != nil {
				t.Fatal(err)
			}
		}
		if s.delivered < source.total() {
			t.Fatalf("%d of %d packets", s.delivered, source.total())
		}
		sent[throttled] = last
	}
	if sent[true] <= sent[false] {
		t.Errorf("the last packet set out in clock %d, without throttling in %d", sent[true], sent[false])
	}
}

// TestFrozenGates: a deadlock that only gates cause is found and persists. It is not found in the
// same network without gates.
func TestFrozenGates(t *testing.T) {
	for _, text := range []string{"", "injection,level=8,hops=4", "injection,level=8,hops=4,unit=packet"} {
		r := routed(t, "torus:8x8,vcs=2", "dor")
		o := Options{Switching: model.CutThrough, BufferFlits: 15, MaxFlits: 8, Arbiter: FirstCome}
		if text != "" {
			o.Gate = rule(t, text)
		}
		source := &listSource{lists: make([][]Packet, 64)}
		for h := range source.lists {
			for k := range 100 {
				source.lists[h] = append(source.lists[h], Packet{Source: model.HostID(h), Dest: model.DestID((h + 1 + (h*7+k*13)%63) % 64), Flits: 8})
			}
		}
		s, err := New(r, source, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Watch(context.Background(), 20000)
		if err != nil {
			t.Fatal(err)
		}
		if want := text == "injection,level=8,hops=4"; (d != nil) != want {
			t.Fatalf("%q: %+v", text, d)
		}
		if d == nil {
			if s.delivered != 6400 {
				t.Errorf("%q: %d packets arrived", text, s.delivered)
			}
			continue
		}
		half := 0
		for _, p := range d.Packets {
			half += len(p.Gated)
		}
		if half == 0 || int(d.Clock) >= int(s.now) {
			t.Errorf("%d packets stand half way before a gate, since clock %d of %d", half, d.Clock, s.now)
		}
		frozen := fmt.Sprint(len(s.Frozen()))
		if err := s.Run(context.Background(), 3000); err != nil || len(s.Frozen()) < len(d.Packets) {
			t.Errorf("%d packets were frozen, then %s, then %d", len(d.Packets), frozen, len(s.Frozen()))
		}
		if err := s.Run(context.Background(), 20000); err != nil || s.now-s.lastMove < 1000 || int64(len(s.Frozen())) != s.inNetwork {
			t.Errorf("%v: nothing moves since clock %d of %d: %d packets in the network, %d frozen", err, s.lastMove, s.now, s.inNetwork, len(s.Frozen()))
		}
	}
}

// TestPlace: a full ring of placed packets is frozen; a ring with a gap is not. Place rejects
// impossible positions.
func TestPlace(t *testing.T) {
	r := routed(t, "ring:4", "dor")
	n := r.Network()
	packet := func(u int) Placed {
		v := n.VC(n.OutAt(model.SwitchID(u), model.PlusPort(0)), 0)
		return Placed{Packet: Packet{Source: model.HostID(u), Dest: model.DestID((u + 2) % 4), Flits: 8}, On: []model.VCID{v}, Flits: []int{8}}
	}
	place := func(list []Placed) (*Sim, error) {
		s, err := New(r, &listSource{lists: make([][]Packet, 4)}, Options{Switching: model.CutThrough, BufferFlits: 8, MaxFlits: 8}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s, s.Place(list)
	}
	for k := 3; k <= 4; k++ {
		var list []Placed
		for u := range k {
			list = append(list, packet(u))
		}
		s, err := place(list)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if err := s.Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			for _, err := range s.Check() {
				t.Fatal(err)
			}
		}
		if frozen := len(s.Frozen()); frozen != k/4*4 || s.Delivered() != int64(k%4) {
			t.Errorf("of %d packets %d are frozen, %d arrived", k, frozen, s.Delivered())
		}
	}
	twice := []Placed{packet(0), packet(0)}
	if _, err := place(twice); err == nil || !strings.Contains(err.Error(), "more flits") {
		t.Error(err)
	}
	long := packet(0)
	long.On, long.Flits = append(long.On, packet(1).On[0]), []int{1, 7}
	if _, err := place([]Placed{packet(1), long}); err == nil {
		t.Error("8 and 7 flits in a buffer of 8")
	}
}

func TestControlErrors(t *testing.T) {
	grid, none := routed(t, "torus:4x4,vcs=4", "duato"), routed(t, "random:switches=8,degree=3,seed=1", "updown")
	for _, c := range []struct {
		r    model.Relation
		o    Options
		want string
	}{
		{none, Options{Gate: rule(t, "turn")}, "no coordinates"}, {none, Options{Throttle: &Throttle{}}, "sums over rows"}, {none,
			Options{Select: SelectAhead}, "no coordinates"},
		{grid, Options{Gate: rule(t, "turn,hops=17")}, "4 VCs and 17 hops is more than 64 bits"}, {grid,
			Options{Throttle: &Throttle{Mobility: 2}}, "a mobility of 2"},
		{grid, Options{Control: "wires"}, `no control path "wires", known are virtual, dedicated`},
	} {
		if _, err := New(c.r, &listSource{}, c.o, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
