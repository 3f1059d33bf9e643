package format

import (
	"encoding/base64"
	"errors"
	"unicode/utf8"

	"github.com/turnproof/turnproof/model"
)

// This file lists the objects of a network for the writers of JSON and YAML.

// nativeSections calls head for each key in order, and object for each object in the list of the
// key.
func nativeSections(n *model.Network, head func(key string, value any) error, object func(v any, last bool) error) error {
	if err := errors.Join(head("schema", nativeSchema), head("vcs", n.VCs())); err != nil {
		return err
	}
	if g := n.Grid(); g != nil {
		if err := head("grid", nativeGrid{g.Sides, g.Wrap, g.Place}); err != nil {
			return err
		}
	}
	if f := n.FlowControl(); f != nil {
		if err := head("flow", nativeFlow{f.Rule, f.Packet, f.Buffer}); err != nil {
			return err
		}
	}
	if attributes := nativeAttributesOf(n); len(attributes) > 0 {
		if err := head("attributes", attributes); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		key   string
		count int
		at    func(i int) any
	}{
		{"switches", n.NumSwitches(), func(i int) any { return nativeSwitchOf(n.Switch(model.SwitchID(i))) }},
		{"hosts", n.NumEndpoints(), func(i int) any { return nativeHostOf(n, model.HostID(i)) }},
		{"links", n.NumLinks(), func(i int) any {
			k := n.Link(model.LinkID(i))
			a, b := int(k.APort), int(k.BPort)
			return nativeLink{&nativeRef{id: int(k.A)}, &a, &nativeRef{id: int(k.B)}, &b, nativeCableOf(n, model.ChannelID(2*i))}
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

func nativeSwitchOf(s *model.Switch) nativeSwitch {
	name, coded := nativeName(s.Name)
	return nativeSwitch{name, coded, nativeGUID(s.GUID), s.Ports, int(s.LID), int(s.LMC)}
}

func nativeHostOf(n *model.Network, i model.HostID) nativeHost {
	h := n.Host(i)
	name, coded := nativeName(h.Name)
	port := int(h.Port)
	return nativeHost{name, coded, &nativeRef{id: int(h.Switch)}, &port, nativeGUID(h.NodeGUID), nativeGUID(h.PortGUID), h.NodePort,
		int(h.LID), int(h.LMC), h.Management, nativeCableOf(n, n.InjectChannel(i))}
}

func nativeName(name string) (plain, coded string) {
	if utf8.ValidString(name) {
		return name, ""
	}
	return "", base64.StdEncoding.EncodeToString([]byte(name))
}
