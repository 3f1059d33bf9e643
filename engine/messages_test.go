package engine

import (
	"cmp"
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

// rulesOf returns rules for classes in which each message causes one of the next class.
func rulesOf(m *model.Protocol, flits int) *Messages {
	r := &Messages{}
	for c := range m.Names {
		r.Causes, r.Flits, r.Queue = append(r.Causes, c+1), append(r.Flits, flits), append(r.Queue, m.Network[c])
	}
	r.Causes[len(m.Names)-1] = -1
	return r
}

// replicated returns a routing with classes of messages.
func replicated(t testing.TB, spec, routing, classes string) (*model.VirtualNetworks, *model.Protocol) {
	t.Helper()
	r := routed(t, spec, routing)
	m, err := model.ParseClasses(classes)
	if err != nil {
		t.Fatal(err)
	}
	v, err := model.Replicate(r, m)
	if err != nil {
		t.Fatal(err)
	}
	return v, m
}

// TestRoundTrip: on an idle network a packet of L flits that passes H switches takes
// 5*H + 2 + L-1 clocks, and the next message leaves one clock after its creation.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		classes          string
		request, reply   int
		service, entries int
	}{{"request,reply", 1, 1, 0, 0}, {"request,reply", 4, 2, 7, 1}, {"request+reply", 3, 8, 1, 2}} {
		rel, m := replicated(t, "mesh:4x4", "dor", c.classes)
		rules := rulesOf(m, c.reply)
		rules.Service, rules.Entries = Clock(c.service), c.entries
		source := &listSource{lists: make([][]Packet, 16)}
		source.lists[0] = []Packet{{Created: 5, Source: 0, Dest: 15, Flits: c.request, ID: 9}}
		var got []Delivery
		s, err := New(rel, source, Options{Messages: rules}, func(d Delivery) { got = append(got, d) })
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), 300); err != nil {
			t.Fatal(err)
		}
		request := Clock(5 + 5*7 + 2 + c.request - 1)
		reply := request + Clock(c.service) + 1 + Clock(5*7+2+c.reply-1)
		want := []Delivery{
			{Packet{5, 0, 15, c.request, 9, 0, 0}, 5, request, 5},
			{Packet{request + Clock(c.service), 15, 0, c.reply, 9, 1, 0}, request + Clock(c.service) + 1, reply, 5},
		}
		if !slices.Equal(got, want) || s.Answered() != 1 {
			t.Errorf("%+v: %+v, want %+v", c, got, want)
		}
	}
}

// TestForward: with three classes, a target forwards the request to another target, which replies
// to the initiator.
func TestForward(t *testing.T) {
	rel, m := replicated(t, "mesh:4x4", "dor", "request,forward,reply")
	rules := rulesOf(m, 2)
	rules.Targets, rules.Entries, rules.Outstanding = []model.DestID{3, 7}, 2, 1
	source := &listSource{lists: make([][]Packet, 16)}
	for i := range 40 {
		source.lists[5] = append(source.lists[5], Packet{Created: Clock(i), Source: 5, Dest: 3, Flits: 1, ID: int64(i)})
	}
	hops, used := map[int64][]model.HostID{}, map[model.HostID]bool{}
	last := Clock(-1)
	s, err := New(rel, source, Options{Messages: rules}, func(d Delivery) {
		hops[d.ID] = append(hops[d.ID], d.Source, model.HostID(d.Dest))
		if d.Message == 0 && d.Injected < last {
			t.Errorf("request %d leaves in clock %d, before the answer in %d", d.ID, d.Injected, last)
		}
		if d.Message == 2 {
			last = d.Arrived
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 10_000); err != nil {
		t.Fatal(err)
	}
	for id, list := range hops {
		used[list[2+1]] = true
		if len(list) != 6 || list[0] != 5 || list[1] != 3 || list[2] != 3 || list[3] != list[4] || list[5] != 5 {
			t.Errorf("request %d: %v", id, list)
		}
	}
	if s.Answered() != 40 || len(hops) != 40 || !used[3] || !used[7] {
		t.Errorf("%d answered, targets %v", s.Answered(), used)
	}
}

// drawMessages draws classes and rules.
func drawMessages(t *rapid.T, separate bool) (*model.Protocol, *Messages) {
	all := []string{"a,b", "a,b,c"}
	if !separate {
		all = []string{"a,b", "a+b", "a,b,c", "a+b,c", "a,b+c", "a+b+c"}
	}
	m, err := model.ParseClasses(rapid.SampledFrom(all).Draw(t, "classes"))
	if err != nil {
		t.Fatal(err)
	}
	r := rulesOf(m, rapid.IntRange(1, 3).Draw(t, "reply"))
	r.Service = Clock(rapid.IntRange(0, 5).Draw(t, "service"))
	r.Entries, r.Outstanding = rapid.IntRange(1, 2).Draw(t, "entries"), rapid.IntRange(0, 3).Draw(t, "outstanding")
	return m, r
}

// drawRequests draws a list of requests for each host, and returns their number.
func drawRequests(t *rapid.T, hosts, dests, most int) (*listSource, int64) {
	lists, all := &listSource{lists: make([][]Packet, hosts)}, int64(0)
	for h := range hosts {
		clock := Clock(0)
		for range rapid.IntRange(0, most).Draw(t, "requests") {
			clock += Clock(rapid.IntRange(0, 3).Draw(t, "gap"))
			lists.lists[h] = append(lists.lists[h], Packet{Created: clock, Source: model.HostID(h), Dest: model.DestID(rapid.IntRange(0, dests-1).Draw(t, "to")),
				Flits: rapid.IntRange(1, 3).Draw(t, "flits"), ID: all})
			all++
		}
	}
	return lists, all
}

// place says where a frozen packet is.
func place(b *Blocked) string { return fmt.Sprint(b.ID, " ", b.Message, " ", b.On) }

// TestFrozenMessages: what Frozen names never moves, and when nothing moves any more, Frozen names
// all packets in the network. This judges Frozen by what happens.
func TestFrozenMessages(t *testing.T) {
	deadlocks, queues := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5).WithVCs(rapid.IntRange(1, 2).Draw(t, "VCs"))
		m, rules := drawMessages(t, false)
		base := modeltest.Adaptive(t, n, 1)
		rel, err := model.Replicate(base, m)
		if err != nil {
			t.Fatal(err)
		}
		for d := range base.Destinations() {
			rules.Targets = append(rules.Targets, model.DestID(d))
		}
		o := Options{Messages: rules, BufferFlits: rapid.IntRange(3, 4).Draw(t, "buffer"), MaxFlits: 3,
			Timing: rapid.SampledFrom(Timings()).Draw(t, "timing"), Switching: rapid.SampledFrom(Switchings()).Draw(t, "switching"),
			Atomic: rapid.Bool().Draw(t, "atomic"), Arbiter: rapid.SampledFrom(Arbiters()).Draw(t, "arbiter"), Seed: 1}
		lists, all := drawRequests(t, n.NumHosts(), base.Destinations(), 8)
		s, err := New(rel, lists, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		frozen := map[string]Clock{}
		for range 400 {
			for _, b := range s.Frozen() {
				if _, known := frozen[place(&b)]; !known && !b.Behind {
					frozen[place(&b)] = s.now
				}
			}
			if err := s.Run(context.Background(), 5); err != nil {
				t.Fatal(err)
			}
			if errs := s.Check(); errs != nil {
				t.Fatal(errs[0])
			}
		}
		if s.now-s.lastMove < 200 && s.inNetwork > 0 {
			t.Skip("the network still moves")
		}
		r := s.reduce()
		list, at := r.packets(), map[string]bool{}
		for i := range list {
			at[place(&list[i])] = true
		}
		if int64(len(list)) != s.InNetwork() {
			t.Fatalf("%d packets stay in the network, %d of them frozen", s.InNetwork(), len(list))
		}
		heads := map[int64]bool{}
		for key := range at {
			var id int64
			_, _ = fmt.Sscan(key, &id)
			heads[id] = true
		}
		for key, since := range frozen {
			var id int64
			if _, _ = fmt.Sscan(key, &id); !heads[id] {
				t.Fatalf("packet %s, frozen in clock %d, is gone", key, since)
			}
		}
		if len(list) == 0 && s.Answered() != all {
			t.Fatalf("%d of %d requests answered", s.Answered(), all)
		}
		if len(list) > 0 {
			deadlocks++
			queues += min(1, len(r.deadlock(0).Queues))
		}
	})
	if deadlocks == 0 || queues == 0 {
		t.Errorf("%d deadlocks, %d by queues of hosts: the test is too weak", deadlocks, queues)
	}
}

// TestSeparateNetworks: with virtual networks of their own, classes of messages do not freeze if the
// routing is free of deadlock. Up*/down* routing and dimension order are.
func TestSeparateNetworks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom([]string{"mesh:3x2", "torus:3x3,vcs=2", "random:switches=6,degree=3,hosts=1"}).Draw(t, "network")
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		routing := "dor"
		if n.Grid() == nil {
			routing = "updown"
		}
		base, err := route.New(routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, rules := drawMessages(t, true)
		rel, err := model.Replicate(base, m)
		if err != nil {
			t.Fatal(err)
		}
		for d := range base.Destinations() {
			rules.Targets = append(rules.Targets, model.DestID(d))
		}
		lists, all := drawRequests(t, n.NumHosts(), base.Destinations(), 30)
		s, err := New(rel, lists, Options{Messages: rules, BufferFlits: rapid.IntRange(1, 4).Draw(t, "buffer")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Watch(context.Background(), 20_000)
		if err != nil {
			t.Fatal(err)
		}
		if d != nil || s.Answered() != all {
			t.Fatalf("deadlock %v, %d of %d requests answered", d, s.Answered(), all)
		}
	})
}

// TestPlainMessages: both kernels deliver messages in the same clocks.
func TestPlainMessages(t *testing.T) {
	for _, classes := range []string{"request,reply", "request+reply"} {
		rel, m := replicated(t, "torus:4x4,vcs=2", "dor", classes)
		rules := rulesOf(m, 4)
		rules.Entries, rules.Outstanding, rules.Service = 2, 4, 3
		var got [2][]Delivery
		for plain := range got {
			lists := &listSource{lists: make([][]Packet, 16)}
			for h := range lists.lists {
				for k := range 300 {
					lists.lists[h] = append(lists.lists[h], Packet{Created: Clock(12 * k), Source: model.HostID(h),
						Dest: model.DestID(Draw(1, uint64(h), uint64(k)) % 16), Flits: 1 + k%3, ID: int64(h + 16*k)})
				}
			}
			s, err := New(rel, lists, Options{Messages: rules}, func(d Delivery) { got[plain] = append(got[plain], d) })
			if err != nil {
				t.Fatal(err)
			}
			s.plain = plain == 1
			if err := s.Run(context.Background(), 3000); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(got[plain], func(a, b Delivery) int { return cmp.Or(int(a.Arrived-b.Arrived), int(a.Dest-b.Dest)) })
		}
		if len(got[0]) < 1000 || !slices.Equal(got[0], got[1]) {
			t.Errorf("%s: %d and %d deliveries, which differ", classes, len(got[0]), len(got[1]))
		}
	}
}
