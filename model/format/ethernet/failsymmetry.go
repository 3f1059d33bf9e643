package ethernet

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/ethernet/symmetric"
)

// This file finds the symmetries that map failures to failures with the same verdict: permutations of the switches that keep cables, numbers
// of host prefixes, and everything that the routes after a failure are computed from.
//
// Cost: O(symmetries × (switches + cables + origins)); without rerouting O(symmetries × switches with hosts × switches).

// symmetries returns generators of the symmetries. There are none if frames to hosts at one switch differ, if hosts are at several
// switches, if frames have priorities, if some route has another one of the same prefix that may take over, or if a port channel needs several
// members.
func (f *Fabric) symmetries(r *Rerouting) (list []*model.Automorphism) {
	if !f.rel.bySwitch || len(f.rel.entrance) > 0 || f.hasQoS || r.doubt != nil || r.plan == nil && f.b.hasBackup() || f.b.hasMinLinks() {
		return nil
	}
	n := f.rel.net
	g := &symmetric.Graph{Near: make([][]int, n.NumSwitches()), Color: make([]int, n.NumSwitches())}
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, c := range n.Out(u) {
			if n.Kind(c) == model.SwitchToSwitch {
				g.Near[u] = append(g.Near[u], int(n.Head(c)))
			} else {
				g.Color[u]++
			}
		}
	}
	addNumbers(g, r)
	keeps := f.keeper(r)
	for _, p := range g.Generators() {
		image := make([]model.SwitchID, n.NumSwitches())
		for u := range image {
			image[u] = model.SwitchID(p[u])
		}
		if a := n.Automorphism(image); a != nil && keeps(a) {
			list = append(list, a)
		}
	}
	return list
}

// addNumbers adds a vertex for each AS number that several switches have.
func addNumbers(g *symmetric.Graph, r *Rerouting) {
	n := len(g.Near)
	with, color := map[uint32][]int{}, slices.Max(g.Color)+1
	for u, as := range r.network.AS {
		with[as] = append(with[as], u)
	}
	for u := range n {
		if len(r.network.AS) == 0 || len(with[r.network.AS[u]]) < 2 || with[r.network.AS[u]][0] != u {
			continue
		}
		v := len(g.Near)
		g.Near, g.Color = append(g.Near, with[r.network.AS[u]]), append(g.Color, color)
		for _, w := range with[r.network.AS[u]] {
			g.Near[w] = append(g.Near[w], v)
		}
	}
}

// keeper returns a function that reports whether a symmetry of the network keeps what the routes after a failure are computed from.
func (f *Fabric) keeper(r *Rerouting) func(a *model.Automorphism) bool {
	if r.plan == nil {
		s := f.newSteps()
		return func(a *model.Automorphism) bool { return s != nil && s.keeps(a) }
	}
	return func(a *model.Automorphism) bool {
		return f.keepsNumbers(a, r) && f.keepsPlan(a, r.plan)
	}
}

// keepsNumbers reports whether switches with equal AS numbers have images with equal ones, and whether levels are kept.
func (f *Fabric) keepsNumbers(a *model.Automorphism, r *Rerouting) bool {
	to, from := map[uint32]uint32{}, map[uint32]uint32{}
	for u := range f.b.switches {
		v := int(a.Switch(model.SwitchID(u)))
		if r.network.Level != nil && r.network.Level[u] != r.network.Level[v] {
			return false
		}
		if r.network.AS == nil {
			continue
		}
		x, y := r.network.AS[u], r.network.AS[v]
		if known, ok := to[x]; ok && known != y {
			return false
		}
		if known, ok := from[y]; ok && known != x {
			return false
		}
		to[x], from[y] = y, x
	}
	return true
}

// keepsPlan reports whether the host prefixes of a switch have the same origins as those of its image, mapped.
func (f *Fabric) keepsPlan(a *model.Automorphism, p *plan) bool {
	number, image := map[string]int{}, make([]int, len(p.groups))
	for g := range p.groups {
		number[p.groups[g].text(nil, nil)] = g
	}
	for g := range p.groups {
		to, ok := number[p.groups[g].text(a, image)]
		if !ok {
			return false
		}
		image[g] = to
	}
	here, there := map[string]int{}, map[string]int{}
	for i, x := range f.b.atoms {
		home, chain := f.b.hosts[x.host].homes[0], p.chains[p.chain[i]]
		mapped := make([]int, len(chain))
		for k, g := range chain {
			mapped[k] = image[g]
		}
		here[fmt.Sprint(home, chain)]++
		there[fmt.Sprint(a.Switch(model.SwitchID(home)), mapped)]++
	}
	for text, n := range here {
		if there[text] != n {
			return false
		}
	}
	return len(here) == len(there)
}

// text tells origins apart, after they are mapped by a if a is not nil. image has the images of the groups before this one.
func (x *announced) text(a *model.Automorphism, image []int) string {
	list := make([]string, len(x.origins))
	for i, u := range x.origins {
		if a != nil {
			u = int(a.Switch(model.SwitchID(u)))
		}
		list[i] = fmt.Sprint(u, ".", x.kinds[i])
	}
	slices.Sort(list)
	silent, parts := slices.Clone(x.silent), slices.Clone(x.parts)
	if a != nil {
		for i, u := range silent {
			silent[i] = int(a.Switch(model.SwitchID(u)))
		}
		for i, g := range parts {
			parts[i] = image[g]
		}
	}
	slices.Sort(silent)
	slices.Sort(parts)
	return fmt.Sprint(x.isRouted, list, silent, parts)
}

// steps are the sets of next hops that a switch has for the host prefixes at another one, the longest prefix first: those that are left if
// ports fail.
type steps struct {
	f       *Fabric
	rows    [][]int32          // by switch with hosts, and switch: the number of the sets there; nil without hosts
	texts   []map[string]int32 // by switch: the numbers of its sets
	numbers [][][]int32        // by switch and number: the sets
}

// newSteps returns nil if host prefixes at one switch differ.
func (f *Fabric) newSteps() *steps {
	s := &steps{f: f, rows: make([][]int32, f.Switches()), texts: make([]map[string]int32, f.Switches()), numbers: make([][][]int32, f.Switches())}
	numbers := make([]int32, len(f.b.atoms))
	for _, a := range f.b.atoms {
		s.rows[f.b.hosts[a.host].homes[0]] = slices.Repeat([]int32{-1}, f.Switches())
	}
	for u := range f.b.fibs {
		s.texts[u] = map[string]int32{}
		s.number(u, numbers)
		for i, a := range f.b.atoms {
			row := s.rows[f.b.hosts[a.host].homes[0]]
			if row[u] >= 0 && row[u] != numbers[i] {
				return nil
			}
			row[u] = numbers[i]
		}
	}
	return s
}

// number sets for each atom the number of its sets at switch u. Both lists ascend, so the prefixes that contain an atom are a stack.
func (s *steps) number(u int, numbers []int32) {
	x := &s.f.b.fibs[u]
	var entries, stack []dumps.Entry
	if x.table != nil {
		entries = x.table.Entries
	}
	known := map[string]int32{}
	var key []byte
	k := 0
	for i, a := range s.f.b.atoms {
		for k < len(entries) && entries[k].Key.Compare(a.key) <= 0 {
			for len(stack) > 0 && !stack[len(stack)-1].Key.Contains(entries[k].Key) {
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, entries[k])
			k++
		}
		for len(stack) > 0 && !stack[len(stack)-1].Key.Contains(a.key) {
			stack = stack[:len(stack)-1]
		}
		var list []int32
		key = key[:0]
		for j := len(stack) - 1; j >= 0; j-- {
			list = append(list, x.same[stack[j].Set])
			key = binary.LittleEndian.AppendUint32(key, uint32(x.same[stack[j].Set]))
		}
		n, ok := known[string(key)]
		if !ok {
			text := s.text(u, list, nil)
			if n, ok = s.texts[u][text]; !ok {
				n = int32(len(s.numbers[u]))
				s.texts[u][text], s.numbers[u] = n, append(s.numbers[u], list)
			}
			known[string(key)] = n
		}
		numbers[i] = n
	}
}

// text tells lists of sets apart, after they are mapped by a if a is not nil.
func (s *steps) text(u int, list []int32, a *model.Automorphism) string {
	var out strings.Builder
	for _, set := range list {
		h := &s.f.b.fibs[u].hops[set]
		channels := make([]int, len(h.ports))
		for i, e := range h.ports {
			c := s.f.rel.net.OutAt(model.SwitchID(u), s.f.b.port[e])
			if a != nil {
				c = a.Channel(c)
			}
			channels[i] = int(c)
		}
		slices.Sort(channels)
		fmt.Fprint(&out, channels, h.local, h.discard, h.tunnel, ";")
	}
	return out.String()
}

// keeps reports whether a symmetry of the network maps the sets to each other.
func (s *steps) keeps(a *model.Automorphism) bool {
	for u := range s.numbers {
		v := int(a.Switch(model.SwitchID(u)))
		image := make([]int32, len(s.numbers[u]))
		for n, list := range s.numbers[u] {
			to, ok := s.texts[v][s.text(u, list, a)]
			if !ok {
				return false
			}
			image[n] = to
		}
		for home, row := range s.rows {
			if row != nil && image[row[u]] != s.rows[int(a.Switch(model.SwitchID(home)))][v] {
				return false
			}
		}
	}
	return true
}
