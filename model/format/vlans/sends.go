package vlans

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
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
