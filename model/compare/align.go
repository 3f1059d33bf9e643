package compare

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// Align returns the entries of a table on the network of another one, with the destinations of the other one. It returns an error if
// the two networks have different switches, hosts or cables, if a host has another LID, or if the tables have different addresses or classes.
// Cost: O(entries).
func Align(old, now *model.Table) (*model.Table, error) {
	if err := sameFabric(old, now); err != nil {
		return nil, err
	}
	p := pairUp(old, now)
	news := byAddress(now, lidKey(now))
	made := old.Clone()
	for d := range model.DestID(old.Destinations()) {
		key := lidKey(old)(d)
		e, ok := news[key]
		if !ok {
			return nil, fmt.Errorf("only the old tables have LID %s", key)
		}
		delete(news, key)
		for _, u := range p.switches {
			if port, ok := now.Port(u[1], e); ok {
				made.SetPort(u[0], d, port)
			} else if _, ok := old.Port(u[0], d); ok {
				made.ClearPort(u[0], d)
			}
		}
	}
	if len(news) > 0 {
		return nil, fmt.Errorf("only the new tables have LID %s", firstKey(news))
	}
	return made, sameClasses(old, now, p)
}

// firstKey returns the smallest key.
func firstKey[V any](m map[string]V) string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	return slices.Min(list)
}

// sameFabric returns an error if the networks of the tables differ, or a host has another LID.
func sameFabric(old, now *model.Table) error {
	n := DiffNetworks(old.Network(), now.Network())
	for _, x := range []struct {
		list []string
		what string
	}{{n.SwitchesGone, "only the old network has the switch"}, {n.SwitchesNew, "only the new network has the switch"},
		{n.HostsGone, "only the old network has the host"}, {n.HostsNew, "only the new network has the host"},
		{n.CablesGone, "only the old network has the cable"}, {n.CablesNew, "only the new network has the cable"}} {
		if len(x.list) > 0 {
			more := ""
			if len(x.list) > 1 {
				more = fmt.Sprintf(", and %d more", len(x.list)-1)
			}
			return fmt.Errorf("different fabrics: %s %s%s", x.what, x.list[0], more)
		}
	}
	d := &TableDiff{}
	p := pairUp(old, now)
	p.diffLIDs(d)
	if len(d.Moved) > 0 {
		m := d.Moved[0]
		return fmt.Errorf("%s has LID %d with LMC %d, and had LID %d with LMC %d (hosts with another address: %d)",
			now.Network().HostLabel(m.Host), m.NewLID, m.NewLMC, m.OldLID, m.OldLMC, len(d.Moved))
	}
	if len(p.switches) != old.Network().NumSwitches() || len(p.sources) != old.Network().NumHosts() {
		return fmt.Errorf("switches or hosts with equal names or GUIDs")
	}
	return nil
}

// sameClasses returns an error if service levels, virtual lanes or management traffic differ.
func sameClasses(old, now *model.Table, p *matching) error {
	if old.Management() != now.Management() {
		return fmt.Errorf("different management traffic")
	}
	olds := byAddress(old, lidKey(old))
	for e := range model.DestID(now.Destinations()) {
		d := olds[lidKey(now)(e)]
		for _, h := range p.sources {
			if a, b := old.ClassesOf(h[0], d), now.ClassesOf(h[1], e); a != b {
				return fmt.Errorf("the service levels from %s to LID %d differ", old.Network().HostLabel(h[0]), old.Destination(d).LID)
			}
		}
	}
	if !sameLanes(old, now, p) {
		return fmt.Errorf("the SL-to-VL tables differ")
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
