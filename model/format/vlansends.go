package format

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file reads in which VLANs hosts send.

// sends takes what hosts say, and the rest from their ports.
func (r *vlanReader) sends(s *vlan.Set, sends object[vlanChoices]) error {
	byID := map[int]int{}
	for k := range s.Len() {
		byID[s.At(k).ID] = k
	}
	told := map[model.HostID]bool{}
	for _, from := range sends {
		h, ok := r.hosts[from.key]
		if !ok {
			return unknown("host", from.key, r.hosts)
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

// choices takes what host h says.
func (r *vlanReader) choices(s *vlan.Set, h model.HostID, v *vlanChoices, byID map[int]int) error {
	if !v.each {
		k, ok := byID[v.all]
		if !ok || !s.Member(k, h) {
			return fmt.Errorf("%s sends in VLAN %d, of which it is no member", r.net.HostLabel(h), v.all)
		}
		r.toAll(s, h, k)
		return nil
	}
	for _, to := range v.of {
		d, ok := r.hosts[to.key]
		if !ok {
			return unknown("host", to.key, r.hosts)
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

// toAll makes h send to all other members of VLAN k in it.
func (r *vlanReader) toAll(s *vlan.Set, h model.HostID, k int) {
	for _, d := range s.At(k).Hosts {
		if d != h {
			_ = s.SetUse(h, d, k) // both are members
		}
	}
}

// only returns the VLAN that h's port stands for: the only one in which it is
// untagged, or the only one of which it is a member. It fails if there is none,
// with a VLAN where the host is a member of several.
func (r *vlanReader) only(s *vlan.Set, h model.HostID) (int, error) {
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
		return vlan.None, fmt.Errorf("%s has no VLAN: port %d of %s, where it is attached, belongs to none", r.net.HostLabel(h), host.Port, r.net.SwitchName(host.Switch))
	case len(untagged) == 1:
		return untagged[0], nil
	case len(member) == 1:
		return member[0], nil
	}
	return member[0], fmt.Errorf("%s belongs to VLANs %s, and \"sends\" does not say in which it sends", r.net.HostLabel(h), capped(ids, len(ids)))
}
