package ethernet

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/turnproof/turnproof/model/format/ethernet/control"
)

// This file decides whether BGP keeps all other routes if switches reject a prefix from some neighbours.
//
// A switch that loses a next hop announces another of its best paths, of the same length. A neighbour whose AS number is on that path rejects
// it. So where several switches have one number, more routes can change than those that are rejected.

// Rejected says that a switch does not accept a prefix from the neighbour at a port.
type Rejected struct {
	Switch int
	Port   string
	Prefix netip.Prefix
}

// KeepsOthers returns an error unless a model of BGP, with the AS numbers of the dumps, computes the routes of the dumps to these prefixes, and
// without what is rejected all others of them. It fails if a dump states no AS number.
// Cost: O(prefixes × (switches + cables)).
func (f *Fabric) KeepsOthers(list []Rejected) error {
	as, err := f.ASNumbers("")
	if err != nil {
		return err
	}
	n := &control.Network{Near: f.b.adjacent(), AS: as}
	if err := n.CheckAS(f.SwitchName); err != nil {
		return err
	}
	reject := map[netip.Prefix]map[end]bool{}
	for _, x := range list {
		if reject[x.Prefix] == nil {
			reject[x.Prefix] = map[end]bool{}
		}
		reject[x.Prefix][end{x.Switch, x.Port}] = true
	}
	for i, a := range f.b.atoms {
		if ports := reject[a.key.Prefix()]; ports != nil {
			if err := f.keepsOthers(n, i, ports); err != nil {
				return err
			}
			delete(reject, a.key.Prefix())
		}
	}
	for p := range reject {
		return fmt.Errorf("%s is no prefix of hosts with a route of its own", p)
	}
	return nil
}

// keepsOthers compares the routes to an atom in the dumps and in the model, and those with and without what is rejected at some ports. A
// neighbour is rejected if it is at all ports by which the routes lead to it.
func (f *Fabric) keepsOthers(n *control.Network, i int, ports map[end]bool) error {
	a, reject := &f.b.atoms[i], map[[2]int]bool{}
	for u := range f.b.switches {
		left := map[int]bool{}
		for _, e := range f.b.hopsAt(a.class, u).ports {
			left[f.b.peer[e].sw] = left[f.b.peer[e].sw] || !ports[e]
		}
		for v, some := range left {
			reject[[2]int{u, v}] = !some
		}
	}
	p := control.Prefix{Origins: f.b.hosts[a.host].homes}
	before := control.BGP(n, p)
	p.Reject = reject
	after := control.BGP(n, p)
	for _, r := range []control.Routes{before, after} {
		if r.Unsure != "" {
			return fmt.Errorf("which routes to %s BGP keeps depends on the path that a switch announces: %s", a.key.Prefix(), r.Unsure)
		}
	}
	for u, next := range before.Next {
		if slices.Contains(p.Origins, u) {
			continue
		}
		if now := f.b.neighboursOf(f.b.hopsAt(a.class, u)); !slices.Equal(next, now) {
			return fmt.Errorf("the routes of %s to %s are not those of a model of BGP with the AS numbers of the dumps: it is unknown which BGP keeps",
				f.SwitchName(u), a.key.Prefix())
		}
		left := slices.DeleteFunc(slices.Clone(next), func(v int) bool { return reject[[2]int{u, v}] })
		if !slices.Equal(left, after.Next[u]) {
			return fmt.Errorf("without the next hops, BGP announces other paths: by their AS numbers %s has other next hops to %s than those that are left",
				f.SwitchName(u), a.key.Prefix())
		}
	}
	return nil
}

// neighboursOf returns the switches at the other ends of the ports, ascending.
func (b *builder) neighboursOf(h hops) (list []int) {
	for _, e := range h.ports {
		list = append(list, b.peer[e].sw)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
