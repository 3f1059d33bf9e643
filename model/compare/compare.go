// Package compare finds what differs between two states of a fabric: cables, hosts, LIDs,
// forwarding tables, and the paths of packets.
//
// Switches and hosts are the same if their GUIDs are, or their names where there are no GUIDs.
// Cables are the same if they join the same ports. Entries are compared by switch and LID, paths
// by host and address of the host (base LID, base LID + 1, ...), so that a host whose LID moved
// keeps its paths.
// Cost: O(cables + entries), and for the paths O(pairs × switches on a path).
//
// A first call:
//
//	d := compare.OfNetworks(old, now)
//	fmt.Println(d.CablesGone, d.CablesNew)
//	t := compare.OfTables(oldTable, newTable)
//	fmt.Println(len(t.Entries), "entries differ,", t.Ways, "paths do")
package compare

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
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
