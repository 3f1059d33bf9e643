package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file makes messages cause other messages, by a protocol (protocol.go), or by Messages.Causes: a request causes a reply.
//
// Rules: the source of packets creates requests. A host that gets a message serves it for some clocks, then has the messages
// that this one causes to send. It consumes a message only if it has room for these. The room is taken when the head asks for
// the channel to the host, and is free when the tail of the caused message leaves the host. Heads that find no room wait in the
// buffers of their switch, first come first served. How hosts send is in replies.go.
//
// BookSim 2 has the same rules with use_read_write: unlimited queues and no time of service (trafficmanager.cpp, _RetireFlit,
// _IssuePacket, _Inject). As there, with Causes the source chooses the class of a request, messages of a host to itself use its
// channels, and a host chooses its next request when nothing else of its queue is to be sent. Messages that cause none return to
// the initiator, the host that sent the request.

// messages is the state of the mechanism.
type messages struct {
	*Messages
	rel     *model.VirtualNetworks
	classes int
	queues  int
	first   []int16        // by message class: its first VC
	count   []int16        // by message class: the number of its VCs
	dest    []model.DestID // by host: the destination used for the host
	ended   int64          // requests that have been answered or lost

	from        []origin       // by PacketID
	sends       []sending      // by host and queue
	pending     []fifo[caused] // by host and queue: caused messages that have not been chosen yet
	outstanding []int32        // by host
	asking      []int32        // scratch of admit

	graph   *protocol
	isChain bool // whether the rules are in Causes
}

// origin says to what a packet belongs.
type origin struct {
	taken bool // whether the packet has taken room at its host, or has an entry of a queue
	tx    int32
}

// caused is a message that a host has to send.
type caused struct {
	Packet
	origin
}

// sending is a queue of a host, with the message that has been chosen to leave next.
type sending struct {
	caused
	has  bool
	vc   int32 // the VC in use, or -1
	last int16 // index of the VC used last, or -1
	left int32 // flits that are not sent yet
}

// newMessages returns the mechanism, or nil without Options.Messages.
func newMessages(s *kernel) (mechanism, error) {
	o := s.o.Messages
	if o == nil {
		return nil, nil
	}
	rel, ok := s.rel.(*model.VirtualNetworks)
	if !ok {
		return nil, errors.New("engine: messages need a routing with virtual networks")
	}
	m := &messages{Messages: o, rel: rel, classes: rel.Messages()}
	if err := m.check(s); err != nil {
		return nil, err
	}
	for c := range m.classes {
		first, count := rel.VCsOf(c)
		m.first, m.count = append(m.first, int16(first)), append(m.count, int16(count))
	}
	m.queues = slices.Max(o.Queue) + 1
	hosts := len(s.hosts)
	m.dest = make([]model.DestID, hosts)
	for d := model.DestID(rel.Destinations()) - 1; d >= 0; d-- {
		if h := rel.DestinationHost(d); int(h) < hosts {
			m.dest[h] = d
		}
	}
	p := o.Protocol
	if m.isChain = p == nil; m.isChain {
		p = o.protocol()
	}
	m.graph, m.from = newProtocol(p, hosts), make([]origin, len(s.packet))
	m.sends, m.outstanding = make([]sending, hosts*m.queues), make([]int32, hosts)
	for i := range m.sends {
		m.sends[i].vc, m.sends[i].last = -1, -1
	}
	m.pending = make([]fifo[caused], hosts*m.queues)
	return m, nil
}

// check fails for rules that contradict each other or do not fit the network.
func (m *messages) check(s *kernel) error {
	if err := m.checkClasses(s); err != nil {
		return err
	}
	switch {
	case m.Service < 0 || m.Entries < 0 || m.Outstanding < 0:
		return fmt.Errorf("engine: %d clocks of service, %d entries, %d outstanding requests, at least 0 each", m.Service, m.Entries, m.Outstanding)
	case len(s.hosts) < s.net.NumHosts():
		return fmt.Errorf("engine: %d of %d hosts send, but messages need replies of all hosts", len(s.hosts), s.net.NumHosts())
	case s.o.Gate != nil || s.o.Throttle != nil:
		return errors.New("engine: messages cannot be combined with gates or throttling")
	}
	return nil
}

// checkClasses fails for rules of classes that contradict each other.
func (m *messages) checkClasses(s *kernel) error {
	if p := m.Protocol; p != nil {
		if err := CheckProtocol(p); err != nil {
			return fmt.Errorf("engine: %w", err)
		}
		if len(p.Rules) != m.classes {
			return fmt.Errorf("engine: a protocol of %d classes of messages, the routing has %d", len(p.Rules), m.classes)
		}
	}
	lists := [][]int{m.Flits, m.Queue}
	if m.Protocol == nil {
		lists = append(lists, m.Causes)
	}
	for _, list := range lists {
		if len(list) != m.classes {
			return fmt.Errorf("engine: rules for %d classes of messages, the routing has %d", len(list), m.classes)
		}
	}
	for c := range m.classes {
		if m.Queue[c] < 0 || m.Queue[c] >= m.classes {
			return fmt.Errorf("engine: messages of class %d in queue %d, allowed are 0 to %d", c, m.Queue[c], m.classes-1)
		}
	}
	caused := func(r int) error {
		if m.Flits[r] < 1 || m.Flits[r] > maxBuffer || s.whole && m.Flits[r] > s.smallest {
			return fmt.Errorf("engine: messages of %d flits with buffers of %d flits under %s", m.Flits[r], s.smallest, s.o.Switching)
		}
		return nil
	}
	if p := m.Protocol; p != nil {
		for c, r := range p.Rules {
			if err := caused(c); len(r.After) > 0 && len(r.To) > 0 && err != nil {
				return err
			}
		}
	}
	for c, r := range m.Causes {
		if r < 0 {
			continue
		}
		if r <= c || r >= m.classes {
			return fmt.Errorf("engine: messages of class %d cause class %d, allowed are later classes", c, r)
		}
		if err := caused(r); err != nil {
			return err
		}
		if m.Causes[r] >= 0 && len(m.Targets) == 0 {
			return fmt.Errorf("engine: messages of class %d need targets", r)
		}
	}
	return nil
}

// Answered returns the number of requests that have been answered, or lost because there was no
// route. It returns 0 without Options.Messages.
func (s *Sim) Answered() int64 {
	if m := find[*messages](&s.hooks); m != nil {
		return m.ended
	}
	return 0
}

// unroutable implements endpoints.
func (m *messages) unroutable() { m.ended++ }

// began implements endpoints.
func (m *messages) began(p PacketID) Clock { return m.graph.tx[m.from[p].tx].began }

// unsent implements endpoints.
func (m *messages) unsent(f func(v, flits int32)) {
	for i := range m.sends {
		f(m.sends[i].vc, m.sends[i].left)
	}
}

// drop implements dropper.
func (m *messages) drop(s *kernel, _ int32, y *vc) {
	if y.left > 0 {
		return
	}
	x, o := &s.packet[y.id], &m.from[y.id]
	if o.taken {
		m.graph.giveBack(int32(m.rel.DestinationHost(x.dest)), m.rel.MessageOf(x.class))
	}
	m.kill(o.tx)
	m.finish(s, o.tx)
	m.retryAll(s)
}

// deliver implements deliverer: the host serves the message, or the request is answered.
func (m *messages) deliver(s *kernel, p PacketID) {
	x, o := &s.packet[p], m.from[p]
	c := m.rel.MessageOf(x.class)
	if m.isChain && m.Causes[c] < 0 {
		m.finish(s, o.tx)
		return
	}
	m.graph.serving.push(handling{s.now + m.Service, o.tx, int16(c), o.taken, m.rel.DestinationHost(x.dest), x.source})
}

// messageStream separates the random numbers of targets from others.
const messageStream = 0xBF58476D1CE4E5B9

// isIdle implements endpoints.
func (m *messages) isIdle() bool {
	return m.graph.serving.len() == 0 && !slices.ContainsFunc(m.pending, func(f fifo[caused]) bool { return f.len() > 0 }) &&
		!slices.ContainsFunc(m.sends, func(y sending) bool { return y.has })
}

func (m *messages) clone() mechanism {
	c := *m
	c.asking, c.graph = nil, m.graph.clone()
	c.from, c.sends, c.outstanding, c.pending = slices.Clone(m.from), slices.Clone(m.sends), slices.Clone(m.outstanding), slices.Clone(m.pending)
	for i := range c.pending {
		c.pending[i] = m.pending[i].clone()
	}
	return &c
}
