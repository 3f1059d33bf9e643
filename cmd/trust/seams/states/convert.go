package states

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
)

// This file makes a case of a network and a routing. Only the convert files read package model.

// Options are what a case has besides the network and the routing.
type Options struct {
	Switching model.Switching // defaults to wormhole
	Waiting   model.Waiting   // if empty, the relation says it
	Packets   []int           // lengths; defaults to 1 flit
	Buffer    int             // of channels without a size of their own; defaults to 1 flit
	Reuse     Reuse
	Flow      *bubble.Rule
	Gate      *gate.Rule
	Late      bool // gates see old states
	Split     bool // see Gates
	Multicast *model.Multicast
	Messages  *model.Protocol // a chain of classes
	Entries   int             // of a host for each class of caused messages of Messages; if 0, without limit
	Protocol  *model.Protocol
}

// converter makes a case.
type converter struct {
	Options
	r        model.Relation
	n        *model.Network
	c        *Case
	commits  func(model.State) bool
	networks int
	classes  []class
	number   map[string]int
	keys     []placeKey
	queues   []int // by host and virtual network: its buffer, or -1
	why      error
}

// placeKey is what a place is in the model.
type placeKey struct {
	class int // of messages
	at    model.State
	group int           // 1 + the group of a multicast table, or 0
	to    []model.State // the destinations of a multicast message, and their routing classes
}

// Convert returns the case of a routing.
func Convert(r model.Relation, o Options) (*Case, error) {
	k := &converter{Options: o, r: r, n: r.Network(), c: &Case{Reuse: o.Reuse}, commits: model.CommitsIn(r, o.Waiting), number: map[string]int{}, networks: 1}
	if k.Packets == nil {
		k.Packets = []int{1}
	}
	k.Buffer = max(k.Buffer, 1)
	switch o.Switching {
	case model.CutThrough:
		k.c.Switching = CutThrough
	case model.StoreAndForward:
		k.c.Switching = StoreAndForward
	}
	if err := k.readClasses(); err != nil {
		return nil, err
	}
	k.addBuffers()
	k.addTraffic()
	k.addGroups()
	k.expand()
	k.addFlow()
	k.addGates()
	return k.c, k.why
}

// fail keeps the first error.
func (k *converter) fail(format string, a ...any) {
	k.why = errors.Join(k.why, fmt.Errorf(format, a...))
}

// addBuffers adds the buffers of links, then of injection channels, then the queues of hosts.
func (k *converter) addBuffers() {
	vcs := k.n.VCs()
	for ch := range model.ChannelID(k.n.NumLinkChannels()) {
		for i := range k.networks * vcs {
			name := fmt.Sprintf("%s to %s", k.n.SwitchName(k.n.Tail(ch)), k.n.SwitchName(k.n.Head(ch)))
			if k.networks*vcs > 1 {
				name += fmt.Sprintf(" VC %d", i)
			}
			k.c.Buffers = append(k.c.Buffers, Buffer{Name: name, Flits: k.flits(ch), Channel: int(ch), VC: i, Network: i / vcs})
		}
	}
	for h := range k.n.NumEndpoints() {
		for v := range k.networks {
			k.c.Buffers = append(k.c.Buffers, Buffer{Name: fmt.Sprintf("host %d network %d", h, v), Kind: Inject, VCs: vcs, Host: h, Channel: -1, Network: v,
				Flits: k.flits(k.n.InjectChannel(model.HostID(h)))})
		}
	}
	k.queues = slices.Repeat([]int{-1}, k.n.NumEndpoints()*k.networks)
}

func (k *converter) flits(ch model.ChannelID) int {
	if list := k.n.ChannelAttributes(); list != nil && list[ch].Buffer > 0 {
		return int(list[ch].Buffer)
	}
	return k.Buffer
}

// bufferOf returns the buffer of a VC for a class of messages.
func (k *converter) bufferOf(class int, v model.VCID) int {
	ch, i := k.n.Channel(v)
	network, vcs := k.classes[class].network, k.n.VCs()
	if h := k.n.HostOf(ch); h != model.NoHost {
		return k.n.NumLinkChannels()*k.networks*vcs + int(h)*k.networks + network
	}
	return (int(ch)*k.networks+network)*vcs + i
}

// queueOf returns the queue of a host for a class of messages.
func (k *converter) queueOf(class, host int) int {
	at := &k.queues[host*k.networks+k.classes[class].network]
	if *at < 0 {
		*at = len(k.c.Buffers)
		k.c.Buffers = append(k.c.Buffers, Buffer{Name: fmt.Sprintf("queue of host %d", host), Kind: Queue, Host: host, Channel: -1})
	}
	return *at
}

// placeOf returns the number of a place, which expand fills later.
func (k *converter) placeOf(x placeKey) int {
	text := fmt.Sprint(x)
	p, ok := k.number[text]
	if !ok {
		p = len(k.c.Places)
		k.number[text] = p
		k.c.Places = append(k.c.Places, Place{Buffer: k.bufferOf(x.class, x.at.VC), Class: x.class})
		k.keys = append(k.keys, x)
	}
	return p
}

// expand follows all packets.
func (k *converter) expand() {
	for p := 0; p < len(k.keys); p++ {
		switch x := k.keys[p]; {
		case len(k.c.Places[p].Next) > 0: // a queue
		case x.group > 0:
			k.copyGroup(p, x)
		case x.to != nil:
			k.copyMessage(p, x)
		default:
			k.follow(p, x)
		}
	}
}

// follow adds the hops of a packet.
func (k *converter) follow(p int, x placeKey) {
	y := k.c.Places[p]
	for _, h := range k.r.Next(x.at, nil) {
		ch, _ := k.n.Channel(h.VC)
		if k.n.Kind(ch) == model.Eject {
			y.Host, y.Next = int(k.n.HostOf(ch)), append(y.Next, Leave)
			continue
		}
		q := k.placeOf(placeKey{class: x.class, at: model.State{VC: h.VC, Dest: x.at.Dest, Class: h.Class}})
		y.Next = append(y.Next, q)
	}
	y.Commits = k.commits != nil && k.commits(x.at) && len(y.Next) > 1
	k.c.Places[p] = y
}

// starts returns the places in which a packet of a class of messages begins.
func (k *converter) starts(class int, h model.HostID, d model.DestID) (list []int) {
	for _, c := range k.r.Inject(h, d, nil) {
		list = append(list, k.placeOf(placeKey{class: class, at: model.InjectState(k.r, h, d, c)}))
	}
	return list
}
