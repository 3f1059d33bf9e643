package ethernet

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file finds the host prefixes, and which destinations the routes tell apart.
//
// Cost: O(switches × (routes + atoms)) time, and 4 bytes for each switch and class of destinations.

// fib is the routes of a switch.
type fib struct {
	table *dumps.Table       // nil if the switch has no routes
	hops  []hops             // by set
	same  []int32            // by set: the first set that leads to the same places
	own   map[dumps.Key]bool // the addresses of the switch itself
}

// newFIB returns the routes of a switch, given where each set leads.
func newFIB(t *dumps.Table, list []hops) fib {
	f := fib{table: t, hops: list, same: make([]int32, len(list))}
	first := map[string]int32{}
	for s, h := range list {
		key := fmt.Sprint(h)
		if _, ok := first[key]; !ok {
			first[key] = int32(s)
		}
		f.same[s] = first[key]
	}
	return f
}

// hostPrefix is a prefix with the switches that hosts of it are at.
type hostPrefix struct {
	key   dumps.Key
	homes []int // ascending
}

// atom is a set of addresses of a host prefix.
type atom struct {
	key   dumps.Key // the prefix, without the longer ones that are atoms
	host  int
	class int32
}

// prefixesOf returns all prefixes of all routes, ascending.
func prefixesOf(fibs []fib) (all []dumps.Key) {
	known := map[dumps.Key]bool{}
	for i := range fibs {
		if fibs[i].table == nil {
			continue
		}
		for _, e := range fibs[i].table.Entries {
			if !known[e.Key] {
				known[e.Key] = true
				all = append(all, e.Key)
			}
		}
	}
	slices.SortFunc(all, dumps.Key.Compare)
	return all
}

// seek returns the index of the first of ascending keys, from k on, that is not before key. Cost: O(log of the distance).
func seek(all []dumps.Key, k int, key dumps.Key) int {
	step := 1
	for k+step < len(all) && all[k+step].Compare(key) < 0 {
		k += step
		step *= 2
	}
	i, _ := slices.BinarySearchFunc(all[k:min(k+step+1, len(all))], key, dumps.Key.Compare)
	return k + i
}

// homesOf returns for each prefix the switches whose own route for it leads to hosts only, and whether it is a prefix of the switches
// themselves: some switch is connected to it, and not by hosts. Examples are the subnets of cables.
func homesOf(fibs []fib, all []dumps.Key) (homes [][]int, own []bool) {
	homes, own = make([][]int, len(all)), make([]bool, len(all))
	for i := range fibs {
		if fibs[i].table == nil {
			continue
		}
		k := 0
		for _, e := range fibs[i].table.Entries {
			k = seek(all, k, e.Key)
			switch set := fibs[i].table.Sets[e.Set]; {
			case fibs[i].hops[e.Set].tunnel:
			case fibs[i].isOwn(e.Key):
				own[k] = own[k] || !slices.ContainsFunc(set, func(h dumps.NextHop) bool { return !isConnected(h) || !isLoopback(h.Dev) })
			case fibs[i].hops[e.Set].isHost() && e.Key.Bits == 32 && slices.Contains(fibs[i].table.Own, e.Key): // its own, behind a route of others
			case fibs[i].hops[e.Set].isHost():
				homes[k] = append(homes[k], i)
			case !slices.ContainsFunc(set, func(h dumps.NextHop) bool { return !isConnected(h) }):
				own[k] = true
			}
		}
	}
	for i := range fibs {
		for a := range fibs[i].own { // Linux has no route to its own addresses in the main table
			k, found := slices.BinarySearchFunc(all, a, dumps.Key.Compare)
			if found && a.Bits == 32 && !fibs[i].has(a) {
				own[k] = true
			}
		}
	}
	return homes, own
}

// has reports whether the switch has a route to exactly a prefix.
func (f *fib) has(k dumps.Key) bool {
	if f.table == nil {
		return false
	}
	_, ok := slices.BinarySearchFunc(f.table.Entries, k, compareEntry)
	return ok
}

// hostPrefixes returns the host prefixes and their atoms, both ascending, and the prefixes that are routed though they have no hosts and
// contain none. A single address in a host prefix, with the same homes, is an atom of that: its frames come from the same places.
func hostPrefixes(fibs []fib, all []dumps.Key) (list []hostPrefix, atoms []atom, homeless []dumps.Key) {
	homes, own := homesOf(fibs, all)
	var known []dumps.Key
	var stack []int // host prefixes that contain the present prefix
	for k, key := range all {
		for len(stack) > 0 && !list[stack[len(stack)-1]].key.Contains(key) {
			stack = stack[:len(stack)-1]
		}
		inside := len(stack) > 0
		isHost := len(homes[k]) > 0 && !(inside && key.Bits == 32 && slices.Equal(homes[k], list[stack[len(stack)-1]].homes))
		switch {
		case isHost:
			list = append(list, hostPrefix{key, homes[k]})
			stack = append(stack, len(list)-1)
			atoms = append(atoms, atom{key: key, host: len(list) - 1})
			known = append(known, key)
		case own[k] && len(homes[k]) == 0:
			known = append(known, key)
		case inside:
			atoms = append(atoms, atom{key: key, host: stack[len(stack)-1]})
		default:
			homeless = append(homeless, key)
		}
	}
	homeless = slices.DeleteFunc(homeless, func(k dumps.Key) bool {
		i, _ := slices.BinarySearchFunc(known, k, dumps.Key.Compare)
		return i < len(known) && k.Contains(known[i])
	})
	return list, withoutCovered(atoms), homeless
}

// isOwn reports whether a prefix is an address of the switch in a wider prefix of hosts that it is connected to.
func (f *fib) isOwn(k dumps.Key) bool {
	if k.Bits < 32 || !f.own[k] {
		return false
	}
	for bits := uint8(31); bits > 0; bits-- {
		wider := dumps.Key{Addr: k.Addr >> (32 - bits) << (32 - bits), Bits: bits}
		if i, ok := slices.BinarySearchFunc(f.table.Entries, wider, compareEntry); ok {
			return f.hops[f.table.Entries[i].Set].isHost()
		}
	}
	return false
}

// withoutCovered drops the atoms all of whose addresses are in longer atoms.
func withoutCovered(list []atom) []atom {
	var isCovered func(k dumps.Key, inside []atom) bool
	isCovered = func(k dumps.Key, inside []atom) bool {
		switch {
		case len(inside) == 0 || k.Bits == 32:
			return len(inside) > 0
		case inside[0].key == k:
			return true
		}
		upper := dumps.Key{Addr: k.Addr | 1<<(31-k.Bits), Bits: k.Bits + 1}
		i, _ := slices.BinarySearchFunc(inside, upper, func(a atom, k dumps.Key) int { return a.key.Compare(k) })
		return isCovered(dumps.Key{Addr: k.Addr, Bits: k.Bits + 1}, inside[:i]) && isCovered(upper, inside[i:])
	}
	var kept []atom
	for i, a := range list {
		j := i + 1
		for j < len(list) && a.key.Contains(list[j].key) {
			j++
		}
		if a.key.Bits == 32 || j-i < 3 || !isCovered(dumps.Key{Addr: a.key.Addr, Bits: a.key.Bits + 1}, within(list[i+1:j], a.key, 0)) ||
			!isCovered(dumps.Key{Addr: a.key.Addr | 1<<(31-a.key.Bits), Bits: a.key.Bits + 1}, within(list[i+1:j], a.key, 1)) {
			kept = append(kept, a)
		}
	}
	return kept
}

// within returns the atoms in the lower or upper half of a prefix.
func within(list []atom, k dumps.Key, half int) []atom {
	upper := k.Addr | 1<<(31-k.Bits)
	i, _ := slices.BinarySearchFunc(list, upper, func(a atom, addr uint32) int {
		if a.key.Addr < addr {
			return -1
		}
		return 1
	})
	if half == 0 {
		return list[:i]
	}
	return list[i:]
}

// classes are the destinations that the routes tell apart: rows has for each class and switch the set of its next hops, or -1.
type classes struct {
	rows [][]int32
	host []int // by class: a host prefix, the only one unless the class is of hosts at one switch
}

// divide sets the class of each atom. Atoms of one class have the same homes, and the same set of next hops at each switch.
func divide(fibs []fib, hosts []hostPrefix, atoms []atom) *classes {
	c := &classes{}
	first := map[int]int32{} // by the only home, or by switches + host if there are several
	for i := range atoms {
		a := &atoms[i]
		homes := hosts[a.host].homes
		key := homes[0]
		if len(homes) > 1 {
			key = len(fibs) + a.host
		}
		class, ok := first[key]
		if !ok {
			class = int32(len(c.rows))
			first[key] = class
			c.add(nil, len(fibs), a.host)
		}
		a.class = class
	}
	set := make([]int32, len(atoms))
	for u := range fibs {
		fibs[u].longest(atoms, set)
		c.refine(u, atoms, set)
	}
	return c
}

// add adds a class with the rows of another one.
func (c *classes) add(row []int32, switches, host int) {
	fresh := make([]int32, switches)
	copy(fresh, row)
	c.rows, c.host = append(c.rows, fresh), append(c.host, host)
}

// refine divides the classes by the sets of a switch.
func (c *classes) refine(u int, atoms []atom, set []int32) {
	const unset = -2
	for _, row := range c.rows {
		row[u] = unset
	}
	type part struct {
		class, set int32
	}
	parts := map[part]int32{}
	for i := range atoms {
		a := &atoms[i]
		row := c.rows[a.class]
		switch {
		case row[u] == unset:
			row[u] = set[i]
		case row[u] != set[i]:
			p := part{a.class, set[i]}
			class, ok := parts[p]
			if !ok {
				class = int32(len(c.rows))
				parts[p] = class
				c.add(row, len(row), a.host)
				c.rows[class][u] = set[i]
			}
			a.class = class
		}
	}
}

// longest sets for each atom the set of the longest prefix that contains it, or -1. Both lists ascend, so the prefixes that contain an
// atom are a stack.
func (f *fib) longest(atoms []atom, set []int32) {
	var entries []dumps.Entry
	if f.table != nil {
		entries = f.table.Entries
	}
	var stack []dumps.Entry
	k := 0
	for i := range atoms {
		key := atoms[i].key
		for k < len(entries) && entries[k].Key.Compare(key) <= 0 {
			for len(stack) > 0 && !stack[len(stack)-1].Key.Contains(entries[k].Key) {
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, entries[k])
			k++
		}
		for len(stack) > 0 && !stack[len(stack)-1].Key.Contains(key) {
			stack = stack[:len(stack)-1]
		}
		set[i] = -1
		if len(stack) > 0 {
			set[i] = f.same[stack[len(stack)-1].Set]
		}
	}
}

// compareEntry compares a route with a prefix.
func compareEntry(e dumps.Entry, k dumps.Key) int { return e.Key.Compare(k) }
