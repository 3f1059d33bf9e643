package ethernet

import (
	"fmt"
	"iter"
	"slices"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file finds the aggregates of BGP (aggregate-address) in the dumps. A switch with an aggregate announces it, and drops its frames, while
// its table of BGP has a longer prefix in it that is no aggregate of its own. Its AS path is that of a prefix of the switch. With
// summary-only it announces none of these longer prefixes, except its own aggregates.
//
// Whether an aggregate is summary-only is not in the dumps: it is if no neighbour has a route by the switch to a longer prefix in it. If no
// neighbour would use such a route anyway, that is unknown, see Routes.Mute.
//
// Source: FRR 8.4, bgpd/bgp_route.c, bgp_aggregate_route and subgroup_announce_check.

// aggregate is a prefix with the switches that aggregate it.
type aggregate struct {
	prefix  int // index of all prefixes
	at      []int
	isPlain []bool // the switch also announces longer prefixes
}

// summary is an aggregate of a switch that is taken for summary-only.
type summary struct {
	at     int
	prefix dumps.Key
	parts  []int // the groups of the longer prefixes that others have routes to
}

// inside yields the prefixes that a prefix contains, without itself.
func (g *grouping) inside(k int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for j := k + 1; j < len(g.all) && g.all[k].Contains(g.all[j]); j++ {
			if !yield(j) {
				return
			}
		}
	}
}

// findAggregates finds the aggregates, and sets the kinds of their origins and the silent switches. It returns why the model does not cover one.
func (g *grouping) findAggregates() (why string) {
	of := map[dumps.Key][]int{}
	for u := range g.fibs {
		if t := g.fibs[u].table; t != nil {
			for _, k := range t.Aggregates {
				of[k] = append(of[k], u)
			}
		}
	}
	for k, key := range g.all {
		if of[key] != nil {
			g.within = append(g.within, aggregate{k, of[key], make([]bool, len(of[key]))})
		}
	}
	g.findPlain()
	for i := range g.within {
		x := &g.within[i]
		for n, u := range x.at {
			if why = g.addAggregate(x, n, u); why != "" {
				return why
			}
		}
	}
	return ""
}

// findPlain finds the switches that announce longer prefixes to a neighbour.
func (g *grouping) findPlain() {
	for u := range g.fibs {
		if g.fibs[u].table == nil {
			continue
		}
		entries := g.fibs[u].table.Entries
		for i := range g.within {
			x := &g.within[i]
			first, _ := slices.BinarySearchFunc(entries, g.all[x.prefix], compareEntry)
			seen := map[int32]bool{}
			for _, e := range entries[first:] {
				if !g.all[x.prefix].Contains(e.Key) {
					break
				}
				if e.Key == g.all[x.prefix] {
					continue
				}
				isNested := g.aggregatesAt(e.Key)
				if isNested == nil && seen[e.Set] {
					continue
				}
				seen[e.Set] = seen[e.Set] || isNested == nil
				for _, p := range g.fibs[u].hops[e.Set].ports {
					v := g.peer[p].sw
					if n := slices.Index(x.at, v); n >= 0 && !slices.Contains(isNested, v) {
						x.isPlain[n] = true
					}
				}
			}
		}
	}
}

// aggregatesAt returns the switches that aggregate a prefix.
func (g *grouping) aggregatesAt(k dumps.Key) []int {
	i, ok := slices.BinarySearchFunc(g.within, k, func(x aggregate, k dumps.Key) int { return g.all[x.prefix].Compare(k) })
	if !ok {
		return nil
	}
	return g.within[i].at
}

// addAggregate sets the kind of origin u, the n-th of an aggregate, and makes it silent for the longer prefixes if it is summary-only.
func (g *grouping) addAggregate(x *aggregate, n, u int) (why string) {
	// hasOwn and isFixed: it originates prefixes in it, without or with routes of others to them.
	hasOwn, hasRoute, isFixed := false, false, false
	for j := range g.inside(x.prefix) {
		f, key := &g.found[j], g.all[j]
		if why = g.cableSubnet(j, u, x.prefix); why != "" {
			return why
		}
		i, has := slices.BinarySearchFunc(g.fibs[u].table.Entries, key, compareEntry)
		isAggregate := slices.Contains(g.aggregatesAt(key), u)
		isOrigin := slices.Contains(f.origins, u)
		switch {
		case isAggregate || !has:
		case isOrigin && f.isRouted:
			isFixed = true
		case isOrigin:
			hasOwn = true
		case len(g.fibs[u].hops[g.fibs[u].table.Entries[i].Set].ports) > 0:
			hasRoute = true
		}
		if !x.isPlain[n] && !isAggregate && !slices.Contains(f.silent, u) {
			f.silent = append(f.silent, u)
		}
	}
	f := &g.found[x.prefix]
	at := slices.Index(f.origins, u)
	switch {
	case at < 0:
		return fmt.Sprintf("%s drops frames to %s, and has other routes to it", g.switches[u].Name, g.all[x.prefix].Prefix())
	case !isFixed && !hasOwn && !hasRoute:
		return fmt.Sprintf("%s has the aggregate %s, and no longer prefix in it", g.switches[u].Name, g.all[x.prefix].Prefix())
	case isFixed || !hasRoute: // it announces the aggregate, so a prefix of its own is in it: that stays
	case hasOwn:
		f.kinds[at] = originDoubtful
	default:
		f.kinds[at] = originAggregate
	}
	return ""
}

// cableSubnet returns why an aggregate of switch u is not covered: whether it is announced may depend on the subnet of a cable in it.
func (g *grouping) cableSubnet(j, u, in int) string {
	f, key := &g.found[j], g.all[j]
	for i, v := range f.origins {
		if f.kinds[i] != originDrops || key.Bits == 32 || v != u && !f.isRouted {
			continue
		}
		t := g.fibs[v].table
		k, _ := slices.BinarySearchFunc(t.Entries, key, compareEntry)
		if slices.ContainsFunc(t.Sets[t.Entries[k].Set], func(h dumps.NextHop) bool { return !h.Drop && !isLoopback(h.Dev) }) {
			return fmt.Sprintf("the aggregate %s of %s contains the subnet %s of a cable or of management", g.all[in].Prefix(), g.switches[u].Name,
				key.Prefix())
		}
	}
	return ""
}

// summaries returns the aggregates that are taken for summary-only though others have routes to longer prefixes.
func (g *grouping) summaries() (list []summary) {
	for i := range g.within {
		x := &g.within[i]
		for n, u := range x.at {
			s := summary{at: u, prefix: g.all[x.prefix]}
			for j := range g.inside(x.prefix) {
				if !x.isPlain[n] && g.found[j].isRouted && slices.Contains(g.found[j].silent, u) {
					s.parts = append(s.parts, g.group(j))
				}
			}
			if s.parts != nil {
				list = append(list, s)
			}
		}
	}
	return list
}

// unseen returns which aggregate may announce longer prefixes without a trace in the dumps, or an empty text. m has the routes without a failure.
func (m *modelled) unseen() string {
	for _, s := range m.plan.summaries {
		isSeen := false
		for _, part := range s.parts {
			r := m.routesOf(part)
			isOrigin := slices.Contains(m.plan.groups[part].origins, s.at)
			if !slices.Contains(r.Mute, s.at) && (isOrigin || len(r.Next[s.at]) > 0) {
				isSeen = true
				break
			}
		}
		if !isSeen {
			return fmt.Sprintf("the dumps do not show whether %s announces longer prefixes than its aggregate %s", m.switches[s.at].Name, s.prefix.Prefix())
		}
	}
	return ""
}

// isActive reports whether origin i of group g announces it. The routes to the parts of an aggregate decide.
func (m *modelled) isActive(g, i int) bool {
	x := &m.plan.groups[g]
	u, kind := x.origins[i], x.kinds[i]
	if slices.Contains(m.failed, u) {
		return false
	}
	if kind != originAggregate && kind != originDoubtful {
		return true
	}
	key := [2]int{g, u}
	active, ok := m.active[key]
	if !ok {
		active = slices.ContainsFunc(x.parts, func(part int) bool {
			r := m.routesOf(part)
			return r.Next != nil && len(r.Next[u]) > 0
		})
		if !active && kind == originDoubtful && m.unsure == "" {
			m.unsure = fmt.Sprintf("the dumps do not show whether %s announces an aggregate when it has no route to the prefixes of others in it",
				m.switches[u].Name)
		}
		m.active[key] = active
	}
	return active
}
