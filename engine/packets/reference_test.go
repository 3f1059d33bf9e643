package packets

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file is the reference: it simulates the same switch flit by flit and slot by slot, as
// simply as possible and without regard to speed. It shares no code with package packets. Channels
// are pointers, sets are lists, and every clock examines everything.

type refPacket struct {
	engine.Packet
	class    model.Class
	injected engine.Clock
	path     []*refVisit // its visits, from the injection channel on
	arrived  int         // number of flits at the destination host
}

// refVisit is a packet on a channel and in the buffer behind it. A packet may visit a channel
// again while its tail is still there.
type refVisit struct {
	*refPacket
	c *refChannel
}

// refSlot is a slot of a buffer: the flit for which it is reserved, and the state of this flit.
type refSlot struct {
	p           *refVisit // nil if the slot is free
	flit        int
	there, left bool
}

type refFlit struct {
	p    *refVisit
	flit int
	at   engine.Clock
}

type refChannel struct {
	id      model.ChannelID
	slots   []refSlot
	queue   []*refVisit  // packets in the buffer; the first one may be leaving
	front   engine.Clock // when the first packet became first
	drop    engine.Clock // when the first packet will be dropped, or 0
	to      *refChannel  // the channel by which the first packet leaves
	wire    []refFlit
	sending *refVisit // the packet that the channel carries
	from    *refVisit // the visit from which this packet comes
	flit    int       // its next flit
	last    engine.Clock
	grant   int
	accept  int
}

type reference struct {
	rel      model.Relation
	draws    map[model.HostID]uint64
	n        *model.Network
	o        engine.Options
	c        engine.Clock
	source   engine.Source
	now      engine.Clock
	channels []*refChannel
	next     []*engine.Packet // by host
	done     []bool           // by host: whether it has no more packets
	packets  []*refPacket     // packets in the network
	got      []engine.Delivery
	dropped  int64
	hops     int64
	flits    []int64                      // by channel: number of flits
	turns    map[[2]model.ChannelID]int64 // by turn: number of flits
}

// newReference returns a reference. All options must be set; it has no defaults.
func newReference(r model.Relation, source engine.Source, o engine.Options) *reference {
	n := r.Network()
	x := &reference{rel: r, n: n, o: o, c: engine.Clock(o.LinkClocks), source: source, next: make([]*engine.Packet, r.Sources()), done: make([]bool, r.Sources()),
		flits: make([]int64, n.NumChannels()), turns: map[[2]model.ChannelID]int64{}}
	for c := range n.NumChannels() {
		x.channels = append(x.channels, &refChannel{id: model.ChannelID(c), slots: make([]refSlot, o.BufferFlits)})
	}
	return x
}

func (r *reference) run(clocks engine.Clock) {
	for range clocks {
		r.arrivals()
		r.tails()
		for h := range r.next {
			r.host(model.HostID(h))
		}
		for u := range model.SwitchID(r.n.NumSwitches()) {
			r.arbitrate(u)
		}
		for _, c := range r.channels {
			r.transmit(c)
		}
		r.deadEnds()
		r.now++
	}
}

// arrivals moves flits that arrive from channels to buffers.
func (r *reference) arrivals() {
	for _, c := range r.channels {
		for len(c.wire) > 0 && c.wire[0].at == r.now {
			f := c.wire[0]
			c.wire = c.wire[1:]
			if r.n.Kind(c.id) != model.Eject {
				c.slot(f.p, f.flit).there = true
				continue
			}
			if f.p.arrived != f.flit {
				panic("flits out of order")
			}
			if f.p.arrived++; f.p.arrived == f.p.Flits {
				r.got = append(r.got, engine.Delivery{Packet: f.p.Packet, Injected: f.p.injected, Arrived: r.now})
				r.remove(f.p.refPacket)
			}
		}
		if len(c.wire) > 0 && c.wire[0].at < r.now {
			panic("a flit has been missed")
		}
	}
}

func (c *refChannel) slot(p *refVisit, flit int) *refSlot {
	for i := range c.slots {
		if s := &c.slots[i]; s.p == p && s.flit == flit {
			return s
		}
	}
	panic(fmt.Sprintf("channel %d keeps no slot for flit %d", c.id, flit))
}

func (r *reference) remove(p *refPacket) {
	r.packets = slices.DeleteFunc(r.packets, func(q *refPacket) bool { return q == p })
}

// tails frees channels and slots that packets have left.
func (r *reference) tails() {
	for _, c := range r.channels {
		if c.sending != nil && c.flit == c.sending.Flits && r.now == c.last+r.c {
			if c.from != nil {
				c.from.c.shift(r.now)
				c.from.c.to = nil
			}
			c.sending, c.from = nil, nil
		}
		if c.drop != 0 && c.drop == r.now {
			r.dropped++
			r.remove(c.queue[0].refPacket)
			c.shift(r.now)
			c.drop = 0
		}
	}
}

// shift removes the first packet from the buffer and frees its slots.
func (c *refChannel) shift(now engine.Clock) {
	p := c.queue[0]
	for i := range c.slots {
		if c.slots[i].p == p {
			c.slots[i] = refSlot{}
		}
	}
	c.queue, c.front = c.queue[1:], now
}

func (c *refChannel) room() (free int) {
	for i := range c.slots {
		if c.slots[i].p == nil {
			free++
		}
	}
	return free
}

// host lets a host start its next packet.
func (r *reference) host(h model.HostID) {
	c := r.channels[r.n.InjectChannel(h)]
	for c.sending == nil && !r.done[h] {
		if r.next[h] == nil {
			p, ok := r.source.Next(h)
			if !ok {
				r.done[h] = true
				return
			}
			r.next[h] = &p
		}
		p := r.next[h]
		if p.Created > r.now {
			return
		}
		class := []model.Class{0}
		if r.rel.DestinationHost(p.Dest) != h {
			class = r.rel.Inject(h, p.Dest, nil)
		}
		if len(class) == 0 {
			r.dropped++
			r.next[h] = nil
			continue
		}
		if c.room() < p.Flits {
			return
		}
		q := &refPacket{Packet: *p, class: r.drawn(h, p.Dest, class), injected: r.now}
		q.Source = h
		r.packets = append(r.packets, q)
		r.next[h] = nil
		r.begin(q, nil, c)
	}
}

// begin assigns channel c to packet q and reserves slots for it.
func (r *reference) begin(q *refPacket, from *refVisit, c *refChannel) {
	p := &refVisit{q, c}
	c.sending, c.from, c.flit = p, from, 0
	q.path = append(q.path, p)
	if r.n.Kind(c.id) == model.Eject {
		return
	}
	if len(c.queue) == 0 {
		c.front = r.now
	}
	c.queue = append(c.queue, p)
	flit := 0
	for i := range c.slots {
		if c.slots[i].p == nil && flit < p.Flits {
			c.slots[i] = refSlot{p: p, flit: flit}
			flit++
		}
	}
	if flit < p.Flits {
		panic("no room")
	}
}

// transmit sends the next flit of the packet that channel c carries.
func (r *reference) transmit(c *refChannel) {
	p := c.sending
	if p == nil || c.flit == p.Flits || c.flit > 0 && r.now < c.last+r.c {
		return
	}
	if c.from != nil {
		s := c.from.c.slot(c.from, c.flit)
		if !s.there || s.left {
			panic("a flit that is not there")
		}
		s.left = true
		r.hops++
		r.flits[c.id]++
		r.turns[[2]model.ChannelID{c.from.c.id, c.id}]++
	}
	c.wire = append(c.wire, refFlit{p, c.flit, r.now + 3})
	c.flit++
	c.last = r.now
}

// standing returns the first packet in the buffer of c if it may request an output, else nil.
func (r *reference) standing(c *refChannel) *refVisit {
	if len(c.queue) == 0 || c.to != nil || c.drop != 0 {
		return nil
	}
	p := c.queue[0]
	need := 1
	if r.o.Switching == model.StoreAndForward {
		need = p.Flits
	}
	for flit := range need {
		if !c.slot(p, flit).there {
			return nil
		}
	}
	return p
}

func (r *reference) hopsFrom(p *refVisit) []model.Hop {
	return r.rel.Next(model.State{VC: r.n.VC(p.c.id, 0), Dest: p.Dest, Class: p.class}, nil)
}

// deadEnds drops packets that have arrived completely and have no permitted output.
func (r *reference) deadEnds() {
	for _, c := range r.channels {
		if r.n.Kind(c.id) == model.Eject {
			continue
		}
		if p := r.standing(c); p != nil && c.slot(p, p.Flits-1).there && len(r.hopsFrom(p)) == 0 {
			c.drop = r.now + 1
		}
	}
}

// candidates returns the outputs that head p could get now, in the order of preference.
func (r *reference) candidates(p *refVisit) (list []model.Hop) {
	for _, h := range r.hopsFrom(p) {
		id, _ := r.n.Channel(h.VC)
		o := r.channels[id]
		if o.sending == nil && (r.n.Kind(id) == model.Eject || o.room() >= p.Flits) && !slices.ContainsFunc(list, func(x model.Hop) bool { return x.VC == h.VC }) {
			list = append(list, h)
		}
	}
	return list
}

// arbitrate assigns the outputs of switch u to heads.
func (r *reference) arbitrate(u model.SwitchID) {
	ports := len(r.n.Out(u))
	asks := map[int][]*refChannel{} // by output port: the inputs that request it
	class := map[[2]int]model.Class{}
	for in, out := range r.n.Out(u) {
		c := r.channels[r.n.Reverse(out)]
		p := r.standing(c)
		if p == nil {
			continue
		}
		list := r.candidates(p)
		if len(list) > 0 && r.o.Select != engine.SelectAll {
			list = []model.Hop{r.selected(c, list, ports)}
		}
		for _, h := range list {
			o, _ := r.n.Channel(h.VC)
			asks[r.n.OutIndex(o)] = append(asks[r.n.OutIndex(o)], c)
			class[[2]int{in, r.n.OutIndex(o)}] = h.Class
		}
	}
	grants := map[*refChannel][]int{}
	for port := range ports {
		if len(asks[port]) > 0 {
			c := r.winner(r.channels[r.n.Out(u)[port]], asks[port], ports)
			grants[c] = append(grants[c], port)
		}
	}
	for in, reverse := range r.n.Out(u) {
		c := r.channels[r.n.Reverse(reverse)]
		if len(grants[c]) == 0 {
			continue
		}
		port := c.accept
		for !slices.Contains(grants[c], port) {
			port = (port + 1) % ports
		}
		o := r.channels[r.n.Out(u)[port]]
		o.grant, c.accept = (in+1)%ports, (port+1)%ports
		p := c.queue[0]
		p.class, c.to = class[[2]int{in, port}], o
		r.begin(p.refPacket, p, o)
	}
}

// winner returns the head to which channel o gives its grant.
func (r *reference) winner(o *refChannel, heads []*refChannel, ports int) *refChannel {
	return slices.MinFunc(heads, func(a, b *refChannel) int {
		if r.o.Arbiter == engine.RoundRobin {
			return (r.n.InIndex(a.id)-o.grant+ports)%ports - (r.n.InIndex(b.id)-o.grant+ports)%ports
		}
		p, q := a.queue[0], b.queue[0]
		for _, pair := range [][2]int64{{int64(p.Created), int64(q.Created)}, {int64(p.Source), int64(q.Source)}, {p.ID, q.ID}} {
			if pair[0] != pair[1] {
				return int(pair[0] - pair[1])
			}
		}
		return r.n.InIndex(a.id) - r.n.InIndex(b.id)
	})
}

// selected returns the output that the head at c requests.
func (r *reference) selected(c *refChannel, list []model.Hop, ports int) model.Hop {
	port := func(h model.Hop) int {
		o, _ := r.n.Channel(h.VC)
		return r.n.OutIndex(o)
	}
	if r.o.Select == engine.SelectOrder {
		return list[0]
	}
	list = slices.SortedFunc(slices.Values(list), func(a, b model.Hop) int { return port(a) - port(b) })
	switch r.o.Select {
	case engine.SelectRandom:
		return list[splitmix(r.o.Seed, uint64(r.n.VC(c.id, 0)), uint64(r.now))%uint64(len(list))]
	case engine.SelectTurn:
		return slices.MinFunc(list, func(a, b model.Hop) int {
			return (port(a)-c.accept+ports)%ports - (port(b)-c.accept+ports)%ports
		})
	case engine.SelectLoad:
		return slices.MaxFunc(list, func(a, b model.Hop) int { return r.slots(a) - r.slots(b) })
	}
	return list[0]
}

func (r *reference) slots(h model.Hop) int {
	o, _ := r.n.Channel(h.VC)
	if r.n.Kind(o) == model.Eject {
		return 1 << 40
	}
	return r.channels[o].room()
}

// drawn returns the class of the next packet from h to d: the one in whose share of the weights
// the host's next random number falls.
func (r *reference) drawn(h model.HostID, d model.DestID, classes []model.Class) model.Class {
	if len(classes) == 1 {
		return classes[0]
	}
	var urn []model.Class
	for i, k := range classes {
		weight := uint32(1)
		if w, ok := r.rel.(model.Weighted); ok {
			weight = w.Weights(h, d, nil)[i]
		}
		for range weight {
			urn = append(urn, k)
		}
	}
	if r.draws == nil {
		r.draws = map[model.HostID]uint64{}
	}
	r.draws[h]++
	return urn[splitmix(r.o.Seed^15111065706836454659, uint64(h), r.draws[h])%uint64(len(urn))]
}

func splitmix(seed, a, b uint64) uint64 {
	z := (seed ^ a*11400714819323198485 ^ b*13787848793156543929) + 11400714819323198485
	z ^= z >> 30
	z *= 13787848793156543929
	z ^= z >> 27
	z *= 10723151780598845931
	return z ^ z>>31
}

// at returns the visit in which the packet's head is, or to which it is moving.
func (p *refPacket) at() *refVisit { return p.path[len(p.path)-1] }

// frozen returns the greatest set of packets that wait for each other. It removes packets from the
// set of all until nothing changes.
func (r *reference) frozen() []engine.Blocked {
	in := slices.DeleteFunc(slices.Clone(r.packets), func(p *refPacket) bool { return r.n.Kind(p.at().c.id) == model.Eject })
	for {
		left := slices.DeleteFunc(slices.Clone(in), func(p *refPacket) bool { return !r.stuck(p, in) })
		if len(left) == len(in) {
			break
		}
		in = left
	}
	var list []engine.Blocked
	for _, c := range r.channels {
		for _, v := range c.queue {
			if slices.Contains(in, v.refPacket) && v.at() == v {
				list = append(list, r.describe(v, in))
			}
		}
	}
	return list
}

// inSet returns the packets of the set that are in buffer c, have not left it, and are before v;
// if v is nil, all of them.
func inSet(c *refChannel, v *refVisit, in []*refPacket) (list []*refVisit) {
	for _, q := range c.queue {
		if q == v {
			break
		}
		if slices.Contains(in, q.refPacket) && q.at() == q {
			list = append(list, q)
		}
	}
	return list
}

// stuck reports whether p waits only for packets of the set.
func (r *reference) stuck(p *refPacket, in []*refPacket) bool {
	if len(inSet(p.at().c, p.at(), in)) > 0 {
		return true
	}
	hops := r.hopsFrom(p.at())
	for _, h := range hops {
		id, _ := r.n.Channel(h.VC)
		taken := 0
		for _, q := range inSet(r.channels[id], nil, in) {
			taken += q.Flits
		}
		if r.n.Kind(id) == model.Eject || r.o.BufferFlits-taken >= p.Flits {
			return false
		}
	}
	return len(hops) > 0
}

func (r *reference) describe(v *refVisit, in []*refPacket) engine.Blocked {
	b := engine.Blocked{Packet: v.Packet, Class: v.class}
	for k, at := range v.path { // list the channels that the last flit of the packet has not left
		last := k+1 == len(v.path)
		if last || v.path[k+1].c.sending == v.path[k+1] && v.path[k+1].c.flit < v.Flits {
			b.On = append(b.On, r.n.VC(at.c.id, 0))
		}
	}
	for _, q := range v.c.queue[:slices.Index(v.c.queue, v)] {
		b.Behind = b.Behind || slices.ContainsFunc(v.c.slots, func(s refSlot) bool { return s.p == q && !s.left })
	}
	if len(inSet(v.c, v, in)) == 0 {
		for _, h := range r.hopsFrom(v) {
			if !slices.Contains(b.Waits, h.VC) {
				b.Waits = append(b.Waits, h.VC)
			}
		}
	}
	return b
}
