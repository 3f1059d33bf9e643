package states

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file converts classes of messages. A class without a limit of its queue never makes a host wait. Its messages are
// those of any source: a run may first consume as many causes as it wants, while the network is otherwise empty.

// class is a class of messages.
type class struct {
	network   int
	from, to  []int // hosts; nil for all
	dest      Addressee
	causes    []int
	entries   int // 0: no limit
	consumed  bool
	multicast bool
	trips     []trip
}

// trip is a message that may exist: who began the transaction, who sends it and who receives it.
type trip struct{ origin, sender, receiver int }

// readClasses reads the classes, causes first.
func (k *converter) readClasses() error {
	switch {
	case k.Protocol != nil:
		return k.readProtocol()
	case k.Messages == nil:
		k.classes = []class{{dest: ToRole}}
		return nil
	}
	k.networks = k.Messages.Networks()
	for i := range k.Messages.Names {
		x := class{network: k.Messages.Network[i], dest: ToRole, entries: k.Entries}
		if i > 0 {
			x.causes = []int{i - 1}
		}
		if i == len(k.Messages.Names)-1 {
			x.dest = ToOrigin
		}
		k.classes = append(k.classes, x)
	}
	return nil
}

// readProtocol reads a protocol. It fails for joins and several messages at a time.
func (k *converter) readProtocol() error {
	p := k.Protocol
	k.networks = p.Networks()
	for c, r := range p.Rules {
		x := class{network: p.Network[c], from: ints(r.From), to: ints(r.To), dest: ToRole, entries: r.Queue.Entries,
			consumed: r.Consumed, multicast: r.Multicast}
		switch {
		case p.Join(c) != nil || len(r.To) == 0:
			return errJoin
		case r.Copies > 1:
			return errCopies
		case r.Dest == model.ToInitiator:
			x.dest = ToOrigin
		case r.Dest == model.ToSender:
			x.dest = ToSender
		}
		for _, list := range r.After {
			if x.causes = append(x.causes, list[0]); list[0] > c {
				return errOrder
			}
		}
		k.classes = append(k.classes, x)
	}
	return nil
}

const (
	errJoin   = modelError("joins of classes are not modelled")
	errCopies = modelError("several messages at a time are not modelled")
	errOrder  = modelError("classes whose causes come later in the file are not modelled")
)

type modelError string

func (e modelError) Error() string { return string(e) }

func ints(list []model.HostID) (out []int) {
	for _, h := range list {
		out = append(out, int(h))
	}
	return out
}

// destOf returns the lowest destination of a host.
func (k *converter) destOf(host int) (model.DestID, bool) {
	for d := range model.DestID(k.r.Destinations()) {
		if int(k.r.DestinationHost(d)) == host {
			return d, true
		}
	}
	return 0, false
}

// addTraffic adds the streams and the messages that hosts send because of others.
func (k *converter) addTraffic() {
	outstanding := 0
	if k.Protocol != nil {
		outstanding = k.Protocol.Outstanding
	}
	m := &Messages{Outstanding: outstanding}
	finite := outstanding > 0
	for c := range k.classes {
		m.Classes = append(m.Classes, Class{Flits: k.Packets[0], Dest: k.classes[c].dest, To: k.classes[c].to})
		m.Start = append(m.Start, nil)
		switch x := &k.classes[c]; {
		case x.causes == nil:
			k.addFirst(c)
		case x.entries == 0 && outstanding == 0:
			k.addFree(c)
		default:
			finite = true
			k.addCaused(m, c)
		}
	}
	if finite {
		k.c.Messages = m
	}
}

// addFirst adds the messages that begin transactions.
func (k *converter) addFirst(c int) {
	x := &k.classes[c]
	for h := range k.r.Sources() {
		if x.from != nil && !slices.Contains(x.from, h) {
			continue
		}
		if x.multicast && !k.begins(model.HostID(h)) {
			continue
		}
		if x.multicast {
			for _, p := range k.startCopies(c, model.HostID(h), x.to) {
				k.c.Streams = append(k.c.Streams, Stream{p, k.Packets, h})
			}
			continue
		}
		for d := range model.DestID(k.r.Destinations()) {
			t := int(k.r.DestinationHost(d))
			if !model.Sends(k.r, model.HostID(h), d) || x.to != nil && !slices.Contains(x.to, t) {
				continue
			}
			for _, p := range k.starts(c, model.HostID(h), d) {
				k.c.Streams = append(k.c.Streams, Stream{p, k.Packets, h})
				x.trips = append(x.trips, trip{h, h, t})
			}
		}
	}
}

// begins reports whether host h sends to another host: if flows restrict the routing, transactions begin at their sources.
func (k *converter) begins(h model.HostID) bool {
	for d := range model.DestID(k.r.Destinations()) {
		if k.r.DestinationHost(d) != h && model.Sends(k.r, h, d) {
			return true
		}
	}
	return false
}

// caused returns the messages of class c that may exist.
func (k *converter) caused(c int) (list []trip) {
	seen := map[trip]bool{}
	x := &k.classes[c]
	for _, cause := range x.causes {
		for _, y := range k.classes[cause].trips {
			for _, t := range k.targets(c, y) {
				z := trip{y.origin, y.receiver, t}
				if t != y.receiver && !seen[z] && (x.from == nil || slices.Contains(x.from, y.receiver)) {
					seen[z] = true
					list = append(list, z)
				}
			}
		}
	}
	return list
}

// targets returns the hosts that a message of class c goes to because of another one.
func (k *converter) targets(c int, y trip) (list []int) {
	switch x := &k.classes[c]; {
	case x.dest == ToOrigin:
		return []int{y.origin}
	case x.dest == ToSender:
		return []int{y.sender}
	case x.to != nil:
		return x.to
	}
	for h := range k.n.NumHosts() {
		list = append(list, h)
	}
	return list
}

// begin returns the places in which a message of class c begins.
func (k *converter) begin(c int, y trip) []int {
	d, ok := k.destOf(y.receiver)
	if !ok {
		return nil
	}
	if k.classes[c].multicast {
		return k.startCopies(c, model.HostID(y.sender), k.targets(c, y))
	}
	return k.starts(c, model.HostID(y.sender), d)
}

// addFree adds the messages of a class without limit.
func (k *converter) addFree(c int) {
	for _, y := range k.caused(c) {
		for _, p := range k.begin(c, y) {
			k.c.Streams = append(k.c.Streams, Stream{p, k.Packets, y.origin})
			k.classes[c].trips = append(k.classes[c].trips, y)
		}
	}
}

// addCaused adds the messages of a class that hosts send from queues.
func (k *converter) addCaused(m *Messages, c int) {
	x := &k.classes[c]
	if m.Classes[c].Entries = x.entries; x.entries == 0 {
		m.Classes[c].Entries = 255
	}
	for _, cause := range x.causes {
		if k.classes[cause].consumed {
			k.fail("class %d is always consumed and causes class %d, which has a queue of %d", cause, c, x.entries)
		}
		m.Classes[cause].Effects = append(m.Classes[cause].Effects, c)
	}
	if m.Classes[c].To == nil {
		m.Classes[c].To = k.targets(c, trip{})
	}
	hosts := k.n.NumEndpoints()
	m.Start[c] = make([][][]int, hosts)
	for h := range hosts {
		m.Start[c][h] = make([][]int, hosts)
	}
	for _, y := range k.caused(c) {
		if at := &m.Start[c][y.sender][y.receiver]; *at == nil {
			for _, p := range k.begin(c, y) {
				*at = append(*at, k.queuePlace(c, y, p))
			}
		}
		x.trips = append(x.trips, y)
	}
}

// queuePlace returns the place of a message in a queue that goes to place p on an injection channel.
func (k *converter) queuePlace(c int, y trip, p int) int {
	k.c.Places = append(k.c.Places, Place{Buffer: k.queueOf(c, y.sender), Next: []int{p}, Class: c, Host: y.receiver})
	k.keys = append(k.keys, placeKey{})
	return len(k.c.Places) - 1
}
