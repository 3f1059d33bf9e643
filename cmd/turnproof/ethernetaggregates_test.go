package main

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
)

// This file judges aggregates of BGP: all switches exchange messages about all prefixes at once, until nothing changes.

// drawAggregates draws aggregates of the prefixes of the first switches: with summary-only (true) or without, at some switches.
func (f *planned) drawAggregates(r *rand.Rand) {
	f.aggregates = map[netip.Prefix]map[int]bool{}
	if f.word != "bgp" && f.word != "updown" || r.IntN(2) == 0 {
		return
	}
	isSummary := r.IntN(4) > 0
	for _, bits := range []int{14, 15, 22} {
		p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, 0, 0}), bits)
		for u := range f.n {
			isBelow := slices.ContainsFunc(f.cables, func(c [4]int) bool { return c[2] == u })
			if r.IntN(2) == 0 && (isBelow && bits < 22 || r.IntN(8) == 0) && !slices.Contains(f.origins[p], u) {
				if f.aggregates[p] == nil {
					f.aggregates[p] = map[int]bool{}
				}
				f.aggregates[p][u] = isSummary != (r.IntN(10) == 0)
			}
		}
	}
}

// known is what a switch knows of a prefix: what it announces, and the ports of its next hops; -1 drops.
type known struct {
	said  *message
	ports []int
	heard bool // from others
}

// converge returns the ports of the next hops of each switch, by prefix; nil if it has none.
func (f *planned) converge(cables [][4]int, failed map[int]bool) map[netip.Prefix][][]int {
	result := map[netip.Prefix][][]int{}
	prefixes := map[netip.Prefix]bool{}
	for p, origins := range f.origins {
		prefixes[p] = true
		if f.word == "ospf" || f.word == "none" {
			result[p] = f.floyd(cables, slices.DeleteFunc(slices.Clone(origins), func(u int) bool { return failed[u] }))
		}
	}
	if len(result) > 0 {
		return result
	}
	for p := range f.aggregates {
		prefixes[p] = true
	}
	state := make([]map[netip.Prefix]known, f.n)
	text := ""
	for round := 0; round < 1000; round++ { // if it does not settle, the program says that it is unsure
		fresh := make([]map[netip.Prefix]known, f.n)
		for u := range f.n {
			fresh[u] = map[netip.Prefix]known{}
			for p := range prefixes {
				if !failed[u] {
					fresh[u][p] = f.decide(u, p, cables, state)
				}
			}
		}
		state = fresh
		now := ""
		for p := range prefixes {
			result[p] = make([][]int, f.n)
			for u := range f.n {
				result[p][u] = state[u][p].ports
			}
		}
		if now = fmt.Sprint(result); now == text && round > 3*f.n {
			break
		}
		text = now
	}
	return result
}

// decide returns what a switch knows of a prefix after it has heard the state of the others.
func (f *planned) decide(u int, p netip.Prefix, cables [][4]int, state []map[netip.Prefix]known) (t known) {
	said := make([]*message, f.n)
	for v := range f.n {
		if !f.suppresses(v, p, state[v]) {
			said[v] = state[v][p].said
		}
	}
	best, ports := f.listen(u, cables, said)
	t = known{best, ports, best != nil}
	_, isAggregate := f.aggregates[p][u]
	switch {
	case slices.Contains(f.origins[p], u):
		t.said, t.ports = &message{}, nil
	case isAggregate && f.hasLonger(u, p, state[u]):
		t.said, t.ports = &message{}, []int{-1}
	}
	return t
}

// hasLonger reports whether a switch has heard of, or originates, a longer prefix in p.
func (f *planned) hasLonger(u int, p netip.Prefix, list map[netip.Prefix]known) bool {
	for q, t := range list {
		if q.Bits() > p.Bits() && p.Contains(q.Addr()) && (t.heard || slices.Contains(f.origins[q], u)) {
			return true
		}
	}
	return false
}

// suppresses reports whether a switch does not announce a prefix, because of an aggregate that contains it. It announces its own aggregates.
func (f *planned) suppresses(v int, q netip.Prefix, list map[netip.Prefix]known) bool {
	if _, isAggregate := f.aggregates[q][v]; isAggregate && f.hasLonger(v, q, list) {
		return false
	}
	for p, at := range f.aggregates {
		if at[v] && p.Bits() < q.Bits() && p.Contains(q.Addr()) {
			return true
		}
	}
	return false
}
