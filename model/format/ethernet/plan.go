package ethernet

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file finds the origins of prefixes, from the routes of the dumps.

// plan is what the model knows of the prefixes.
type plan struct {
	groups []announced
	chains [][]int // different from each other: groups of the prefixes that contain an atom, the longest first
	chain  []int   // by atom of the whole fabric: its chain
}

// announced are the origins of a prefix. Each has hosts of it, drops its frames, or has no route to it.
type announced struct {
	origins  []int // ascending
	kinds    []originKind
	isRouted bool // some other switch has a route to it
}

type originKind byte

const (
	originHosts originKind = iota
	originDrops
	originAbsent // no route: frames go by a shorter prefix
)

// newPlan returns the plan, or why the model does not cover a prefix.
func (b *builder) newPlan() (p *plan, why string) {
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
	return b.chainsOf(all, found)
}

// chainsOf finds the prefixes that contain each atom. Both lists ascend, so these are a stack.
func (b *builder) chainsOf(all []dumps.Key, found []announced) (*plan, string) {
	p := &plan{chain: make([]int, len(b.atoms))}
	groups, chains := map[string]int{}, map[string]int{}
	var stack []int
	k := 0
	for i, a := range b.atoms {
		for k < len(all) && all[k].Compare(a.key) <= 0 {
			for len(stack) > 0 && !all[stack[len(stack)-1]].Contains(all[k]) {
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, k)
			k++
		}
		for len(stack) > 0 && !all[stack[len(stack)-1]].Contains(a.key) {
			stack = stack[:len(stack)-1]
		}
		var chain []int
		for j := len(stack) - 1; j >= 0; j-- {
			x := &found[stack[j]]
			if len(x.origins) == 0 {
				b.addAbsent(all[stack[j]], x)
			}
			if len(x.origins) == 0 {
				return nil, fmt.Sprintf("no switch is the origin of %s", all[stack[j]].Prefix())
			}
			chain = append(chain, indexOf(groups, fmt.Sprint(*x)))
			if chain[len(chain)-1] == len(p.groups) {
				p.groups = append(p.groups, *x)
			}
		}
		if p.chain[i] = indexOf(chains, fmt.Sprint(chain)); p.chain[i] == len(p.chains) {
			p.chains = append(p.chains, chain)
		}
	}
	return p, ""
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
