package protocols

import "slices"

// This file orders virtual networks.

// HasNetworkOrder reports whether the virtual networks have an order such that messages wait only for
// later ones. It returns false if there are multicast classes.
func (x *Places) HasNetworkOrder() bool {
	p := x.p
	after := make([][]bool, x.networks) // by virtual network: those that its messages wait for
	for i := range after {
		after[i] = make([]bool, x.networks)
	}
	for c, r := range p.Rules {
		if r.Multicast {
			return false
		}
		if r.Consumed || len(r.To) == 0 {
			continue
		}
		for _, e := range p.Effects(c) {
			if len(p.Rules[e].To) > 0 && p.Fills(e, p.Rules[e].Queue) {
				after[p.Network[c]][p.Network[e]] = true
			}
		}
		for _, j := range p.Joins(c) {
			if slices.Contains(p.Openers(j), c) && p.Fills(j, p.Rules[j].Table) {
				x.addTableNetworks(j, after[p.Network[c]], make([]bool, len(p.Rules)))
			}
		}
	}
	for round := range x.networks + 1 { // remove networks that wait for none
		gone := -1
		for v := range after {
			if after[v] != nil && !slices.Contains(after[v], true) {
				gone = v
				break
			}
		}
		if gone < 0 {
			return round == x.networks
		}
		after[gone] = nil
		for v := range after {
			if after[v] != nil {
				after[v][gone] = false
			}
		}
	}
	return true
}

// addTableNetworks sets the virtual networks of the messages that a transaction in the table of join j waits
// for. seen has the joins that are done.
func (x *Places) addTableNetworks(j int, into, seen []bool) {
	if seen[j] {
		return
	}
	seen[j] = true
	if r := &x.p.Rules[j]; len(r.To) > 0 && x.p.Fills(j, r.Queue) {
		into[x.p.Network[j]] = true
	}
	for _, h := range x.p.Rules[j].From {
		for _, f := range x.outstanding(j, h) {
			if into[x.p.Network[f.class]] = true; x.p.Join(f.class) != nil {
				x.addTableNetworks(f.class, into, seen)
			}
		}
	}
}
