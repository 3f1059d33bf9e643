// Package compare tells two states of a fabric apart: cables, hosts, forwarding tables, and the
// ways that packets take.
//
// Switches and hosts are the same if their GUIDs are, or their names where there are no GUIDs;
// cables, if they join the same ports; entries, if they are of the same switch, LID and host.
// Cost: O(cables + entries), and for the ways O(pairs × switches on a way).
//
// A first call:
//
//	d := compare.OfNetworks(old, now)
//	fmt.Println(d.CablesGone, d.CablesNew)
//	t := compare.OfTables(oldTable, newTable)
//	fmt.Println(len(t.Entries), "entries differ,", t.Ways, "ways do")
package compare

import (
	"fmt"
	"slices"

	"turnproof/model"
)

// Networks is what differs between an old and a new network, by name, sorted.
type Networks struct {
	SwitchesGone, SwitchesNew []string
	HostsGone, HostsNew       []string
	CablesGone, CablesNew     []string
}

// Same reports whether nothing differs.
func (d *Networks) Same() bool {
	return len(d.SwitchesGone)+len(d.SwitchesNew)+len(d.HostsGone)+len(d.HostsNew)+len(d.CablesGone)+len(d.CablesNew) == 0
}

// Entry is a table entry that differs.
type Entry struct {
	Switch   model.SwitchID // of the new network
	LID      uint16         // of the destination, 0: it has none
	Old, New *model.Port    // nil: there is none
}

// Tables is what differs between tables of an old and a new network, over the switches and
// addresses that both have.
type Tables struct {
	Entries []Entry // by LID, then by switch
	Common  int     // entries that either has
	Pairs   int64   // of a host and an address of another
	Ways    int64   // of these, how many take another way, other VCs included
	Levels  int64   // of these, how many may use other service levels
}

// switchKey and hostKey identify across networks.
func switchKey(n *model.Network, u model.SwitchID) string {
	if g := n.Switch(u).GUID; g != 0 {
		return fmt.Sprintf("0x%016x", g)
	}
	return n.SwitchLabel(u)
}

func hostKey(n *model.Network, h model.HostID) string {
	if g := n.Host(h).PortGUID; g != 0 {
		return fmt.Sprintf("0x%016x", g)
	}
	return n.HostLabel(h)
}

// labels maps keys to what is printed.
func labels(n *model.Network) (switches, hosts, cables map[string]string) {
	switches, hosts, cables = map[string]string{}, map[string]string{}, map[string]string{}
	for u := range model.SwitchID(n.NumSwitches()) {
		switches[switchKey(n, u)] = n.SwitchName(u)
	}
	for h := range model.HostID(n.NumHosts()) {
		e := n.Host(h)
		hosts[hostKey(n, h)] = fmt.Sprintf("%s at %s port %d", n.HostLabel(h), n.SwitchName(e.Switch), e.Port)
	}
	for l := range model.LinkID(n.NumLinks()) {
		x := n.Link(l)
		ends := []string{fmt.Sprint(switchKey(n, x.A), " ", x.APort), fmt.Sprint(switchKey(n, x.B), " ", x.BPort)}
		slices.Sort(ends)
		cables[ends[0]+ends[1]] = fmt.Sprintf("%s port %d - %s port %d", n.SwitchName(x.A), x.APort, n.SwitchName(x.B), x.BPort)
	}
	return switches, hosts, cables
}

// OfNetworks compares two networks.
func OfNetworks(old, now *model.Network) *Networks {
	s, h, c := labels(old)
	s2, h2, c2 := labels(now)
	return &Networks{less(s, s2), less(s2, s), less(h, h2), less(h2, h), less(c, c2), less(c2, c)}
}

// less lists what a has and b has not.
func less(a, b map[string]string) (list []string) {
	for key, label := range a {
		if _, ok := b[key]; !ok {
			list = append(list, label)
		}
	}
	slices.Sort(list)
	return list
}

// both pairs the switches and destinations of two tables.
type both struct {
	old, now *model.Table
	switches [][2]model.SwitchID
	oldOf    []model.SwitchID // by new switch, NoSwitch: it is new
	dests    [][2]model.DestID
	sources  [][2]model.HostID
}

func pairUp(old, now *model.Table) *both {
	a, b := old.Network(), now.Network()
	p := &both{old: old, now: now, oldOf: make([]model.SwitchID, b.NumSwitches())}
	switches := map[string]model.SwitchID{}
	for u := range model.SwitchID(a.NumSwitches()) {
		switches[switchKey(a, u)] = u
	}
	for v := range model.SwitchID(b.NumSwitches()) {
		u, ok := switches[switchKey(b, v)]
		if p.oldOf[v] = u; !ok {
			p.oldOf[v] = model.NoSwitch
			continue
		}
		p.switches = append(p.switches, [2]model.SwitchID{u, v})
	}
	dests := map[string]model.DestID{}
	key := func(t *model.Table, d model.DestID) string {
		return fmt.Sprint(t.Destination(d).LID, " ", hostKey(t.Network(), t.DestinationHost(d)))
	}
	for d := range model.DestID(old.Destinations()) {
		dests[key(old, d)] = d
	}
	for d := range model.DestID(now.Destinations()) {
		if e, ok := dests[key(now, d)]; ok {
			p.dests = append(p.dests, [2]model.DestID{e, d})
		}
	}
	hosts := map[string]model.HostID{}
	for h := range model.HostID(a.NumHosts()) {
		hosts[hostKey(a, h)] = h
	}
	for h := range model.HostID(b.NumHosts()) {
		if g, ok := hosts[hostKey(b, h)]; ok {
			p.sources = append(p.sources, [2]model.HostID{g, h})
		}
	}
	return p
}

// OfTables compares two tables.
func OfTables(old, now *model.Table) *Tables {
	p, d := pairUp(old, now), &Tables{}
	for _, dest := range p.dests {
		for _, u := range p.switches {
			a, hadOld := old.Port(u[0], dest[0])
			b, hasNew := now.Port(u[1], dest[1])
			if !hadOld && !hasNew {
				continue
			}
			d.Common++
			if hadOld == hasNew && a == b {
				continue
			}
			e := Entry{Switch: u[1], LID: now.Destination(dest[1]).LID}
			if hadOld {
				e.Old = &a
			}
			if hasNew {
				e.New = &b
			}
			d.Entries = append(d.Entries, e)
		}
		for _, h := range p.sources {
			if !model.Sends(now, h[1], dest[1]) {
				continue
			}
			d.Pairs++
			if old.ClassesOf(h[0], dest[0]) != now.ClassesOf(h[1], dest[1]) {
				d.Levels++
			}
			if p.differ(h, dest) {
				d.Ways++
			}
		}
	}
	return d
}

// differ follows a pair's packets through both tables.
func (p *both) differ(h [2]model.HostID, dest [2]model.DestID) bool {
	a, b := p.old.Inject(h[0], dest[0], nil), p.now.Inject(h[1], dest[1], nil)
	if !slices.Equal(a, b) {
		return true
	}
	for _, k := range a {
		s, t := model.InjectState(p.old, h[0], dest[0], k), model.InjectState(p.now, h[1], dest[1], k)
		for range p.now.Network().NumSwitches() + 1 {
			x, y := p.old.Next(s, nil), p.now.Next(t, nil)
			if len(x) != len(y) {
				return true
			}
			if len(x) == 0 {
				break
			}
			if !p.sameHop(x[0], y[0]) {
				return true
			}
			s.VC, t.VC = x[0].VC, y[0].VC
		}
	}
	return false
}

// sameHop reports whether two hops leave the same switch by the same port and VC.
func (p *both) sameHop(x, y model.Hop) bool {
	a, b := p.old.Network(), p.now.Network()
	c, i := a.Channel(x.VC)
	d, k := b.Channel(y.VC)
	return i == k && p.oldOf[b.Tail(d)] == a.Tail(c) && a.TailPort(c) == b.TailPort(d)
}
