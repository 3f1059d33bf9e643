package routes

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

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
