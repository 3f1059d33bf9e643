package compare

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// Aligned is two tables of one network, with the same destinations and the same map from classes to VCs, and how the networks differed.
type Aligned struct {
	Old, New *model.Table
	Networks *NetworkDiff
	// Levels is the number of pairs of a source and an address whose service levels differ.
	Levels int
	// LanesDiffer says that packets of one service level use different virtual lanes before and after. Then Old has the service levels and
	// lanes of the new table.
	LanesDiffer bool
	// Switches and Hosts are how many switches and hosts of the common network are left. Those after them are gone.
	Switches, Hosts int
}

// Onto returns the new table with the entries of t, a table of the new network as it was given to Align. It fails if t lacks a destination.
func (a *Aligned) Onto(t *model.Table) (*model.Table, error) {
	of, made := byAddress(t, lidKey(t)), a.New.Clone()
	for e := range model.DestID(made.Destinations()) {
		d, ok := of[lidKey(made)(e)]
		if !ok && int(made.DestinationHost(e)) < a.Hosts {
			return nil, fmt.Errorf("no destination %s", made.Network().HostLabel(made.DestinationHost(e)))
		}
		for u := range model.SwitchID(a.Switches) {
			made.ClearPort(u, e)
			if port, has := t.Port(u, max(d, 0)); ok && has {
				made.SetPort(u, e, port)
			}
		}
	}
	return made, nil
}

// Align puts the entries of the old table on the network of the new one, with the destinations of the new one. One network may lack switches,
// hosts or cables of the other one: entries for a port that lost its cable drop packets, and switches and hosts that are new have no old
// entries. Hosts that are gone stay as destinations that have old entries only, and send nothing. Service levels of pairs may differ. The map
// from classes to VCs has for each class the VCs of the table in which packets have it.
//
// It returns an error if each network has something that the other lacks, if a host has another LID, or if management traffic differs.
// Cost: O(entries), and O(pairs) with service levels.
func Align(old, now *model.Table) (*Aligned, error) {
	p := pairUp(old, now)
	n, err := sameFabric(p)
	if err == nil && len(n.HostsGone) > 0 {
		p, err = withGone(p)
	}
	if err == nil && now.Management() != model.NoManagement && len(n.SwitchesGone) > 0 {
		err = errors.New("switches are gone, and changes with management traffic to them are not decided")
	}
	if err != nil {
		return nil, err
	}
	now = p.now
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
			if u := p.oldOf[v]; ok && u != model.NoSwitch && int(v) < p.switchesLeft {
				if port, ok := old.Port(u, d); ok {
					made.SetPort(v, e, port)
				}
			}
		}
	}
	a := &Aligned{Old: made, New: now, Networks: n, Switches: p.switchesLeft, Hosts: int(p.hostsLeft)}
	return a, a.alignClasses(p, olds)
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

// alignClasses gives the old table the service levels of before, and both tables one map from classes to VCs.
func (a *Aligned) alignClasses(p *matching, olds map[string]model.DestID) error {
	old, now := p.old, p.now
	if old.Management() != now.Management() {
		return errors.New("different management traffic")
	}
	if err := sameManagement(p, olds); err != nil {
		return err
	}
	hosts := now.Network().NumHosts()
	var sets []model.ClassSet
	for e := range model.DestID(now.Destinations()) {
		d, ok := olds[lidKey(now)(e)]
		for _, h := range p.sources {
			if !ok || h[1] >= p.hostsLeft || now.DestinationHost(e) == h[1] || old.ClassesOf(h[0], d) == now.ClassesOf(h[1], e) {
				continue
			}
			if int(e) >= now.HostDestinations() {
				return fmt.Errorf("the service levels of management traffic from %s to LID %d differ", old.Network().HostLabel(h[0]), old.Destination(d).LID)
			}
			if sets == nil {
				sets = allClasses(now)
			}
			sets[int(e)*hosts+int(h[1])] = old.ClassesOf(h[0], d)
			a.Levels++
		}
	}
	if a.LanesDiffer = !sameLanes(old, now, p); a.LanesDiffer {
		return nil
	}
	lanes := a.lanes(p)
	if lanes != now.VCMap() {
		a.New = now.CloneRows(nil)
		a.New.SetClasses(now.ClassSets(), lanes)
	}
	if sets != nil || a.New != now {
		if sets == nil {
			sets = now.ClassSets()
		}
		a.Old.SetClasses(sets, lanes)
	}
	return nil
}

// sameManagement returns an error if the classes differ with which switches send.
func sameManagement(p *matching, olds map[string]model.DestID) error {
	if p.now.Management() == model.NoManagement {
		return nil
	}
	before, after := managementOf(p.old.Network()), managementOf(p.now.Network())
	for _, u := range p.switches {
		e, ok := before[u[0]]
		f, is := after[u[1]]
		for d := range model.DestID(p.now.Destinations()) {
			old, known := olds[lidKey(p.now)(d)]
			if ok && is && known && p.now.DestinationHost(d) != f && p.now.SendsTo(f, d) && p.old.ClassesOf(e, old) != p.now.ClassesOf(f, d) {
				return fmt.Errorf("the service levels of management traffic from %s to LID %d differ", p.now.Network().SwitchLabel(u[1]),
					p.now.Destination(d).LID)
			}
		}
	}
	return nil
}

// managementOf returns the management endpoint of each switch.
func managementOf(n *model.Network) map[model.SwitchID]model.HostID {
	of := map[model.SwitchID]model.HostID{}
	for h := model.HostID(n.NumHosts()); int(h) < n.NumEndpoints(); h++ {
		of[n.Host(h).Switch] = h
	}
	return of
}

// allClasses returns the class sets of t, also if every packet has class 0.
func allClasses(t *model.Table) []model.ClassSet {
	if sets := t.ClassSets(); sets != nil {
		return slices.Clone(sets)
	}
	hosts := t.Network().NumHosts()
	sets := make([]model.ClassSet, t.HostDestinations()*hosts)
	for i := range sets {
		sets[i] = t.ClassesOf(model.HostID(i%hosts), model.DestID(i/hosts))
	}
	return sets
}

// lanes returns the map from classes to VCs of both tables, on the new network. Classes of the old table only have the VCs of before.
func (a *Aligned) lanes(p *matching) *model.VCMap {
	old, now := p.old, p.now
	used := sentClasses(now)
	if sentClasses(old)&^used == 0 && (now.VCMap() != nil || old.VCMap() == nil) || old.VCMap() == nil && now.VCMap() == nil {
		return now.VCMap()
	}
	to := now.Network()
	m := model.NewVCMap(to)
	for v := range model.SwitchID(to.NumSwitches()) {
		eachTurn(to, v, func(in, out model.ChannelID) {
			for k := range model.Class(model.MaxClasses) {
				vc := now.HopVC(in, out, k)
				if before, ok := p.vcOfBefore(in, out, k); ok && used>>k&1 == 0 {
					vc = before
				}
				m.Set(to, v, to.InIndex(in), to.OutIndex(out), k, vc)
			}
		})
	}
	return m
}

// sentClasses returns the classes with which packets are sent.
func sentClasses(t *model.Table) (set model.ClassSet) {
	for d := range model.DestID(t.Destinations()) {
		for h := range model.HostID(t.Sources()) {
			if t.DestinationHost(d) != h && t.SendsTo(h, d) {
				set |= t.ClassesOf(h, d)
			}
		}
	}
	return set
}

// sameLanes reports whether the maps from classes to VCs are equal for the classes of both tables, at each pair of ports of each switch that packets
// can pass.
func sameLanes(old, now *model.Table, p *matching) bool {
	if old.VCMap() == nil && now.VCMap() == nil {
		return true
	}
	same, both, n := true, sentClasses(old)&sentClasses(now), now.Network()
	managed := func(c model.ChannelID) bool { h := n.HostOf(c); return h != model.NoHost && n.Host(h).Management }
	for v := range model.SwitchID(n.NumSwitches()) {
		eachTurn(n, v, func(in, out model.ChannelID) {
			if now.Management() == model.NoManagement && (managed(in) || managed(out)) {
				return
			}
			for s := both; s != 0; s &= s - 1 {
				k := model.Class(bits.TrailingZeros16(uint16(s)))
				vc, ok := p.vcOfBefore(in, out, k) // not if one of the cables is new
				same = same && (!ok || vc == now.HopVC(in, out, k))
			}
		})
	}
	return same
}
