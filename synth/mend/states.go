package mend

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file follows packets to a destination through a table.

// place is a state in which a packet needs the entry of a switch: the channel into the switch, its
// VC, and the class of the packet.
type place struct {
	in model.ChannelID
	vc model.VCID // NoVC if the packet comes from a host
	k  model.Class
}

// sources lists the places where packets to d start. Hosts of a switch that SL-to-VL tables treat
// equally share a place.
func sources(t *model.Table, d model.DestID) []place {
	type group struct {
		at model.SwitchID
		k  model.Class
		in model.ChannelID
	}
	n := t.Network()
	var list []place
	seen := map[group]bool{}
	for h := range model.HostID(t.Sources()) {
		if !model.Sends(t, h, d) {
			continue
		}
		for s := t.ClassesOf(h, d); s != 0; s &= s - 1 {
			p := place{n.InjectChannel(h), model.NoVC, model.Class(bits.TrailingZeros16(uint16(s)))}
			g := group{n.Host(h).Switch, p.k, model.NoChannel}
			if t.VCMap() != nil {
				g.in = p.in
			}
			if !seen[g] {
				seen[g] = true
				list = append(list, p)
			}
		}
	}
	return list
}

// onward returns the place that a packet reaches by leaving place p on channel out between
// switches. It returns false if the packet is dropped.
func onward(t *model.Table, p place, out model.ChannelID) (place, bool) {
	vc := t.HopVC(p.in, out, p.k)
	return place{out, t.Network().VC(out, vc), p.k}, vc != model.DropVC
}

// home returns the switch of the host of d, and the channel to that host.
func home(t *model.Table, d model.DestID) (model.SwitchID, model.ChannelID) {
	h := t.DestinationHost(d)
	return t.Network().Host(h).Switch, t.Network().EjectChannel(h)
}

// follow visits each place that packets to d reach, together with the next place. The next place
// has no channel if the packet is dropped, delivered to a wrong host, or has arrived. Cost:
// O(places).
func follow(t *model.Table, d model.DestID, visit func(from, to place)) {
	n, row := t.Network(), t.Row(d)
	seen := map[place]bool{}
	for todo := sources(t, d); len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		to, ok := place{in: model.NoChannel}, false
		if out := row[n.Head(p.in)]; out >= 0 && int(out) < n.NumLinkChannels() {
			if to, ok = onward(t, p, out); !ok {
				to.in = model.NoChannel
			}
		}
		visit(p, to)
		if ok && !seen[to] {
			seen[to] = true
			todo = append(todo, to)
		}
	}
}

// dependencies visits the dependencies of packets to d. It may visit one more than once.
func dependencies(t *model.Table, d model.DestID, visit func(model.Turn)) {
	follow(t, d, func(from, to place) {
		if from.vc != model.NoVC && to.in != model.NoChannel {
			visit(model.Turn{In: from.vc, Out: to.vc})
		}
	})
}

// delivered reports whether no packet to d is dropped or reaches a wrong host. It does not detect
// packets that circulate forever; those are a cycle of dependencies.
func delivered(t *model.Table, d model.DestID) bool {
	at, eject := home(t, d)
	n, ok := t.Network(), true
	follow(t, d, func(from, to place) {
		if to.in == model.NoChannel {
			u := n.Head(from.in)
			ok = ok && u == at && t.Row(d)[u] == eject && t.HopVC(from.in, eject, from.k) != model.DropVC
		}
	})
	return ok
}
