package engine

import (
	"testing"

	"github.com/turnproof/turnproof/model"
)

// This file is a second simulator of flits: slow and simple. It visits every switch in every clock, keeps each flit as an object,
// and shares no code with the engine. It covers one VC per channel and routing with one next hop, with channels of any latency,
// width and buffer, and switches of any clock.

// refFlit is a flit. A channel holds it from when it departs until it leaves the buffer at the end.
type refFlit struct {
	packet     int
	head, tail bool
	at         int // the clock in which it arrives
}

// refChannel is a channel with the buffer at its end.
type refChannel struct {
	latency, occupied, buffer int
	start, end                int // clocks of the switches or hosts at its ends
	flits                     []refFlit
	free                      int   // slots that the start knows to be free
	back                      []int // clocks in which slots become known to be free
	busy                      int   // the first clock in which the channel can take a flit
	holder                    int   // the input channel whose packet holds the VC, or -1
	next                      int   // as an input: the channel of its front packet, or -1
	from                      int   // as an input: the clock in which the front packet may be routed
	vcPointer, switchPointer  int   // as an output: the input that is looked at first
}

// reference is a simulation.
type reference struct {
	n        *model.Network
	r        model.Relation
	o        Options
	c        []refChannel
	packets  []Packet
	queue    [][]int // by host: its packets that are not sent yet
	sent     []int   // by host: flits of the first of them that are sent
	arrived  []int   // by packet: the clock of its tail's arrival, or -1
	t        int
	released []int
}

func orDefault(v int32, def int) int {
	if v > 0 {
		return int(v)
	}
	return def
}

func newReference(n *model.Network, r model.Relation, o Options, packets []Packet) *reference {
	x := &reference{n: n, r: r, o: o, packets: packets, c: make([]refChannel, n.NumChannels()), queue: make([][]int, n.NumEndpoints()),
		sent: make([]int, n.NumEndpoints())}
	clocks, list := n.Attribute("clock"), n.ChannelAttributes()
	if o.Channels != nil {
		list = o.Channels
	}
	for i := range x.c {
		id := model.ChannelID(i)
		c := &x.c[i]
		clock := func(u model.SwitchID) int {
			if u == model.NoSwitch {
				u = n.Host(n.HostOf(id)).Switch
			}
			if clocks == nil || clocks[u] < 1 {
				return 1
			}
			return int(clocks[u])
		}
		*c = refChannel{start: clock(n.Tail(id)), end: clock(n.Head(id)), holder: -1, next: -1}
		c.latency, c.occupied, c.buffer = c.start, c.start, o.BufferFlits
		if n.Kind(id) == model.SwitchToSwitch {
			c.latency *= o.Delays.Link
		}
		if list != nil {
			c.latency, c.occupied = orDefault(list[i].Latency, c.latency), orDefault(list[i].FlitClocks, c.occupied)
			c.buffer = orDefault(list[i].Buffer, c.buffer)
		}
		c.free = c.buffer
	}
	for i, p := range packets {
		x.queue[p.Source] = append(x.queue[p.Source], i)
		x.arrived = append(x.arrived, -1)
	}
	return x
}

// roundUp returns the first clock from t on in which a switch of the given clock works.
func roundUp(t, clock int) int {
	for t%clock != 0 {
		t++
	}
	return t
}

// step simulates a clock.
func (x *reference) step() {
	for i := range x.c {
		c := &x.c[i]
		keep := c.back[:0]
		for _, at := range c.back {
			if at == x.t {
				c.free++
			} else {
				keep = append(keep, at)
			}
		}
		c.back = keep
		if x.n.Kind(model.ChannelID(i)) == model.Eject {
			for len(c.flits) > 0 && c.flits[0].at == x.t {
				if c.flits[0].tail {
					x.arrived[c.flits[0].packet] = x.t
				}
				c.flits = c.flits[1:]
			}
		}
	}
	for h := range x.queue {
		x.send(h)
	}
	for u := range model.SwitchID(x.n.NumSwitches()) {
		outs := x.n.Out(u)
		if len(outs) == 0 || x.t%x.c[outs[0]].start != 0 {
			continue
		}
		x.move(outs)
		x.giveVCs(outs)
		for _, o := range x.released {
			x.c[o].holder = -1
		}
		x.released = x.released[:0]
	}
	x.t++
}

// needs returns the slots that a packet needs to get the VC of channel o.
func (x *reference) needs(o int, p int) int {
	switch {
	case x.o.Atomic:
		return x.c[o].buffer
	case x.o.Switching == model.CutThrough && x.n.Kind(model.ChannelID(o)) != model.Eject:
		return x.packets[p].Flits
	case x.o.NotFull, x.n.Kind(model.ChannelID(o)) == model.Inject:
		return 1
	}
	return 0
}

// send lets a host send a flit.
func (x *reference) send(h int) {
	o := int(x.n.InjectChannel(model.HostID(h)))
	c := &x.c[o]
	if len(x.queue[h]) == 0 || x.t%c.start != 0 || c.busy > x.t || c.free == 0 {
		return
	}
	i := x.queue[h][0]
	p := &x.packets[i]
	if int(p.Created) > x.t || x.sent[h] == 0 && c.free < x.needs(o, i) {
		return
	}
	x.sent[h]++
	x.put(o, refFlit{packet: i, head: x.sent[h] == 1, tail: x.sent[h] == p.Flits}, c.start)
	if x.sent[h] == p.Flits {
		x.sent[h], x.queue[h] = 0, x.queue[h][1:]
	}
}

// put sends a flit over a channel. It reaches the channel some clocks later.
func (x *reference) put(o int, f refFlit, before int) {
	c := &x.c[o]
	f.at = x.t + before + c.latency
	if c.start != c.end {
		f.at += x.o.Delays.Sync * c.end
	}
	f.at = roundUp(f.at, c.end)
	c.flits, c.busy = append(c.flits, f), x.t+c.occupied
	if c.free--; x.n.Kind(model.ChannelID(o)) == model.Eject {
		c.back = append(c.back, x.t+before+2*c.latency+(1+x.o.Delays.Credit)*c.start)
	}
}

// inputs returns the channels into the switch that outs leave, in the order of its ports.
func (x *reference) inputs(outs []model.ChannelID) (list []int) {
	for _, o := range outs {
		list = append(list, int(x.n.Reverse(o)))
	}
	return list
}

// move lets each output of a switch take a flit of one input.
func (x *reference) move(outs []model.ChannelID) {
	ins := x.inputs(outs)
	for _, o := range outs {
		out := &x.c[o]
		for k := range ins {
			at := (out.switchPointer + k) % len(ins)
			in := &x.c[ins[at]]
			if in.next != int(o) || len(in.flits) == 0 || in.flits[0].at > x.t || out.free == 0 || out.busy > x.t {
				continue
			}
			out.switchPointer = (at + 1) % len(ins)
			x.leave(ins[at], int(o))
			break
		}
	}
}

// leave moves the front flit of channel i to channel o.
func (x *reference) leave(i, o int) {
	in, d := &x.c[i], x.o.Delays
	f := in.flits[0]
	in.flits = in.flits[1:]
	known := x.t + d.SwitchAlloc*in.end + in.latency
	if x.n.Kind(model.ChannelID(i)) == model.SwitchToSwitch {
		known += d.Credit * in.end
	}
	if in.start != in.end {
		known += d.Sync * in.start
	}
	if more := x.c[o].occupied - in.end; more > 0 {
		known += more
	}
	in.back = append(in.back, roundUp(known, in.start))
	x.put(o, f, (d.SwitchAlloc+d.Traversal)*in.end)
	if f.tail {
		in.next, in.from = -1, x.t+in.end
		x.released = append(x.released, o)
	}
}

// giveVCs gives the VC of each free output of a switch to one of the heads that ask for it.
func (x *reference) giveVCs(outs []model.ChannelID) {
	ins := x.inputs(outs)
	for _, o := range outs {
		out := &x.c[o]
		for k := range ins {
			at := (out.vcPointer + k) % len(ins)
			in := &x.c[ins[at]]
			if out.holder >= 0 || len(in.flits) == 0 || !in.flits[0].head || in.next >= 0 {
				continue
			}
			f := in.flits[0]
			routed := max(f.at, in.from)
			asks := routed + (x.o.Delays.Route+x.o.Delays.VCAlloc-1)*in.end
			if f.at > x.t || asks > x.t || x.hop(ins[at], f.packet) != int(o) || out.free < x.needs(int(o), f.packet) {
				continue
			}
			out.holder, in.next, out.vcPointer = ins[at], int(o), (at+1)%len(ins)
			break
		}
	}
}

// hop returns the channel that a packet takes from the end of channel i.
func (x *reference) hop(i, packet int) int {
	hops := x.r.Next(model.State{VC: x.n.VC(model.ChannelID(i), 0), Dest: x.packets[packet].Dest}, nil)
	c, _ := x.n.Channel(hops[0].VC)
	return int(c)
}

// buffered returns the number of flits in the buffer of channel i.
func (x *reference) buffered(i int) (sum int) {
	for _, f := range x.c[i].flits {
		if f.at < x.t {
			sum++
		}
	}
	return sum
}

// compare runs the engine and the reference beside each other, and compares buffers and arrivals in each clock.
func (x *reference) compare(t interface{ Fatalf(string, ...any) }, s *Sim, got map[int64]Clock, clocks int) {
	for range clocks {
		x.step()
		if err := s.Run(t.(*testing.T).Context(), 1); err != nil {
			t.Fatalf("%v", err)
		}
		for _, err := range s.Check() {
			t.Fatalf("%v", err)
		}
		for i := range x.c {
			id := model.ChannelID(i)
			if x.n.Kind(id) == model.Eject {
				continue
			}
			if have, want := s.Occupied(x.n.VC(id, 0)), x.buffered(i); have != want {
				t.Fatalf("clock %d: %d flits at the end of %s, want %d", x.t-1, have, x.n.ChannelLabel(id), want)
			}
		}
		for i, at := range x.arrived {
			if k, ok := got[int64(i)]; ok != (at >= 0) || ok && int(k) != at {
				t.Fatalf("clock %d: packet %d of %d flits arrives in clock %d (%v), want %d", x.t-1, i, x.packets[i].Flits, k, ok, at)
			}
		}
	}
}
