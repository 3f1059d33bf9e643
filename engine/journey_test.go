package engine

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// everyone follows all packets.
type everyone struct{ ended map[int64]*Journey }

func (e *everyone) Follow(*Packet) bool { return true }

func (e *everyone) Ended(j *Journey) { e.ended[j.ID] = j }

func newEveryone() *everyone { return &everyone{map[int64]*Journey{}} }

// TestJourneyAlone: without competition a packet waits nowhere, its latency is 5H+2+L-1 clocks (or
// 3(H+1)+L-1, or that of other delays), and its hops are those of the relation.
func TestJourneyAlone(t *testing.T) {
	delays := Delays{Route: 2, VCAlloc: 1, SwitchAlloc: 2, Traversal: 1, Link: 3, Credit: 1}
	for _, c := range []struct {
		spec, routing string
		o             Options
		latency       func(h, l int) int
	}{
		{"mesh:5x4", "dor", Options{BufferFlits: 8}, func(h, l int) int { return 5*h + 2 + l - 1 }},
		{"torus:4x4,vcs=2", "dor", Options{BufferFlits: 8}, func(h, l int) int { return 5*h + 2 + l - 1 }},
		{"fattree:k=4", "updown", Options{BufferFlits: 8}, func(h, l int) int { return 5*h + 2 + l - 1 }},
		{"mesh:4x3", "dor", Options{Timing: Paper, Switching: model.CutThrough, BufferFlits: 16}, func(h, l int) int { return 3*(h+1) + l - 1 }},
		{"mesh:4x3", "dor", Options{BufferFlits: 16, Delays: &delays}, func(h, l int) int { return 2 + h*6 + (h-1)*3 + 1 + l - 1 }},
	} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for from := range model.HostID(n.NumHosts()) {
			to, flits := (from*7+3)%model.HostID(n.NumHosts()), 1+int(from)%6
			if to == from {
				continue
			}
			all := newEveryone()
			o := c.o
			o.MaxFlits, o.Follow = flits, all
			list := &listSource{lists: make([][]Packet, n.NumHosts())}
			list.lists[from] = []Packet{{Created: 5, Source: from, Dest: model.DestID(to), Flits: flits, ID: 9}}
			s, err := New(r, list, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(context.Background(), 400); err != nil {
				t.Fatal(err)
			}
			j := all.ended[9]
			if j == nil {
				t.Fatalf("%s: no journey from %d to %d", c.spec, from, to)
			}
			times := j.Times()
			if want := c.latency(len(j.Hops), flits); int(j.Ended-j.Created) != want || times.Waits() != 0 || int(times.Moving) != want {
				t.Errorf("%s, %d to %d: latency %d, want %d, %+v", c.spec, from, to, j.Ended-j.Created, want, times)
			}
			followsRelation(t, r, j)
			if c, _ := n.Channel(j.Hops[len(j.Hops)-1].Out); n.HostOf(c) != to || n.Kind(c) != model.Eject {
				t.Errorf("the last hop of the packet from %d to %d is to channel %d", from, to, c)
			}
		}
	}
}

// followsRelation fails if the hops are not a path of the relation from the host of a packet. A
// random relation may end it at another host than the destination.
func followsRelation(t interface{ Fatalf(string, ...any) }, r model.Relation, j *Journey) {
	n := r.Network()
	classes := r.Inject(j.Source, j.Dest, nil)
	at := map[model.Class]bool{} // classes that the packet may have
	for _, k := range classes {
		at[k] = true
	}
	for i, h := range j.Hops {
		if c, _ := n.Channel(h.In); i == 0 && c != n.InjectChannel(j.Source) {
			t.Fatalf("the first hop of %d is on channel %d", j.ID, c)
		}
		if i > 0 && h.In != j.Hops[i-1].Out {
			t.Fatalf("hop %d of %d: in %d, the hop before went to %d", i, j.ID, h.In, j.Hops[i-1].Out)
		}
		from, next := h.In, map[model.Class]bool{}
		if i == 0 {
			from = n.VC(n.InjectChannel(j.Source), 0) // the relation answers the same for all of them
		}
		for k := range at {
			for _, hop := range r.Next(model.State{VC: from, Class: k, Dest: j.Dest}, nil) {
				a, _ := n.Channel(hop.VC)
				b, _ := n.Channel(h.Out)
				if hop.VC == h.Out || a == b && n.Kind(b) == model.Eject { // any VC to a host will do
					next[hop.Class] = true
				}
			}
		}
		if len(next) == 0 {
			t.Fatalf("hop %d of %d: the relation does not permit %d after %d", i, j.ID, h.Out, h.In)
		}
		at = next
	}
}

// observed counts the waits of packets by looking at every VC after every clock. It shares no code
// with the record.
type observed struct{ source, vc, credit, sw map[int64]Clock }

// look notes what the packets wait for after a clock. A head with state waiting got no VC although
// it could request one from routed+ask on; a head with a VC has not left.
func (o *observed) look(s *Sim, routed map[int32]Clock) {
	now := s.now - 1
	for v := range int32(len(s.vc)) {
		x := &s.vc[v]
		if x.state != waiting && (x.state != active || !x.fresh) {
			delete(routed, v)
			continue
		}
		if _, ok := routed[v]; !ok {
			routed[v] = now
		}
		id := s.packet[x.id].id
		switch {
		case x.state == waiting:
			if now >= routed[v]+s.delay.ask {
				o.vc[id]++
			}
			delete(routed, -2-v)
		case routed[-2-v] == 0: // granted in this clock: it may leave in the next one, or (Paper) could have left
			routed[-2-v] = now + 1
			if s.o.Timing == Paper {
				o.count(s, id, x)
			}
		default:
			o.count(s, id, x)
		}
	}
}

func (o *observed) count(s *Sim, id int64, x *vc) {
	if s.vc[x.target].credits == 0 {
		o.credit[id]++
	} else {
		o.sw[id]++
	}
}

// TestJourneys: for random networks, relations and options, the record changes no delivery. The
// waits of each hop are not negative. Their sums are the latency beyond that of an empty network,
// and equal those that a judge counts by looking at all VCs in each clock.
func TestJourneys(t *testing.T) {
	judged := 0
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5).WithVCs(rapid.IntRange(1, 3).Draw(t, "vcs"))
		r := modeltest.Adaptive(t, n, rapid.IntRange(1, 2).Draw(t, "classes"))
		kind := rapid.IntRange(0, 17).Draw(t, "options")
		o := everyOption(kind)
		o.BufferFlits = rapid.IntRange(1, 9).Draw(t, "buffer")
		if kind >= 7 {
			o.BufferFlits += 9
		}
		seed := rapid.Uint64().Draw(t, "seed")
		run := func(follow Follower, look func(*Sim)) (got []Delivery) {
			q := o
			q.Follow = follow
			s, err := New(r, numbered(burst(n, 6, 6, seed)), q, func(d Delivery) { got = append(got, d) })
			if err != nil {
				t.Fatal(err)
			}
			for range 400 {
				if err := s.Run(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				look(s)
			}
			return got
		}
		all := newEveryone()
		seen := &observed{map[int64]Clock{}, map[int64]Clock{}, map[int64]Clock{}, map[int64]Clock{}}
		routed := map[int32]Clock{}
		plain, traced := run(nil, func(*Sim) {}), run(all, func(s *Sim) { seen.look(s, routed) })
		slices.SortFunc(plain, func(a, b Delivery) int { return int(a.ID - b.ID) })
		slices.SortFunc(traced, func(a, b Delivery) int { return int(a.ID - b.ID) })
		if !slices.Equal(plain, traced) {
			t.Fatal("the record changes the deliveries")
		}
		for _, d := range traced {
			judged++
			judgeJourney(t, r, &o, all.ended[d.ID], d, seen)
		}
	})
	if judged < 100 {
		t.Errorf("only %d packets arrived", judged)
	}
}

// judgeJourney compares the journey of a packet with its delivery, with the closed form of an empty
// network, and with the waits that were seen.
func judgeJourney(t *rapid.T, r model.Relation, o *Options, j *Journey, d Delivery, seen *observed) {
	if j == nil || j.Injected != d.Injected || j.Ended != d.Arrived {
		t.Fatalf("packet %d: journey %+v, delivery %+v", d.ID, j, d)
	}
	if r.DestinationHost(d.Dest) != d.Source {
		followsRelation(t, r, j)
	}
	sums := j.Times()
	for _, h := range j.Hops {
		if min(h.Behind, h.VC, h.Credit, h.Switch) < 0 || h.Departed < h.Granted || h.TailDeparted < h.Departed {
			t.Fatalf("packet %d: %+v", d.ID, h)
		}
	}
	each, last := Clock(max(o.EjectClocks, o.LinkClocks, 1)), Clock(d.Flits-1)
	if o.EjectClocks > 0 {
		each = Clock(o.EjectClocks)
	}
	hops := Clock(len(j.Hops))
	want := 5*hops + 2
	if o.Timing == Paper {
		want = 3 * (hops + 1)
	} else if x := o.Delays; x != nil {
		want = Clock(2+1+len(j.Hops)*(x.Route+x.VCAlloc+x.SwitchAlloc+x.Traversal)) + (hops-1)*Clock(x.Link)
	}
	want += last * each
	if sums.Moving != want || sums.Source < 0 || sums.Tail < 0 || sums.Waits()+want != d.Arrived-d.Created {
		t.Fatalf("packet %d: %+v, %d clocks of moving expected, latency %d", d.ID, sums, want, d.Arrived-d.Created)
	}
	if got := [3]Clock{sums.VC, sums.Credit, sums.Switch}; got != [3]Clock{seen.vc[d.ID], seen.credit[d.ID], seen.sw[d.ID]} {
		t.Fatalf("packet %d waits %v for VC, credit and switch, seen are %v", d.ID, got,
			fmt.Sprint(seen.vc[d.ID], seen.credit[d.ID], seen.sw[d.ID]))
	}
}

// TestJourneyBefore: the packet that had the VC before is the one that the second packet waits for.
func TestJourneyBefore(t *testing.T) {
	n, err := topo.Parse("mesh:3x2")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := newEveryone()
	list := &listSource{lists: make([][]Packet, n.NumHosts())}
	list.lists[0] = []Packet{{Source: 0, Dest: 2, Flits: 9, ID: 70}}
	list.lists[1] = []Packet{{Created: 5, Source: 1, Dest: 2, Flits: 2, ID: 71}}
	s, err := New(r, list, Options{BufferFlits: 4, Follow: all}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 20); err != nil {
		t.Fatal(err)
	}
	if way := s.UnderWay(); len(way) == 0 || way[0].Ended != -1 {
		t.Errorf("under way: %v", way)
	}
	if err := s.Run(context.Background(), 100); err != nil {
		t.Fatal(err)
	}
	if len(s.UnderWay()) > 0 {
		t.Errorf("%d packets are still under way", len(s.UnderWay()))
	}
	if h := all.ended[71].Hops[0]; h.Before != 70 || h.VC == 0 {
		t.Errorf("the first hop of packet 71: %+v", h)
	}
	if h := all.ended[70].Hops[0]; h.Before != -1 || h.VC != 0 {
		t.Errorf("the first hop of packet 70: %+v", h)
	}
}
