package vlans

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/native"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file reads the VLANs in which hosts send.

// sends sets the VLANs in which hosts send: from the file, or from the host's port if the file
// does not list the host.
func (r *reader) sends(s *vlan.Set, sends object[choices]) error {
	byID := map[int]int{}
	for k := range s.Len() {
		byID[s.At(k).ID] = k
	}
	told := map[model.HostID]bool{}
	for _, from := range sends {
		h, err := r.names.Host(from.key)
		if err != nil {
			return err
		}
		if told[h] {
			return fmt.Errorf("sends: %s comes twice", r.net.HostLabel(h))
		}
		told[h] = true
		if err := r.choices(s, h, &from.value, byID); err != nil {
			return err
		}
	}
	for h := range model.HostID(r.net.NumHosts()) {
		if !told[h] {
			k, err := r.only(s, h)
			if err != nil {
				return err
			}
			r.toAll(s, h, k)
		}
		if _, err := s.PVID(h); err != nil {
			return err
		}
	}
	return nil
}

// choices sets the VLANs in which host h sends, from its value in the file.
func (r *reader) choices(s *vlan.Set, h model.HostID, v *choices, byID map[int]int) error {
	if !v.each {
		k, ok := byID[v.all]
		if !ok || !s.Member(k, h) {
			return fmt.Errorf("%s sends in VLAN %d, of which it is no member", r.net.HostLabel(h), v.all)
		}
		r.toAll(s, h, k)
		return nil
	}
	for _, to := range v.of {
		d, err := r.names.Host(to.key)
		if err != nil {
			return err
		}
		if d == h {
			return fmt.Errorf("%s sends to itself", r.net.HostLabel(h))
		}
		k, ok := byID[to.value]
		if !ok {
			return fmt.Errorf("%s sends to %s in VLAN %d, which there is not", r.net.HostLabel(h), r.net.HostLabel(d), to.value)
		}
		if err := s.SetUse(h, d, k); err != nil {
			return err
		}
	}
	return nil
}

// toAll lets h send to all other members of VLAN k in this VLAN.
func (r *reader) toAll(s *vlan.Set, h model.HostID, k int) {
	for _, d := range s.At(k).Hosts {
		if d != h {
			_ = s.SetUse(h, d, k) // cannot fail, since both are members
		}
	}
}

// only returns the VLAN in which host h sends if "sends" does not list h: the only one in which
// its port is untagged, or else the only one of which it is a member. It fails if there is no such
// VLAN. If h is a member of several, it also returns the first of them.
func (r *reader) only(s *vlan.Set, h model.HostID) (int, error) {
	var member, untagged []int
	var ids []string
	for k := range s.Len() {
		if s.Member(k, h) {
			member, ids = append(member, k), append(ids, strconv.Itoa(s.At(k).ID))
		}
		if s.Untagged(k, h) {
			untagged = append(untagged, k)
		}
	}
	host := r.net.Host(h)
	switch {
	case len(member) == 0:
		return vlan.None, fmt.Errorf("%s has no VLAN: port %d of %s, where it is attached, belongs to none", r.net.HostLabel(h), host.Port,
			r.net.SwitchName(host.Switch))
	case len(untagged) == 1:
		return untagged[0], nil
	case len(member) == 1:
		return member[0], nil
	}
	return member[0], fmt.Errorf("%s belongs to VLANs %s, and \"sends\" does not say in which it sends", r.net.HostLabel(h), textfile.Capped(ids, len(ids)))
}

// This file reads and writes JSON objects whose keys are names of switches or hosts.

// object is a JSON object in the order of the file. Each key occurs once.
type object[T any] []member[T]

type member[T any] struct {
	key   string
	value T
}

// UnmarshalJSONFrom reads the members. The decoder rejects a key that occurs twice.
func (o *object[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if k := dec.PeekKind(); k != '{' {
		return json.UnmarshalDecode(dec, new(struct{})) // returns an error that names the kind of the wrong value
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return err
		}
		*o = append(*o, member[T]{key: key.String()})
		if err := json.UnmarshalDecode(dec, &(*o)[len(*o)-1].value); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// text returns the object on one line.
func (o object[T]) text() ([]byte, error) {
	text := []byte("{")
	for i, m := range o {
		if i > 0 {
			text = append(text, ", "...)
		}
		key, err := textfile.JSON(m.key)
		if err != nil {
			return nil, err
		}
		value, err := textfile.JSON(m.value)
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, key...), ": "...), value...)
	}
	return append(text, '}'), nil
}

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
