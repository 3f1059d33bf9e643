package model

import (
	"fmt"
	"slices"
)

// This file says between which hosts the messages of each class of a protocol go, if transactions begin on some pairs of hosts only.

// hostPairs is pairs of hosts, from and to.
type hostPairs map[[2]HostID]bool

// OnFlows returns p such that transactions begin on the given pairs only. The messages that follow go where those pairs lead them. It fails
// for a list of classes, whose messages go between all hosts (Chain).
func (p *Protocol) OnFlows(flows []Flow) (*Protocol, error) {
	if p.IsList() {
		return nil, fmt.Errorf("a list of classes does not say which hosts begin transactions")
	}
	q := *p
	q.Begins = slices.DeleteFunc(append([]Flow{}, flows...), func(f Flow) bool { return f.Source == f.Dest })
	q.pairs = make([]hostPairs, len(p.Rules))
	order, cycle := p.Order()
	if cycle != nil {
		return nil, fmt.Errorf("classes wait for each other in a cycle")
	}
	for c := range q.pairs {
		q.pairs[c] = hostPairs{}
	}
	for i, dests := range destinationsOf(flows) {
		sets := make([]hostPairs, len(p.Rules)) // also messages of a host to itself
		for _, c := range order {
			sets[c] = p.pairsOf(c, i, dests, sets)
			for pair := range sets[c] {
				if pair[0] != pair[1] {
					q.pairs[c][pair] = true
				}
			}
		}
	}
	return &q, nil
}

// destinationsOf returns the destinations of the flows of each source.
func destinationsOf(flows []Flow) map[HostID][]HostID {
	of := map[HostID][]HostID{}
	for _, f := range flows {
		if f.Source != f.Dest {
			of[f.Source] = append(of[f.Source], f.Dest)
		}
	}
	return of
}

// pairsOf returns the pairs of class c in transactions that host i begins with a host of dests. sets has those of the causes of c.
func (p *Protocol) pairsOf(c int, i HostID, dests []HostID, sets []hostPairs) hostPairs {
	r, set := &p.Rules[c], hostPairs{}
	for _, h := range r.From {
		if len(r.After) == 0 && h == i {
			for _, d := range p.beginsWith(c, dests) {
				set[[2]HostID{h, d}] = true
			}
		}
		for _, list := range r.After {
			if slices.ContainsFunc(list, func(y int) bool { return len(sendersTo(sets[y], h)) == 0 }) {
				continue
			}
			for _, d := range p.answers(c, h, i, list, sets) {
				set[[2]HostID{h, d}] = true
			}
		}
	}
	return set
}

// beginsWith returns the hosts that a class without causes goes to. If the host of a flow receives no messages of the class, or if several
// messages are sent at a time, it can be any host of the class.
func (p *Protocol) beginsWith(c int, dests []HostID) []HostID {
	r := &p.Rules[c]
	several := r.Multicast || r.Copies > 1
	if several || slices.ContainsFunc(dests, func(d HostID) bool { return !slices.Contains(r.To, d) }) {
		return r.To
	}
	return dests
}

// answers returns the hosts that host h sends class c to, after messages of the classes of a list.
func (p *Protocol) answers(c int, h, i HostID, list []int, sets []hostPairs) []HostID {
	switch r := &p.Rules[c]; {
	case len(r.To) == 0:
		return nil
	case r.Dest == ToInitiator:
		return []HostID{i}
	case r.Dest == ToSender:
		return sendersTo(sets[list[0]], h)
	default:
		return append(slices.Clone(r.To), h) // a host that finds no other one sends to itself
	}
}

// sendersTo returns the hosts that send to host h.
func sendersTo(set hostPairs, h HostID) (list []HostID) {
	for pair := range set {
		if pair[1] == h {
			list = append(list, pair[0])
		}
	}
	return list
}

// SendsTo reports whether messages of class c can go from host s to host d.
func (p *Protocol) SendsTo(c int, s, d HostID) bool {
	return p.pairs == nil || p.pairs[c][[2]HostID{s, d}]
}

// Flows returns the pairs between which messages of some class go, ascending. It returns nil if p is not restricted to flows.
func (p *Protocol) Flows() (list []Flow) {
	seen := hostPairs{}
	for _, set := range p.pairs {
		for pair := range set {
			if !seen[pair] {
				seen[pair] = true
				list = append(list, Flow{Source: pair[0], Dest: pair[1], Amount: 1})
			}
		}
	}
	slices.SortFunc(list, func(a, b Flow) int { return slices.Compare([]HostID{a.Source, a.Dest}, []HostID{b.Source, b.Dest}) })
	return list
}

// SamePairs reports whether the messages of all virtual networks go between the same pairs.
func (p *Protocol) SamePairs() bool {
	if p.pairs == nil {
		return true
	}
	all := len(p.Flows())
	for v := range p.Networks() {
		used := hostPairs{}
		for c, set := range p.pairs {
			for pair := range set {
				if p.Network[c] == v {
					used[pair] = true
				}
			}
		}
		if len(used) < all {
			return false
		}
	}
	return true
}
