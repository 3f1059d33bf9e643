package routes

import (
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file reads rows of next hops whose nodes are switches or hosts (hops.go).

// nodeRow reads a row by nodes.
func (t *hopTable) nodeRow(fields []string) error {
	u, host, err := t.names.Node(t.field(fields, "node"))
	if err != nil {
		return err
	}
	dests, err := t.destinations(t.field(fields, "destination"), 0)
	if err != nil {
		return err
	}
	next, nextHost, err := t.names.Node(t.field(fields, "next"))
	if err != nil {
		return err
	}
	if err := t.checkWeight(fields); err != nil {
		return err
	}
	outVC, err := t.vc(fields, "out_vc")
	if err != nil {
		return err
	}
	places, err := t.places(fields, u)
	switch {
	case err != nil:
		return err
	case host != model.NoHost && next != t.net.Host(host).Switch:
		return fmt.Errorf("host %s has a cable to %s only", t.net.HostLabel(host), t.net.SwitchName(t.net.Host(host).Switch))
	case host != model.NoHost:
		return nil // its own cable
	}
	for _, d := range dests {
		to := t.dests[d].Host
		home := t.net.Host(to).Switch
		switch {
		case home == u && (next == u || nextHost == to):
			continue // delivered
		case home == u:
			return fmt.Errorf("packets to %s have arrived at %s, but a row sends them to %s", t.field(fields, "destination"),
				t.field(fields, "node"), t.field(fields, "next"))
		case nextHost != model.NoHost:
			return fmt.Errorf("next is host %s, but packets to %s are at another switch than it", t.net.HostLabel(nextHost), t.field(fields, "destination"))
		}
		links, err := t.links(u, next)
		if err == nil {
			links, err = t.byPort(fields, "out_port", u, links)
		}
		if err != nil {
			return err
		}
		for _, c := range links {
			for _, place := range places {
				t.add(place, d, 0, model.Hop{VC: t.net.VC(c, outVC)})
			}
		}
	}
	return nil
}

// places returns where the packets of a row at switch u are, as in route.Step. u is NoSwitch in a row of a host. The
// result is valid until the next call.
func (t *hopTable) places(fields []string, u model.SwitchID) ([]int32, error) {
	word := t.field(fields, "from")
	var list []model.VCID
	switch {
	case u == model.NoSwitch:
		return nil, nil
	case word != "" || t.field(fields, "in_vc") != "":
		var err error
		if list, err = t.arrivals(fields, u, word); err != nil {
			return nil, err
		}
	case t.bySwitch:
		t.here[0] = int32(u)
		return t.here[:], nil
	default:
		for _, h := range t.names.At(u) {
			list = append(list, t.net.VC(t.net.InjectChannel(h), 0))
		}
	}
	places := make([]int32, len(list))
	for i, v := range list {
		places[i] = int32(v)
	}
	return places, nil
}

// arrivals returns the VCs on which packets come from a node to switch u.
func (t *hopTable) arrivals(fields []string, u model.SwitchID, word string) ([]model.VCID, error) {
	if word == "" {
		return nil, errors.New("in_vc without from: a packet that starts here has no VC")
	}
	before, host, err := t.names.Node(word)
	if err != nil {
		return nil, err
	}
	if host != model.NoHost {
		if t.net.Host(host).Switch != u {
			return nil, fmt.Errorf("host %s is not at %s", word, t.field(fields, "node"))
		}
		return []model.VCID{t.net.VC(t.net.InjectChannel(host), 0)}, nil
	}
	vc, err := t.vc(fields, "in_vc")
	if err != nil {
		return nil, err
	}
	links, err := t.links(before, u)
	if err == nil {
		links, err = t.byPort(fields, "in_port", u, links)
	}
	if err != nil {
		return nil, err
	}
	var list []model.VCID
	for _, c := range links {
		list = append(list, t.net.VC(c, vc))
	}
	return list, nil
}

// This file reads rows of next hops that state ports (hops.go).

// channelAt returns the channel through a port of a switch: out of it, or into it.
func (t *hopTable) channelAt(fields []string, column string, u model.SwitchID, out bool) (model.ChannelID, error) {
	p, err := t.count(fields, column, model.MaxPort+1)
	if err != nil {
		return 0, err
	}
	c := t.net.OutAt(u, model.Port(p))
	if c == model.NoChannel {
		return 0, fmt.Errorf("%s: no cable at port %d of %s", column, p, t.net.SwitchName(u))
	}
	if !out {
		c = t.net.Reverse(c)
	}
	return c, nil
}

// switchOf returns the switch of a row by ports.
func (t *hopTable) switchOf(fields []string) (model.SwitchID, error) {
	u, host, err := t.names.Node(t.field(fields, "switch"))
	if err == nil && host != model.NoHost {
		err = fmt.Errorf("%s is no switch", t.field(fields, "switch"))
	}
	return u, err
}

// portRow reads a row of next-hops.
func (t *hopTable) portRow(fields []string) error {
	u, err := t.switchOf(fields)
	if err != nil {
		return err
	}
	lid := 0
	if t.columnOf("lid") >= 0 {
		if lid, err = t.count(fields, "lid", 1<<16); err != nil {
			return err
		}
	}
	dests, err := t.destinations(t.field(fields, "destination"), lid)
	if err != nil {
		return err
	}
	c, err := t.channelAt(fields, "out_port", u, true)
	if err != nil {
		return err
	}
	vc, err := t.vc(fields, "out_vc")
	if err != nil {
		return err
	}
	for _, d := range dests {
		t.add(int32(u), d, 0, model.Hop{VC: t.net.VC(c, vc)})
	}
	return nil
}

// mostClasses is the largest number of classes in a table.
const mostClasses = 1 << 16

// inputRow reads a row of input-hops.
func (t *hopTable) inputRow(fields []string) error {
	if err := t.checkWeight(fields); err != nil {
		return err
	}
	u, err := t.switchOf(fields)
	if err != nil {
		return err
	}
	dests, err := t.destinations(t.field(fields, "destination"), 0)
	if err != nil {
		return err
	}
	in, err := t.channelAt(fields, "in_port", u, false)
	if err != nil {
		return err
	}
	out, err := t.channelAt(fields, "out_port", u, true)
	if err != nil {
		return err
	}
	var vc, k [2]int
	for i, name := range []string{"in_vc", "out_vc"} {
		if vc[i], err = t.vc(fields, name); err != nil {
			return err
		}
	}
	for i, name := range []string{"class", "next_class"} {
		if k[i], err = t.count(fields, name, mostClasses); err != nil {
			return err
		}
		t.classes = max(t.classes, k[i]+1)
	}
	for _, d := range dests {
		t.add(int32(t.net.VC(in, vc[0])), d, model.Class(k[0]), model.Hop{VC: t.net.VC(out, vc[1]), Class: model.Class(k[1])})
	}
	return nil
}
