package mend

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file follows packets to a destination through a table.

// place is where packets to a destination ask a switch for its entry: on a channel into it,
// from a host or on a VC, with a class.
type place struct {
	in model.ChannelID
	vc model.VCID // NoVC from a host
	k  model.Class
}

// sources lists where packets to d begin; hosts of a switch that no SL-to-VL table tells apart
// are one.
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

// onward returns where packets get to that leave a place by channel out between switches, and
// false where they are dropped.
func onward(t *model.Table, p place, out model.ChannelID) (place, bool) {
	vc := t.HopVC(p.in, out, p.k)
	return place{out, t.Network().VC(out, vc), p.k}, vc != model.DropVC
}

// home is the switch of d's host, and the channel to that host.
func home(t *model.Table, d model.DestID) (model.SwitchID, model.ChannelID) {
	h := t.DestinationHost(d)
	return t.Network().Host(h).Switch, t.Network().EjectChannel(h)
}

// follow visits each place that packets to d come to, and with it the one after it: a place
// without a channel where packets are dropped, delivered to a wrong host, or have arrived.
// Cost: O(places).
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

// dependencies visits the dependencies of packets to d, some more than once.
func dependencies(t *model.Table, d model.DestID, visit func(model.Turn)) {
	follow(t, d, func(from, to place) {
		if from.vc != model.NoVC && to.in != model.NoChannel {
			visit(model.Turn{In: from.vc, Out: to.vc})
		}
	})
}

// delivered reports whether no packet to d is dropped or comes to a wrong host. Packets that go
// round for ever are not noticed; they are a cycle of dependencies.
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
