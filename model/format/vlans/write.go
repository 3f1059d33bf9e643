package vlans

import (
	"io"
	"maps"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/native"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file writes sets of VLANs, turnproof.vlans/1; see read.go. It writes the static entries
// that frames use, and those whose port is not on the tree.

// Write writes the set. Reading the result gives an equal set.
func Write(w io.Writer, s *vlan.Set) error {
	n := s.Network()
	o := writer{textfile.NewPrinter(w), s, names.New(n)}
	o.Printf("{\n  \"schema\": %q,\n  \"wiring\": %q,\n  \"vlans\": [", schema, native.Wiring(n))
	for k := range s.Len() {
		if k > 0 {
			o.Printf(",")
		}
		if err := o.vlan(k); err != nil {
			return err
		}
	}
	o.Printf("\n  ],\n  \"sends\": {")
	for h := range model.HostID(n.NumHosts()) {
		if h > 0 {
			o.Printf(",")
		}
		if err := o.sends(h); err != nil {
			return err
		}
	}
	o.Printf("\n  }\n}\n")
	return o.Flush()
}

type writer struct {
	*textfile.Printer
	set   *vlan.Set
	names *names.Index
}

func (o *writer) vlan(k int) error {
	v := o.set.At(k)
	o.Printf("\n    {\n      \"id\": %d,\n      \"priority\": %d", v.ID, v.Priority)
	tagged, untagged := o.ports(v)
	for _, list := range []struct {
		key   string
		ports map[model.SwitchID][]model.Port
	}{{"tagged", tagged}, {"untagged", untagged}} {
		if len(list.ports) == 0 {
			continue
		}
		o.Printf(",\n      %q: {", list.key)
		for i, u := range slices.Sorted(maps.Keys(list.ports)) {
			ports := list.ports[u]
			slices.Sort(ports)
			if err := o.line(i, o.names.SwitchLabel(u), ports); err != nil {
				return err
			}
		}
		o.Printf("\n      }")
	}
	if err := o.static(k); err != nil {
		return err
	}
	o.Printf("\n    }")
	return nil
}

// ports returns the ports of a VLAN by switch.
func (o *writer) ports(v *vlan.VLAN) (tagged, untagged map[model.SwitchID][]model.Port) {
	n := o.set.Network()
	tagged, untagged = map[model.SwitchID][]model.Port{}, map[model.SwitchID][]model.Port{}
	for _, l := range v.Links {
		k := n.Link(l)
		tagged[k.A], tagged[k.B] = append(tagged[k.A], k.APort), append(tagged[k.B], k.BPort)
	}
	for _, h := range v.Hosts {
		to := tagged
		if _, ok := slices.BinarySearch(v.Untagged, h); ok {
			to = untagged
		}
		e := n.Host(h)
		to[e.Switch] = append(to[e.Switch], e.Port)
	}
	return tagged, untagged
}

// static writes the address entries of VLAN k.
func (o *writer) static(k int) error {
	n := o.set.Network()
	at := map[model.SwitchID]map[model.HostID]model.Port{}
	add := func(u model.SwitchID, h model.HostID, p model.Port) {
		if at[u] == nil {
			at[u] = map[model.HostID]model.Port{}
		}
		at[u][h] = p
	}
	for h, c := range o.set.Entries(k) {
		add(n.Tail(c), h, n.TailPort(c))
	}
	o.set.Misled(k, add)
	if len(at) == 0 {
		return nil
	}
	o.Printf(",\n      \"static\": {")
	for i, u := range slices.Sorted(maps.Keys(at)) {
		var list object[model.Port]
		for _, h := range slices.Sorted(maps.Keys(at[u])) {
			list = append(list, member[model.Port]{o.names.HostName(h), at[u][h]})
		}
		if err := o.line(i, o.names.SwitchLabel(u), list); err != nil {
			return err
		}
	}
	o.Printf("\n      }")
	return nil
}

// sends writes the VLANs in which a host sends: one number if the host sends to all members in one
// VLAN.
func (o *writer) sends(h model.HostID) error {
	var list object[int]
	only, one := vlan.None, true
	for d := range model.HostID(o.set.Network().NumHosts()) {
		if k := o.set.Use(h, d); k != vlan.None {
			one = one && (only == vlan.None || only == k)
			only = k
			list = append(list, member[int]{o.names.HostName(d), o.set.At(k).ID})
		}
	}
	word, err := textfile.JSON(o.names.HostName(h))
	if err != nil {
		return err
	}
	if one && only != vlan.None && len(list) == len(o.set.At(only).Hosts)-1 {
		o.Printf("\n    %s: %d", word, o.set.At(only).ID)
		return nil
	}
	text, err := list.text()
	o.Printf("\n    %s: %s", word, text)
	return err
}

// line writes one key of an object with its value.
func (o *writer) line(i int, key string, value any) error {
	word, err := textfile.JSON(key)
	if err != nil {
		return err
	}
	var text []byte
	if list, ok := value.(object[model.Port]); ok {
		text, err = list.text()
	} else {
		text, err = textfile.JSON(value)
	}
	comma := ","
	if i == 0 {
		comma = ""
	}
	o.Printf("%s\n        %s: %s", comma, word, text)
	return err
}
