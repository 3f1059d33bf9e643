package exhaustive

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// This file judges cases of kinds that had wrong verdicts.

// named returns a case of a named routing.
func named(t *testing.T, spec, name string) *drawn {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	if name == "around" {
		return &drawn{rel: around(n)}
	}
	r, err := route.New(name, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &drawn{rel: r}
}

// hops returns a relation with one class of which the hops of a few states are listed: from the switch, to the switch.
func hops(t *testing.T, spec string, next map[[3]int][]int, pairs ...[2]model.HostID) *drawn {
	t.Helper()
	d := named(t, spec, "updown")
	n := d.rel.Network()
	r := listed(n)
	r.NextHops = func(s model.State) (list []model.Hop) {
		if hop, ok := eject(r, s); ok {
			return []model.Hop{hop}
		}
		ch, _ := n.Channel(s.VC)
		for _, to := range next[[3]int{int(n.Tail(ch)), int(n.Head(ch)), int(s.Dest)}] {
			for _, out := range n.Out(n.Head(ch)) {
				if int(n.Head(out)) == to {
					list = append(list, model.Hop{VC: n.VC(out, 0)})
				}
			}
		}
		return list
	}
	var flows []model.Flow
	for _, x := range pairs {
		flows = append(flows, model.Flow{Source: x[0], Dest: x[1], Amount: 1})
	}
	d.rel = model.WithFlows(r, flows)
	return d
}

func gated(t *testing.T, d *drawn, rule string, packet, buffer int) *drawn {
	t.Helper()
	r, err := gate.Parse(rule)
	if err != nil {
		t.Fatal(err)
	}
	d.gate, d.switching, d.packet, d.buffer = &r, model.CutThrough, packet, buffer
	return d
}

func sized(d *drawn, packet, buffer int, atomic bool) *drawn {
	d.switching, d.packet, d.buffer, d.atomic = model.Wormhole, packet, buffer, atomic
	return d
}

// withBuffers gives channels between switches buffers of their own.
func withBuffers(t *testing.T, d *drawn, flits func(ch int) int32) *drawn {
	t.Helper()
	list := make([]model.ChannelAttributes, d.rel.Network().NumChannels())
	for ch := range d.rel.Network().NumLinkChannels() {
		list[ch].Buffer = flits(ch)
	}
	n, err := d.rel.Network().WithChannelAttributes(list)
	if err != nil {
		t.Fatal(err)
	}
	d.rel = onNetwork(d.rel, n)
	return d
}

// TestKnown fails if the verdict on a known case is wrong.
func TestKnown(t *testing.T) {
	replies := named(t, "ring:3", "around")
	replies.rel = model.WithFlows(replies.rel, []model.Flow{{Source: 0, Dest: 1, Amount: 1}, {Source: 1, Dest: 2, Amount: 1}, {Source: 2, Dest: 0, Amount: 1}})
	replies.switching = model.CutThrough
	replies.messages, _ = model.ParseClasses("request,reply")
	copies := named(t, "line:4", "dor")
	copies.switching = model.Wormhole
	text, err := protocol.Parse("copies.yaml", []byte("classes:\n  Inv: {from: 1-2, to: 0-3, multicast: true, consumed: true}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if copies.protocol, err = text.Bind(copies.rel.Network()); err != nil {
		t.Fatal(err)
	}
	bounce := func() *drawn {
		d := hops(t, "line:3", map[[3]int][]int{{-1, 1, 0}: {0, 2}, {1, 2, 0}: {1}, {2, 1, 0}: {0, 2}}, [2]model.HostID{1, 0})
		d.switching = model.Wormhole
		return d
	}
	back := hops(t, "ring:3", map[[3]int][]int{{-1, 2, 1}: {0}, {2, 0, 1}: {1, 2}, {0, 2, 1}: {0}}, [2]model.HostID{2, 1})
	for name, d := range map[string]*drawn{
		"replies of flows":              replies,
		"copies under wormhole":         copies,
		"buffers of different sizes":    withBuffers(t, bounce(), func(ch int) int32 { return map[bool]int32{true: 8, false: 2}[ch == 3] }),
		"gates and buffers of the file": withBuffers(t, gated(t, named(t, "ring:4", "dor"), "injection,level=1,hops=1,unit=packet", 2, 4), func(int) int32 { return 2 }),
		"full VCs":                      sized(named(t, "mesh:2x2,vcs=2", "fully-adaptive"), 1, 2, false),
		"one flit on two VCs":           sized(back, 1, 1, true),
	} {
		one, err := d.judge(t.Context(), 50_000)
		if err != nil {
			t.Fatal(err)
		}
		if t.Logf("%s: %s%s", name, one.said, one.refused); one.wrong != "" {
			t.Errorf("%s: %s", name, one.wrong)
		}
	}
}
