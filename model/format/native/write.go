package native

import (
	"encoding/base64"
	"errors"
	"unicode/utf8"

	"github.com/turnproof/turnproof/model"
)

// This file lists the objects of a network for the writers of JSON and YAML.

// sections calls head for each key in order, and object for each object in the list of the
// key.
func sections(n *model.Network, head func(key string, value any) error, object func(v any, last bool) error) error {
	if err := errors.Join(head("schema", networkSchema), head("vcs", n.VCs())); err != nil {
		return err
	}
	if g := n.Grid(); g != nil {
		if err := head("grid", gridObject{g.Sides, g.Wrap, g.Place}); err != nil {
			return err
		}
	}
	if f := n.FlowControl(); f != nil {
		if err := head("flow", flowControlObject{f.Rule, f.Packet, f.Buffer}); err != nil {
			return err
		}
	}
	if attributes := attributesOf(n); len(attributes) > 0 {
		if err := head("attributes", attributes); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		key   string
		count int
		at    func(i int) any
	}{
		{"switches", n.NumSwitches(), func(i int) any { return switchOf(n.Switch(model.SwitchID(i))) }},
		{"hosts", n.NumEndpoints(), func(i int) any { return hostOf(n, model.HostID(i)) }},
		{"links", n.NumLinks(), func(i int) any {
			k := n.Link(model.LinkID(i))
			a, b := int(k.APort), int(k.BPort)
			return linkObject{&switchRef{id: int(k.A)}, &a, &switchRef{id: int(k.B)}, &b, cableOf(n, model.ChannelID(2*i))}
		}},
	} {
		if err := head(s.key, s.count); err != nil {
			return err
		}
		for i := range s.count {
			if err := object(s.at(i), i == s.count-1); err != nil {
				return err
			}
		}
	}
	return nil
}

func switchOf(s *model.Switch) switchObject {
	name, coded := nameOf(s.Name)
	return switchObject{name, coded, guidText(s.GUID), s.Ports, int(s.LID), int(s.LMC)}
}

func hostOf(n *model.Network, i model.HostID) hostObject {
	h := n.Host(i)
	name, coded := nameOf(h.Name)
	port := int(h.Port)
	return hostObject{name, coded, &switchRef{id: int(h.Switch)}, &port, guidText(h.NodeGUID), guidText(h.PortGUID), h.NodePort,
		int(h.LID), int(h.LMC), h.Management, cableOf(n, n.InjectChannel(i))}
}

func nameOf(name string) (plain, coded string) {
	if utf8.ValidString(name) {
		return name, ""
	}
	return "", base64.StdEncoding.EncodeToString([]byte(name))
}
