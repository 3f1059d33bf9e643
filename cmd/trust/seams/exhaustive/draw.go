package exhaustive

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// This file draws cases.

// drawn is a case.
type drawn struct {
	text      []string // what was drawn
	features  []string
	rel       model.Relation
	switching model.Switching
	waiting   model.Waiting
	packet    int // 0: not stated
	buffer    int
	atomic    bool
	flow      *bubble.Rule
	gate      *gate.Rule
	multicast *model.Multicast
	messages  *model.Protocol
	protocol  *model.Protocol
}

// draw draws a case, or returns nil if what it draws does not exist together.
func draw(rng *rand.Rand, pairs bool) *drawn {
	d := &drawn{switching: pick(rng, model.CutThrough, model.StoreAndForward, model.Wormhole, model.Wormhole)}
	if d.drawRouting(rng); d.rel == nil {
		return nil
	}
	d.say("", "switching %s", d.switching)
	if rng.IntN(4) == 0 && (!pairs || rng.IntN(2) == 0) {
		d.waiting = model.WaitOne
		d.say("waiting", "waiting one")
	}
	if rng.IntN(3) > 0 {
		d.drawSizes(rng)
	}
	if rng.IntN(3) == 0 || pairs && rng.IntN(2) == 0 {
		d.drawFlows(rng)
	}
	if rng.IntN(4) == 0 && !pairs {
		d.drawBuffers(rng)
	}
	kind := rng.IntN(10)
	if pairs {
		kind = pairOfRules
	}
	if !d.drawRule(rng, kind) {
		return nil
	}
	return d
}

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

// say notes what was drawn, as a feature if it has a name.
func (d *drawn) say(feature, format string, a ...any) {
	d.text = append(d.text, fmt.Sprintf(format, a...))
	if feature != "" {
		d.features = append(d.features, feature)
	}
}

// drawRouting draws a network and a named routing, or a relation.
func (d *drawn) drawRouting(rng *rand.Rand) {
	spec := pick(rng, "ring:3", "ring:4", "line:3", "line:4", "mesh:2x2", "complete:3", "complete:4")
	if rng.IntN(2) == 0 {
		spec += ",vcs=2"
	}
	n, err := topo.Parse(spec)
	if err != nil {
		return
	}
	name := pick(rng, "dor", "minimal", "fully-adaptive", "updown", "around", "drawn", "drawn", "drawn")
	d.say("", "%s %s", spec, name)
	switch name {
	case "around":
		if spec[:4] == "ring" {
			d.rel = around(n)
		}
	case "drawn":
		d.rel = d.drawRelation(rng, n)
	default:
		if r, err := route.New(name, n, route.Options{}); err == nil {
			d.rel = r
		}
	}
}

// drawSizes states sizes of packets and buffers.
func (d *drawn) drawSizes(rng *rand.Rand) {
	d.packet, d.buffer, d.atomic = 1+rng.IntN(4), 1+rng.IntN(3), rng.IntN(2) == 0
	if d.switching != model.Wormhole {
		d.buffer = max(d.buffer, d.packet)
	}
	d.say("sizes", "packets of %d flits, buffers of %d, atomic %v", d.packet, d.buffer, d.atomic)
}

// drawFlows lets some pairs of hosts talk.
func (d *drawn) drawFlows(rng *rand.Rand) {
	var list []model.Flow
	hosts := d.rel.Network().NumHosts()
	for a := range hosts {
		for b := range hosts {
			if a != b && rng.IntN(3) == 0 {
				list = append(list, model.Flow{Source: model.HostID(a), Dest: model.HostID(b), Amount: 1})
			}
		}
	}
	if len(list) > 0 {
		d.rel = model.WithFlows(d.rel, list)
		d.say("flows", "flows %v", list)
	}
}

// drawBuffers gives some channels buffers of their own.
func (d *drawn) drawBuffers(rng *rand.Rand) {
	n := d.rel.Network()
	list := make([]model.ChannelAttributes, n.NumChannels())
	for ch := range list {
		list[ch].Buffer = int32(pick(rng, 2, 2, 2, 5, 9))
	}
	n, err := n.WithChannelAttributes(list)
	if err != nil {
		return
	}
	d.rel = onNetwork(d.rel, n)
	d.say("buffers by channel", "buffers %v", list[:n.NumLinkChannels()])
}

// drawRule draws flow control, gates, copies or classes, or none of them. It returns false if they do not fit the network.
func (d *drawn) drawRule(rng *rand.Rand, kind int) bool {
	switch kind {
	case 0:
		d.drawFlowControl(rng)
	case 1:
		d.drawGate(rng)
	case 2:
		d.drawGroups(rng)
	case 3:
		return d.drawProtocol(rng, pick(rng, "multicast: true, consumed: true", "consumed: true"))
	case 4, 5:
		d.drawClasses(rng)
	case pairOfRules:
		return d.drawPair(rng)
	}
	return true
}

func (d *drawn) drawClasses(rng *rand.Rand) {
	text := pick(rng, "request,reply", "request,reply", "request+reply", "a,b,c")
	d.messages, _ = model.ParseClasses(text)
	d.say("classes", "classes %s", text)
}

func (d *drawn) drawFlowControl(rng *rand.Rand) {
	text := pick(rng, "bubble", "critical-bubble", "worm-bubble") + pick(rng, "", "", ",off=0", ",off=1,from=hosts", ",off=all,from=rings")
	if d.rel.Network().VCs() > 1 && rng.IntN(3) > 0 {
		text += fmt.Sprintf(",vc=%d", rng.IntN(d.rel.Network().VCs()))
	}
	if rng.IntN(4) == 0 {
		text += ",packet=1"
	}
	rule, err := bubble.Parse(text)
	if err != nil {
		return
	}
	if d.flow, d.switching = &rule, rule.Switching(); d.switching != model.Wormhole {
		d.switching = pick(rng, model.CutThrough, model.StoreAndForward)
	}
	d.packet, d.buffer = 1+rng.IntN(2), 1+rng.IntN(4)
	d.atomic = rule.Kind == bubble.Worm
	if !d.atomic {
		d.buffer = max(d.buffer, d.packet)
	}
	d.say("flow control", "%s, %s, packets of %d flits, buffers of %d", text, d.switching, d.packet, d.buffer)
}

func (d *drawn) drawGate(rng *rand.Rand) {
	text := fmt.Sprintf("%s,level=%d", pick(rng, "injection", "turn", "both"), rng.IntN(4)) + pick(rng, "", ",hops=2") +
		pick(rng, "", ",unit=packet", ",unit=packet") +
		pick(rng, "", "", ",vcs=any", ",vcs=all") + pick(rng, "", "", ",buffer=reserved") + pick(rng, "", "", ",f=f2", ",f=f4:16>1")
	rule, err := gate.Parse(text)
	if err != nil {
		return
	}
	d.gate, d.switching, d.atomic = &rule, pick(rng, model.CutThrough, model.CutThrough, model.StoreAndForward), rng.IntN(3) == 0
	d.packet = 1 + rng.IntN(3)
	d.buffer = d.packet + rng.IntN(4)
	d.say("gates", "gate %s, %s, packets of %d flits, buffers of %d, atomic %v", text, d.switching, d.packet, d.buffer, d.atomic)
}

// drawProtocol draws a protocol of a class from some hosts to some hosts.
func (d *drawn) drawProtocol(rng *rand.Rand, rest string) bool {
	last := d.rel.Network().NumHosts() - 1
	from := rng.IntN(last)
	text := fmt.Sprintf("classes:\n  Inv: {from: %d-%d, to: 0-%d, %s}\n", from, from+rng.IntN(last-from+1), last, rest)
	t, err := protocol.Parse("drawn.yaml", []byte(text))
	if err != nil {
		return false
	}
	if d.protocol, err = t.Bind(d.rel.Network()); err != nil {
		return false
	}
	name := "classes"
	if d.protocol.Rules[0].Multicast {
		name = "copies"
	}
	d.say(name, "%s", text)
	return true
}

// drawGroups draws multicast tables: trees over the links.
func (d *drawn) drawGroups(rng *rand.Rand) {
	n := d.rel.Network()
	d.multicast = &model.Multicast{}
	for g := range 1 + rng.IntN(2) {
		ports := make([][]model.Port, n.NumSwitches())
		in := []model.SwitchID{model.SwitchID(rng.IntN(n.NumSwitches()))}
		for range 6 {
			u := pick(rng, in...)
			ch := pick(rng, n.Out(u)...)
			if v := n.Head(ch); n.Kind(ch) == model.SwitchToSwitch && !slices.Contains(in, v) {
				in = append(in, v)
				ports[u] = append(ports[u], n.TailPort(ch))
				ports[v] = append(ports[v], n.HeadPort(ch))
			}
		}
		group := model.MulticastGroup{MLID: uint16(0xc000 + g)}
		for u := range model.SwitchID(n.NumSwitches()) {
			if !slices.Contains(in, u) {
				continue
			}
			for _, ch := range n.Out(u) {
				if n.Kind(ch) == model.Eject {
					ports[u] = append(ports[u], n.TailPort(ch))
				}
			}
			slices.Sort(ports[u])
			group.Entries = append(group.Entries, model.MulticastEntry{Switch: u, Ports: ports[u]})
		}
		d.multicast.Groups = append(d.multicast.Groups, group)
	}
	d.say("copies", "groups %v", d.multicast.Groups)
}
