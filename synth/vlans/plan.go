package vlans

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file converts a solution to a set of VLANs.

// Plan has the options of Set. The zero value is the default, except that FirstID is required.
type Plan struct {
	// FirstID is the identifier of the first VLAN. The other VLANs get the following identifiers.
	FirstID int
	// Limit is the largest number of VLANs. Defaults to the number of identifiers from FirstID on.
	Limit int
	// PerSwitch is the largest number of VLANs at a switch; 0: no limit. With a limit, VLANs do
	// not span the network, as with Prune.
	PerSwitch int
	// Prune leaves links and hosts that no path needs out of a VLAN. Without Prune, each VLAN is a
	// spanning tree with all hosts as members.
	Prune bool
	// Priorities are the priorities of the layers, by layer. If nil, all are 0.
	Priorities []int
}

// Set returns the set of VLANs of a solution. A pair of hosts at one switch uses a VLAN in which
// one of them also sends to other hosts. Set fails if a limit is exceeded; the error says how many
// VLANs are needed.
func Set(p *Paths, f *Found, plan Plan) (*vlan.Set, error) {
	hosts, links := make([]map[model.HostID]bool, f.VLANs), make([]*forest, f.VLANs)
	for k := range links {
		hosts[k], links[k] = map[model.HostID]bool{}, newForest(p.Net, 0)
	}
	for i, d := range p.Demands {
		if k := f.VLAN[i]; !links[k].add(d.Ways[f.Way[i]]) {
			return nil, fmt.Errorf("vlans: internal error, VLAN %d has a cycle", k)
		}
	}
	use := f.uses(p)
	for i, k := range use {
		if k != None {
			hosts[k][model.HostID(i/p.Net.NumHosts())], hosts[k][model.HostID(i%p.Net.NumHosts())] = true, true
		}
	}
	if err := plan.fits(p, hosts, links); err != nil {
		return nil, err
	}
	list := make([]vlan.VLAN, f.VLANs)
	for k := range list {
		list[k] = vlan.VLAN{ID: plan.FirstID + k, Priority: plan.priority(f, k), Links: links[k].links()}
		for h := range model.HostID(p.Net.NumHosts()) {
			if hosts[k][h] || !plan.pruned() {
				list[k].Hosts = append(list[k].Hosts, h)
			}
		}
		if !plan.pruned() {
			list[k].Links = span(p.Net, links[k])
		}
	}
	s, err := vlan.New(p.Net, list)
	if err != nil {
		return nil, err
	}
	for i, k := range use {
		if k == None {
			continue
		}
		if err := s.SetUse(model.HostID(i/p.Net.NumHosts()), model.HostID(i%p.Net.NumHosts()), int(k)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (p Plan) pruned() bool { return p.Prune || p.PerSwitch > 0 }

func (p Plan) priority(f *Found, k int) int {
	if p.Priorities == nil {
		return 0
	}
	return p.Priorities[f.Layer[k]]
}

// uses returns the VLAN of each pair, by source and destination.
func (f *Found) uses(p *Paths) []int32 {
	hosts := p.Net.NumHosts()
	use := make([]int32, hosts*hosts)
	some := make([]int32, hosts) // by host: a VLAN in which it sends
	for h := range some {
		some[h] = None
		for d := range hosts {
			if i := p.Of[h*hosts+d]; i != None {
				some[h] = f.VLAN[i]
				break
			}
		}
	}
	for i := range use {
		h, d := model.HostID(i/hosts), model.HostID(i%hosts)
		switch {
		case p.Of[i] != None:
			use[i] = f.VLAN[p.Of[i]]
		case h != d && p.Net.Host(h).Switch == p.Net.Host(d).Switch && f.VLANs > 0:
			use[i] = max(some[h], 0)
		default:
			use[i] = None
		}
	}
	return use
}

// fits fails if there are more VLANs than the plan permits.
func (p Plan) fits(paths *Paths, hosts []map[model.HostID]bool, links []*forest) error {
	if err := vlan.CheckCount(len(links), p.FirstID); err != nil {
		return err
	}
	if p.Limit > 0 && len(links) > p.Limit {
		return fmt.Errorf("vlans: it takes %d VLANs, the limit is %d", len(links), p.Limit)
	}
	if p.PerSwitch == 0 {
		return nil
	}
	n := paths.Net
	at := make([]int, n.NumSwitches())
	for k, f := range links {
		on := make([]bool, n.NumSwitches())
		for _, l := range f.links() {
			on[n.Link(l).A], on[n.Link(l).B] = true, true
		}
		for h := range hosts[k] {
			on[n.Host(h).Switch] = true
		}
		for u, is := range on {
			if is {
				at[u]++
			}
		}
	}
	u := slices.Index(at, slices.Max(at))
	if at[u] > p.PerSwitch {
		return fmt.Errorf("vlans: switch %s takes part in %d of the %d VLANs, the limit is %d a switch", n.SwitchName(model.SwitchID(u)), at[u],
			len(links), p.PerSwitch)
	}
	return nil
}

// span returns the links of a forest, and further links that extend it to a spanning tree of the
// network.
func span(n *model.Network, f *forest) []model.LinkID {
	for l := range model.LinkID(n.NumLinks()) {
		if f.uses[l] == 0 {
			f.add([]model.LinkID{l})
		}
	}
	return f.links()
}
