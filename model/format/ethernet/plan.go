package ethernet

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file finds the origins of prefixes, from the routes of the dumps.

// plan is what the model knows of the prefixes.
type plan struct {
	groups    []announced // those of longer prefixes come before those of aggregates that contain them
	chains    [][]int     // different from each other: groups of the prefixes that contain an atom, the longest first
	chain     []int       // by atom of the whole fabric: its chain
	summaries []summary
}

// announced are the origins of a prefix. Each has hosts of it, drops its frames, or has no route to it.
type announced struct {
	origins  []int // ascending
	kinds    []originKind
	isRouted bool  // some other switch has a route to it
	silent   []int // switches that do not announce it to others, since it is in an aggregate of theirs
	parts    []int // if a kind is originAggregate: the groups of the longer prefixes in it
}

type originKind byte

const (
	originHosts originKind = iota
	originDrops
	originAbsent    // no route: frames go by a shorter prefix
	originAggregate // drops its frames while it has a route to one of the parts; otherwise it is no origin
	originDoubtful  // the same; if it has no such route, it is unknown whether BGP has a prefix of its own in it
)

// computedBy are the names of protocols whose routes a model computes, with their numbers in Linux (zebra/rt_netlink.h of FRR).
var computedBy = map[string][]string{
	"bgp": {"bgp", "186"}, "updown": {"bgp", "186"}, "ospf": {"ospf", "188", "isis", "187", "openfabric", "197"},
}

// foreign returns why a route stays after a failure, or changes as the model does not compute it: it is of another protocol. Routes of an unknown
// protocol, such as zebra of old kernels and bird, are taken for those of the model.
func (b *builder) foreign(u int, k dumps.Key, word string) string {
	protocol := b.fibs[u].table.Protocol[k]
	if slices.Contains([]string{"", "zebra", "11", "bird", "12"}, protocol) || slices.Contains(computedBy[word], protocol) ||
		!slices.ContainsFunc(b.atoms, func(a atom) bool { return k.Contains(a.key) }) {
		return ""
	}
	return fmt.Sprintf("at %s, the route to %s is of the protocol %s", b.switches[u].Name, k.Prefix(), protocol)
}

// newPlan returns the plan for the model of a word, or why the model does not cover a prefix.
func (b *builder) newPlan(word string) (p *plan, why string) {
	all := prefixesOf(b.fibs)
	found := make([]announced, len(all))
	for u := range b.fibs {
		if b.fibs[u].table == nil {
			continue
		}
		k := 0
		for _, e := range b.fibs[u].table.Entries {
			for all[k] != e.Key {
				k++
			}
			switch h := &b.fibs[u].hops[e.Set]; {
			case h.tunnel || len(h.ports) > 0 && (h.local || h.discard):
				why = fmt.Sprintf("at %s, frames to %s go to other switches, and to hosts or nowhere", b.switches[u].Name, e.Key.Prefix())
			case len(h.ports) > 0:
				found[k].isRouted = true
				why = cmp.Or(why, b.foreign(u, e.Key, word))
			case h.local:
				found[k].origins, found[k].kinds = append(found[k].origins, u), append(found[k].kinds, originHosts)
			default:
				found[k].origins, found[k].kinds = append(found[k].origins, u), append(found[k].kinds, originDrops)
			}
		}
	}
	if why != "" {
		return nil, why
	}
	g := &grouping{builder: b, all: all, found: found, of: map[string]int{}, known: slices.Repeat([]int{-1}, len(all))}
	if word != "ospf" {
		if why = g.findAggregates(); why != "" {
			return nil, why
		}
	}
	if p, why = g.chainsOf(); why == "" {
		p.summaries = g.summaries()
		p.groups = g.groups
	}
	return p, g.why
}

// grouping numbers the groups of prefixes.
type grouping struct {
	*builder
	all    []dumps.Key
	found  []announced // by prefix
	within []aggregate
	groups []announced
	of     map[string]int // by their text
	known  []int          // by prefix: its group, or -1
	why    string         // why the model does not cover a prefix, or empty
}

// chainsOf finds the prefixes that contain each atom. Both lists ascend, so these are a stack.
func (g *grouping) chainsOf() (*plan, string) {
	p := &plan{chain: make([]int, len(g.atoms))}
	chains := map[string]int{}
	var stack []int
	k := 0
	for i, a := range g.atoms {
		for k < len(g.all) && g.all[k].Compare(a.key) <= 0 {
			for len(stack) > 0 && !g.all[stack[len(stack)-1]].Contains(g.all[k]) {
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, k)
			k++
		}
		for len(stack) > 0 && !g.all[stack[len(stack)-1]].Contains(a.key) {
			stack = stack[:len(stack)-1]
		}
		var chain []int
		for j := len(stack) - 1; j >= 0; j-- {
			chain = append(chain, g.group(stack[j]))
		}
		if g.why != "" {
			return nil, g.why
		}
		if p.chain[i] = indexOf(chains, fmt.Sprint(chain)); p.chain[i] == len(p.chains) {
			p.chains = append(p.chains, chain)
		}
	}
	return p, ""
}

// group returns the group of a prefix. It sets why if the prefix has no origin.
func (g *grouping) group(k int) int {
	if g.known[k] >= 0 {
		return g.known[k]
	}
	x := &g.found[k]
	if len(x.origins) == 0 {
		g.addAbsent(g.all[k], x)
	}
	if len(x.origins) == 0 {
		g.why = fmt.Sprintf("no switch is the origin of %s", g.all[k].Prefix())
	}
	if slices.Contains(x.kinds, originAggregate) || slices.Contains(x.kinds, originDoubtful) {
		for j := range g.inside(k) {
			x.parts = append(x.parts, g.group(j))
		}
		slices.Sort(x.parts)
		x.parts = slices.Compact(x.parts)
	}
	slices.Sort(x.silent)
	g.known[k] = indexOf(g.of, fmt.Sprint(*x))
	if g.known[k] == len(g.groups) {
		g.groups = append(g.groups, *x)
	}
	return g.known[k]
}

// indexOf returns the index of a text. A new text gets the next one.
func indexOf(m map[string]int, text string) int {
	i, ok := m[text]
	if !ok {
		i = len(m)
		m[text] = i
	}
	return i
}

// addAbsent makes those switches origins that are connected to a part of a prefix, and have no route to it.
func (b *builder) addAbsent(k dumps.Key, x *announced) {
	i, _ := slices.BinarySearchFunc(b.hosts, k, func(h hostPrefix, k dumps.Key) int { return h.key.Compare(k) })
	for ; i < len(b.hosts) && k.Contains(b.hosts[i].key); i++ {
		for _, u := range b.hosts[i].homes {
			if _, hasRoute := slices.BinarySearchFunc(b.fibs[u].table.Entries, k, compareEntry); !hasRoute && !slices.Contains(x.origins, u) {
				x.origins, x.kinds = append(x.origins, u), append(x.kinds, originAbsent)
			}
		}
	}
}
