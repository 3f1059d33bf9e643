package cdg

import (
	"context"
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file builds the graph of a forwarding table without visiting pairs of hosts. For one
// destination every switch has one channel out, so the packets of all sources merge. They
// differ only in their class, and in their VC if the SL-to-VL tables depend on the port in.
//
// Invariant: for the current destination, bit (class, VC) of a switch is set if and only if
// some packet of that class can be on that VC of the switch's channel out. Cost: O(entries)
// without classes; else O(entries × (class, VC) pairs in use + pairs of hosts). Memory: the
// graph and about 40 bytes per switch.

// buildTable collects the dependencies of t. It fails if ctx ends.
func buildTable(ctx context.Context, b *builder, t *model.Table) error {
	if t.IsPlain() {
		return buildPlain(ctx, b, t)
	}
	w := &tableWalk{b: b, t: t, seen: make([]uint32, b.net.NumSwitches()), vcs: make([][model.MaxClasses]uint16, b.net.NumSwitches())}
	for d := range model.DestID(t.Destinations()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.destination(d)
	}
	return nil
}

// buildPlain handles tables with one class and one VC, where VC IDs are channel IDs. From each
// switch with a source it walks towards the destination until it meets a switch that an earlier
// walk passed.
func buildPlain(ctx context.Context, b *builder, t *model.Table) error {
	n := b.net
	heads, links := n.Heads(), model.ChannelID(n.NumLinkChannels())
	seen := make([]uint32, n.NumSwitches()) // 1 + the last destination for which a walk passed the switch
	senders := sendersBySwitch(t, t.Sources())
	toSwitches := senders // the switches that send to management endpoints
	if t.Management() == model.HostManagement {
		toSwitches = sendersBySwitch(t, n.NumHosts())
	}
	for d := range model.DestID(t.Destinations()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		row, stamp := t.Row(d), uint32(d)+1
		own := ownSwitch(t, d)
		list := senders
		if n.Host(t.DestinationHost(d)).Management {
			list = toSwitches
		}
		for _, s := range list {
			if s.at == own && s.count == 1 || seen[s.at] == stamp {
				continue
			}
			seen[s.at] = stamp
			in := row[s.at]
			for in >= 0 && in < links {
				b.use(model.VCID(in))
				u := heads[in]
				out := row[u]
				if out >= 0 && out < links {
					b.add(model.VCID(in), model.VCID(out))
				}
				if seen[u] == stamp {
					break
				}
				seen[u] = stamp
				in = out
			}
		}
	}
	return nil
}

// sender is a switch with endpoints that send, and their number.
type sender struct {
	at    model.SwitchID
	count int
}

// sendersBySwitch returns the switches that have at least one of the first endpoints.
func sendersBySwitch(t *model.Table, endpoints int) []sender {
	n := t.Network()
	count := make([]int, n.NumSwitches())
	for h := range model.HostID(endpoints) {
		count[n.Host(h).Switch]++
	}
	var list []sender
	for u, k := range count {
		if k > 0 {
			list = append(list, sender{model.SwitchID(u), k})
		}
	}
	return list
}

// ownSwitch returns the switch of d's endpoint if this endpoint is a source, because it does
// not send to itself. Else it returns NoSwitch.
func ownSwitch(t *model.Table, d model.DestID) model.SwitchID {
	h := t.DestinationHost(d)
	if int(h) >= t.Sources() || t.Management() == model.HostManagement && t.Network().Host(h).Management {
		return model.NoSwitch
	}
	return t.Network().Host(h).Switch
}

// tableWalk follows packets by class and VC.
type tableWalk struct {
	b    *builder
	t    *model.Table
	seen []uint32                   // by switch: 1 + the destination that vcs belongs to
	vcs  [][model.MaxClasses]uint16 // by switch and class: the VCs of its channel out that packets can use
	todo []onChannel
}

// onChannel is the state of a packet on the channel out of a switch.
type onChannel struct {
	from model.SwitchID
	k    model.Class
	vc   int
}

func (w *tableWalk) destination(d model.DestID) {
	t, n := w.t, w.b.net
	row, links := t.Row(d), model.ChannelID(n.NumLinkChannels())
	for h := range model.HostID(t.Sources()) {
		u := n.Host(h).Switch
		out := row[u]
		if out < 0 || out >= links || !model.Sends(t, h, d) {
			continue
		}
		for s := t.ClassesOf(h, d); s != 0; s &= s - 1 {
			k := model.Class(bits.TrailingZeros16(uint16(s)))
			w.reach(d, u, k, t.HopVC(n.InjectChannel(h), out, k))
		}
	}
	for len(w.todo) > 0 {
		p := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		in := row[p.from]
		at := n.VC(in, p.vc)
		w.b.use(at)
		u := n.Head(in)
		out := row[u]
		if out < 0 || out >= links {
			continue
		}
		if vc := t.HopVC(in, out, p.k); vc != model.DropVC {
			w.b.add(at, n.VC(out, vc))
			w.reach(d, u, p.k, vc)
		}
	}
}

// reach records that a packet of class k can leave u on VC vc.
func (w *tableWalk) reach(d model.DestID, u model.SwitchID, k model.Class, vc int) {
	if vc == model.DropVC {
		return
	}
	if w.seen[u] != uint32(d)+1 {
		w.seen[u] = uint32(d) + 1
		w.vcs[u] = [model.MaxClasses]uint16{}
	}
	if bit := uint16(1) << vc; w.vcs[u][k]&bit == 0 {
		w.vcs[u][k] |= bit
		w.todo = append(w.todo, onChannel{u, k, vc})
	}
}
