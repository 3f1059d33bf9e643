package compare

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// Align returns the entries of the old table on the network of the new one, with the destinations of the new one, and how the networks
// differ. One network may lack switches, hosts or cables of the other one: entries for a port that lost its cable drop packets, and switches
// and hosts that are new have no old entries. It returns an error if each network has something that the other lacks, if a host has another
// LID, or if service levels, SL-to-VL tables or management traffic differ. Cost: O(entries), and O(pairs) with service levels.
func Align(old, now *model.Table) (*model.Table, *NetworkDiff, error) {
	p := pairUp(old, now)
	n, err := sameFabric(p)
	if err != nil {
		return nil, nil, err
	}
	olds := map[string]model.DestID{}
	for d := range model.DestID(old.AllDestinations()) {
		olds[lidKey(old)(d)] = d
	}
	made := now.Clone()
	for e := range model.DestID(now.AllDestinations()) {
		d, ok := olds[lidKey(now)(e)]
		if !ok && int(e) >= now.Destinations() {
			continue // a switch without old entries keeps the new ones
		}
		for v := range model.SwitchID(now.Network().NumSwitches()) {
			made.ClearPort(v, e)
			if u := p.oldOf[v]; ok && u != model.NoSwitch {
				if port, ok := old.Port(u, d); ok {
					made.SetPort(v, e, port)
				}
			}
		}
	}
	return made, n, sameClasses(old, now, p, olds)
}

// sameFabric returns how the networks differ, or an error if they are not states of one fabric.
func sameFabric(p *matching) (*NetworkDiff, error) {
	n := DiffNetworks(p.old.Network(), p.now.Network())
	gone, added := first(n.SwitchesGone, n.HostsGone, n.CablesGone), first(n.SwitchesNew, n.HostsNew, n.CablesNew)
	if gone != "" && added != "" {
		return nil, fmt.Errorf("different fabrics: only the old network has %s, and only the new one has %s", gone, added)
	}
	d := &TableDiff{}
	p.diffLIDs(d)
	if len(d.Moved) > 0 {
		m := d.Moved[0]
		return nil, fmt.Errorf("%s has LID %d with LMC %d, and had LID %d with LMC %d (hosts with another address: %d)",
			p.now.Network().HostLabel(m.Host), m.NewLID, m.NewLMC, m.OldLID, m.OldLMC, len(d.Moved))
	}
	a, b := p.old.Network(), p.now.Network()
	if len(p.switches) != min(a.NumSwitches(), b.NumSwitches()) || len(p.sources) != min(a.NumHosts(), b.NumHosts()) {
		return nil, errors.New("two switches or hosts have one name or GUID")
	}
	return n, nil
}

// first names the first of switches, hosts and cables, and how many more there are. It returns "" if there are none.
func first(switches, hosts, cables []string) string {
	for i, list := range [][]string{switches, hosts, cables} {
		if len(list) > 0 {
			text := []string{"the switch ", "the host ", "the cable "}[i] + list[0]
			if more := len(switches) + len(hosts) + len(cables) - 1; more > 0 {
				text += fmt.Sprintf(" (and %d more)", more)
			}
			return text
		}
	}
	return ""
}

// sameClasses returns an error if service levels, virtual lanes or management traffic differ.
func sameClasses(old, now *model.Table, p *matching, olds map[string]model.DestID) error {
	if old.Management() != now.Management() {
		return errors.New("different management traffic")
	}
	for e := range model.DestID(now.Destinations()) {
		d, ok := olds[lidKey(now)(e)]
		for _, h := range p.sources {
			if ok && old.ClassesOf(h[0], d) != now.ClassesOf(h[1], e) {
				return fmt.Errorf("the service levels from %s to LID %d differ", old.Network().HostLabel(h[0]), old.Destination(d).LID)
			}
		}
	}
	if !sameLanes(old, now, p) {
		return errors.New("the SL-to-VL tables differ")
	}
	return nil
}

// sameLanes reports whether the maps from classes to VCs are equal, at each pair of ports of each switch.
func sameLanes(old, now *model.Table, p *matching) bool {
	if old.VCMap() == nil && now.VCMap() == nil {
		return true
	}
	a, b := old.Network(), now.Network()
	for _, u := range p.switches {
		for _, out := range a.Out(u[0]) {
			for _, back := range a.Out(u[0]) {
				in := a.Reverse(back)
				other, otherBack := b.OutAt(u[1], a.TailPort(out)), b.OutAt(u[1], a.TailPort(back))
				if other == model.NoChannel || otherBack == model.NoChannel {
					continue // the cable is gone
				}
				for s := old.UsedClasses(); s != 0; s &= s - 1 {
					k := model.Class(bits.TrailingZeros16(uint16(s)))
					if old.HopVC(in, out, k) != now.HopVC(b.Reverse(otherBack), other, k) {
						return false
					}
				}
			}
		}
	}
	return true
}
