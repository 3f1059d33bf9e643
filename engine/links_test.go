package engine

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// randomChannels returns random attributes of the channels of n: latencies up to 20, up to 4 clocks a flit, buffers from least to least+7 flits. Some
// channels have none.
func randomChannels(n *model.Network, random *rand.Rand, least int) []model.ChannelAttributes {
	list := make([]model.ChannelAttributes, n.NumChannels())
	for c := range list {
		if random.IntN(3) > 0 {
			list[c] = model.ChannelAttributes{Latency: int32(random.IntN(21)), FlitClocks: int32(random.IntN(5)), Buffer: int32(least + random.IntN(8))}
		}
	}
	return list
}

// withClocks gives random clocks to the switches of n.
func withClocks(t *testing.T, n *model.Network, random *rand.Rand) *model.Network {
	t.Helper()
	list := make([]int32, n.NumSwitches())
	for u := range list {
		if list[u] = int32(1 + random.IntN(4)); random.IntN(4) == 0 {
			list[u] = model.NoAttribute
		}
	}
	n, err := n.WithAttribute("clock", list)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// drawLinks gives channels of n random attributes, and switches clocks, as far as the options permit these.
func drawLinks(t *rapid.T, n *model.Network, o Options) *model.Network {
	if !rapid.Bool().Draw(t, "uneven") {
		return n
	}
	random, least := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "links"), 3)), 1
	if o.Switching != "" {
		least = 6
	}
	list := randomChannels(n, random, least)
	for c := range list {
		if o.Timing == Paper {
			list[c].Latency = 0
		}
	}
	n, err := n.WithChannelAttributes(list)
	if err == nil && o.Timing != Paper {
		clocks := make([]int32, n.NumSwitches())
		for u := range clocks {
			clocks[u] = int32(1 + random.IntN(3))
		}
		n, err = n.WithAttribute("clock", clocks)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestReference: the engine has the same flits in each buffer as the reference in every clock, and the same arrivals, with
// channels of random latency, width and buffer, and with switches of random clocks.
func TestReference(t *testing.T) {
	arrived := 0
	for i := range longtest.Share[uint64](240, 4) {
		random := rand.New(rand.NewPCG(i, 1))
		c := []struct{ spec, routing string }{{"line:4", "updown"}, {"ring:5", "dor"}, {"mesh:3x3", "dor"}, {"star:5,hosts=2", "updown"},
			{"torus:4x3", "dor"}}[i%5]
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		longest := 1 + random.IntN(6)
		o := Options{BufferFlits: 1 + random.IntN(8), MaxFlits: longest, Delays: &Delays{random.IntN(3), 1 + random.IntN(2), 1 + random.IntN(2),
			random.IntN(3), 1 + random.IntN(3), random.IntN(3), random.IntN(4)}}
		least := 1
		switch i / 5 % 3 {
		case 1:
			o.Switching, least = model.CutThrough, longest
			o.BufferFlits += longest
		case 2:
			o.Atomic = true
		}
		if i/15%2 == 1 {
			n = withClocks(t, n, random)
		}
		if i/30%2 == 1 {
			if n, err = n.WithChannelAttributes(randomChannels(n, random, least)); err != nil {
				t.Fatal(err)
			}
		}
		r, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		source := burst(n, 25, longest, i)
		var packets []Packet
		for h := range source.lists {
			for k := range source.lists[h] {
				source.lists[h][k].ID = int64(len(packets))
				packets = append(packets, source.lists[h][k])
			}
		}
		got := map[int64]Clock{}
		s, err := New(r, source, o, func(d Delivery) { got[d.ID] = d.Arrived })
		if err != nil {
			t.Fatal(err)
		}
		newReference(n, r, o, packets).compare(t, s, got, 700)
		arrived += len(got)
		if t.Failed() {
			t.Fatalf("run %d: %s, %s, %+v", i, c.spec, c.routing, o)
		}
	}
	if arrived < longtest.Share(10000, 4) {
		t.Errorf("%d packets arrived only", arrived)
	}
}

// TestOnePacket: the arrival of a packet that is alone in the network, by a recursion over its flits and channels. A flit departs
// when it has arrived, the flit before it is off the channel, and the switch works. The head departs two clocks of the switch
// after its arrival.
func TestOnePacket(t *testing.T) {
	n, err := topo.Parse("line:5")
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(300) {
		random := rand.New(rand.NewPCG(i, 2))
		flits, m := 1+random.IntN(6), n
		if i%2 == 0 {
			m = withClocks(t, n, random)
		}
		list := randomChannels(n, random, 60)
		if m, err = m.WithChannelAttributes(list); err != nil {
			t.Fatal(err)
		}
		clock := func(u model.SwitchID) Clock {
			if k := m.Attribute("clock"); k != nil {
				return Clock(max(1, k[u]))
			}
			return 1
		}
		from, to, created := model.SwitchID(random.IntN(5)), model.SwitchID(random.IntN(5)), Clock(random.IntN(30))
		at := make([]Clock, flits) // by flit: when it is there
		for f := range at {
			at[f] = created
		}
		pass := func(c model.ChannelID, start, end Clock, host bool) {
			cross, free := 2*start, Clock(0)
			if host {
				cross = start
			}
			for f := range at {
				if f == 0 && !host {
					at[f] += 2 * start
				}
				departs := onNext(max(at[f], free), start)
				free = departs + max(1, Clock(list[c].FlitClocks))
				latency := Clock(list[c].Latency)
				if latency == 0 {
					latency = start
				}
				at[f] = onNext(departs+cross+latency, end)
			}
		}
		pass(n.InjectChannel(model.HostID(from)), clock(from), clock(from), true)
		for u := from; u != to; {
			v := u + 1
			if to < u {
				v = u - 1
			}
			for _, c := range n.Out(u) {
				if n.Head(c) == v {
					pass(c, clock(u), clock(v), false)
				}
			}
			u = v
		}
		pass(n.EjectChannel(model.HostID(to)), clock(to), clock(to), false)
		want := at[flits-1]
		l := &listSource{lists: make([][]Packet, 5)}
		l.lists[from] = []Packet{{Created: created, Source: model.HostID(from), Dest: model.DestID(to), Flits: flits}}
		r, err := route.New("updown", m, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := Clock(-1)
		s, err := New(r, l, Options{BufferFlits: 60}, func(d Delivery) { got = d.Arrived })
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context(), want+100); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("run %d: %d flits from switch %d to %d, created in clock %d: arrival in clock %d, want %d", i, flits, from, to, created, got, want)
		}
	}
}

// onNext returns the first multiple of k from t on.
func onNext(t, k Clock) Clock {
	if rest := t % k; rest > 0 {
		return t + k - rest
	}
	return t
}

// TestLinkErrors: attributes that cannot be simulated are errors that name the channel or the switch.
func TestLinkErrors(t *testing.T) {
	n, err := topo.Parse("line:3")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a     model.ChannelAttributes
		clock int32
		o     Options
		want  string
	}{
		{model.ChannelAttributes{Latency: maxLatency + 1}, 1, Options{}, "a latency of 16385 clocks, allowed are 1 to 16384, of the channel (1) to (0)"},
		{model.ChannelAttributes{Latency: 2}, 1, Options{Timing: Paper}, "router model paper has no latencies, want model booksim: a latency of 2 clocks of the channel (1) to (0)"},
		{model.ChannelAttributes{FlitClocks: 5000}, 1, Options{}, "5000 clocks a flit, allowed are 1 to 1024, of the channel (1) to (0)"},
		{model.ChannelAttributes{Buffer: 20000}, 1, Options{}, "a buffer of 20000 flits"},
		{model.ChannelAttributes{Buffer: 3}, 1, Options{Switching: model.CutThrough, MaxFlits: 4}, "3 flits are less than a packet of 4"},
		{model.ChannelAttributes{}, 65, Options{}, "clock 65 of switch (1), allowed are 1 to 64"},
		{model.ChannelAttributes{}, 0, Options{}, "clock 0 of switch (1), allowed are 1 to 64"},
		{model.ChannelAttributes{}, 2, Options{Timing: Paper}, "clocks of switches are of the router model booksim"},
		{model.ChannelAttributes{}, 2, Options{Select: SelectAhead}, "need switches of one clock"},
	} {
		m, err := n.WithAttribute("clock", []int32{1, c.clock, 1})
		if err != nil {
			t.Fatal(err)
		}
		list := make([]model.ChannelAttributes, n.NumChannels())
		list[1] = c.a
		if m, err = m.WithChannelAttributes(list); err != nil {
			t.Fatal(err)
		}
		r, err := route.New("updown", m, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(r, &listSource{lists: make([][]Packet, 3)}, c.o, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v, clock %d: %v, want %q", c.a, c.clock, err, c.want)
		}
	}
	r, err := route.New("updown", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(r, &listSource{}, Options{Channels: make([]model.ChannelAttributes, 2)}, nil); err == nil {
		t.Error("attributes of too few channels were taken")
	}
}

// TestPaperFlitClocks: with model paper and channels of different widths, each packet arrives once. A packet can leave a narrow
// channel, and get another one behind it on a wide channel, before the narrow channel is free of its tail.
func TestPaperFlitClocks(t *testing.T) {
	r := routed(t, "mesh:4x4", "dor")
	n := r.Network()
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 9))
		o := Options{Timing: Paper, BufferFlits: 8, Channels: make([]model.ChannelAttributes, n.NumChannels())}
		for c := range o.Channels {
			o.Channels[c].FlitClocks = int32([]int{1, 5, 9}[random.IntN(3)])
		}
		came := map[int64]bool{}
		source := numbered(burst(n, 40, 3, seed)).(*listSource)
		total := source.total()
		s, err := New(r, source, o, func(d Delivery) {
			if came[d.ID] {
				t.Errorf("seed %d: packet %d arrives twice", seed, d.ID)
			}
			came[d.ID] = true
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), 20000); err != nil || int64(len(came)) != total {
			t.Fatalf("seed %d: %d of %d packets arrive, %v", seed, len(came), total, err)
		}
	}
}
