package ethernet

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file finds host prefixes to which frames go by a way that no dump states.

// comeBack lists the host prefixes that a switch routes to a next hop without a known cable, though another switch is connected to them:
// it is not known how frames come from the one to the other.
func (r *router) comeBack(b *builder) (list []string) {
	for u := range b.fibs {
		f := &b.fibs[u]
		if f.table == nil {
			continue
		}
		via := make([]netip.Addr, len(f.table.Sets))
		for s, set := range f.table.Sets {
			for _, h := range set {
				here := end{u, h.Dev}
				if h.Via.IsValid() && (f.hops[s].local || r.isManagement(here)) && !isForTwo(r.subnetOf(here, h.Via)) && !r.hosts[here] {
					via[s] = h.Via
				}
			}
		}
		for _, e := range f.table.Entries {
			if !via[e.Set].IsValid() {
				continue
			}
			i, ok := slices.BinarySearchFunc(b.hosts, e.Key, func(h hostPrefix, k dumps.Key) int { return h.key.Compare(k) })
			if !ok {
				continue
			}
			for _, v := range b.hosts[i].homes {
				if v != u && b.isConnectedTo(v, e.Key) {
					list = append(list, fmt.Sprintf("%s is connected at %s, and %s routes it to %s without a known cable (%s)", e.Key.Prefix(),
						r.switches[v].Name, r.switches[u].Name, via[e.Set], f.table.File))
					break
				}
			}
		}
	}
	return list
}

// isConnectedTo reports whether a switch is connected to a prefix.
func (b *builder) isConnectedTo(u int, k dumps.Key) bool {
	t := b.fibs[u].table
	i, ok := slices.BinarySearchFunc(t.Entries, k, compareEntry)
	return ok && isConnectedSet(t, t.Entries[i])
}

// managed lists the prefixes at interfaces with a name for management to which other switches route by cables of the folder.
func (r *router) managed(b *builder) (list []string) {
	seen := map[dumps.Key]bool{}
	for _, h := range b.hosts {
		seen[h.key] = true
	}
	for u := range b.fibs {
		t := b.fibs[u].table
		if t == nil {
			continue
		}
		for _, e := range t.Entries {
			dev := t.Sets[e.Set][0].Dev
			if e.Key.Bits == 32 || seen[e.Key] || !isConnectedSet(t, e) || isLoopback(dev) || !r.isManagement(end{u, dev}) {
				continue
			}
			seen[e.Key] = true
			for v := range b.fibs {
				if v != u && b.fibs[v].goesByCable(e.Key, seen) {
					list = append(list, fmt.Sprintf("%s is at %s, which has the name of an interface for management, and %s routes it "+
						"by the cables of the folder (%s)", e.Key.Prefix(), r.text(end{u, dev}), r.switches[v].Name, b.fibs[v].table.File))
					break
				}
			}
		}
	}
	return list
}

// managedRoutes lists the routes of a switch that lead to an interface with a name for management, if another switch routes the same prefix by
// cables of the folder. The interface may lead to hosts, as that of a border router does.
func (r *router) managedRoutes(b *builder) (list []string) {
	for u := range b.fibs {
		t := b.fibs[u].table
		if t == nil {
			continue
		}
		for _, e := range t.Entries {
			set := t.Sets[e.Set]
			if h := set[0]; !h.Via.IsValid() || h.Drop || h.Problem != "" || isLoopback(h.Dev) || !r.isManagement(end{u, h.Dev}) {
				continue
			}
			for v := range b.fibs {
				if v != u && b.fibs[v].sendsByCable(e.Key) {
					list = append(list, fmt.Sprintf("%s sends frames to %s to %s, which has the name of an interface for management, and %s routes them by "+
						"the cables of the folder (%s)", r.switches[u].Name, e.Key.Prefix(), set[0].Dev, r.switches[v].Name, b.fibs[v].table.File))
					break
				}
			}
		}
	}
	return list
}

// sendsByCable reports whether a switch has a route to a prefix that leads to other switches.
func (f *fib) sendsByCable(k dumps.Key) bool {
	if f.table == nil {
		return false
	}
	i, ok := slices.BinarySearchFunc(f.table.Entries, k, compareEntry)
	return ok && len(f.hops[f.table.Entries[i].Set].ports) > 0
}

// goesByCable reports whether frames to a prefix, or to one in it that is not known, go to another switch, other than by the default route.
func (f *fib) goesByCable(k dumps.Key, known map[dumps.Key]bool) bool {
	if f.table == nil {
		return false
	}
	entries := f.table.Entries
	i, ok := slices.BinarySearchFunc(entries, k, compareEntry)
	for j := i; j < len(entries) && k.Contains(entries[j].Key); j++ {
		if len(f.hops[entries[j].Set].ports) > 0 && (entries[j].Key == k || !known[entries[j].Key]) {
			return true
		}
	}
	if ok {
		return false
	}
	for bits := k.Bits - 1; bits > 0 && bits < 32; bits-- {
		wider := dumps.Key{Addr: k.Addr >> (32 - bits) << (32 - bits), Bits: bits}
		if i, ok := slices.BinarySearchFunc(entries, wider, compareEntry); ok {
			return len(f.hops[entries[i].Set].ports) > 0
		}
	}
	return false
}

// insiders lists host prefixes with addresses that a switch is connected to and routes to other switches: hosts of the prefix may send frames to
// each other through the fabric, and only those to other prefixes are judged.
func (b *builder) insiders() (list []string) {
	for _, a := range b.atoms {
		h := b.hosts[a.host]
		if a.key == h.key {
			continue
		}
		for _, u := range h.homes {
			if s := b.rows[a.class][u]; s >= 0 && len(b.fibs[u].hops[s].ports) > 0 {
				list = append(list, fmt.Sprintf("%s: %s is in %s, which %s is connected to, and %s routes it to other switches: frames between hosts of the "+
					"prefix are not judged", b.fibs[u].table.File, a.key.Prefix(), h.key.Prefix(), b.switches[u].Name, b.switches[u].Name))
				break
			}
		}
	}
	return list
}
