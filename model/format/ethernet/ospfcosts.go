package ethernet

import (
	"fmt"
	"strings"
)

// This file compares the metrics of OSPF in the dumps. The model of OSPF gives all interfaces the same cost.

// costsOfCables returns a difference between the costs of two interfaces with cables, or an empty text. OSPF has a route to the prefix of each
// interface on which it runs, with its cost. It is not used, since the prefix is connected.
func (f *Fabric) costsOfCables() string {
	first, where, without := int64(-1), "", ""
	for _, e := range f.b.sortedPorts() {
		cost, ok := f.costOf(e)
		switch {
		case !ok && f.b.fibs[e.sw].table != nil && len(f.b.fibs[e.sw].table.Cost) > 0:
			without = f.b.text(e)
		case !ok:
		case first < 0:
			first, where = cost, f.b.text(e)
		case cost != first:
			return fmt.Sprintf("interfaces have different costs: %s has %d; %s has %d", where, first, f.b.text(e), cost)
		}
	}
	if first >= 0 && without != "" {
		return fmt.Sprintf("OSPF has a route to the prefix of %s, and none to that of %s: it may not run there", where, without)
	}
	return ""
}

// costOf returns the cost of the route of OSPF to the prefix of an interface.
func (f *Fabric) costOf(e end) (int64, bool) {
	t := f.b.fibs[e.sw].table
	if t == nil {
		return 0, false
	}
	for _, x := range t.Entries {
		h := t.Sets[x.Set][0]
		port, _, _ := strings.Cut(h.Dev, ".") // of a subinterface
		if cost, ok := t.Cost[x.Key]; ok && isConnected(h) && (port == e.port || f.b.isGroupOf(e, port)) {
			return cost, true
		}
	}
	return 0, false
}

// unevenCosts returns a difference between two costs that the metrics of the dumps show, or an empty text. A hop adds the cost of its interface,
// and the last one that of the interface of the hosts, too. External routes of type 2 have the same metric everywhere, and show nothing.
func (f *Fabric) unevenCosts() string {
	type step struct {
		cost  int64
		where string
	}
	var first *step
	for _, a := range f.b.atoms {
		var last *step
		for u, b := range f.b.fibs {
			if b.table == nil {
				continue
			}
			metric, ok := b.table.Metric[a.key]
			if !ok {
				continue
			}
			for _, e := range f.b.hopsAt(a.class, u).ports {
				v := f.b.peer[e].sw
				x, of := step{metric, fmt.Sprintf("%s has the metric %d for %s", f.SwitchName(u), metric, a.key.Prefix())}, &last
				if t := f.b.fibs[v].table; t != nil {
					if next, ok := t.Metric[a.key]; ok {
						x, of = step{metric - next, fmt.Sprintf("%s, one hop before %s with %d", x.where, f.SwitchName(v), next)}, &first
					}
				}
				switch {
				case of == &first && x.cost == 0: // type 2
				case *of == nil:
					*of = &x
				case (*of).cost != x.cost:
					return fmt.Sprintf("interfaces have different costs: %s; %s", (*of).where, x.where)
				}
			}
		}
	}
	return f.costsOfCables()
}
