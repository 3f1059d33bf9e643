package local

import (
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file chooses attributes for small networks.
//
// The attributes pre, last and level, also with a number after the name, are those of spanning trees: the number of a switch in
// preorder, the last number below it, its depth. Other attributes get all values below a small number, as far as these are few.

// mostValues bounds the assignments of one graph.
const mostValues = 300

// attributesOf returns the attributes that a program reads, and whether it uses the spanning tree.
func attributesOf(text string) (names []string, usesTree bool) {
	n, err := everysize.OpenNetwork(text)
	if err != nil {
		return nil, true
	}
	return n.Attributes(), n.TreeNumbers() != nil
}

// networks returns the graph with a host at each endpoint, and with attributes.
func (g graph) networks(p *program.Program, names []string) (list []*model.Network) {
	for _, values := range g.values(names) {
		b := model.NewBuilder()
		port := make([]model.Port, g.n)
		for u := range g.n {
			b.AddSwitch(model.Switch{})
			port[u] = 1
		}
		for _, l := range g.links {
			b.AddLink(model.SwitchID(l[0]), port[l[0]], model.SwitchID(l[1]), port[l[1]])
			port[l[0]]++
			port[l[1]]++
		}
		for i, name := range names {
			b.SetAttribute(name, values[i])
		}
		bare, err := b.Build()
		if err != nil {
			continue
		}
		for u := range g.n {
			if p.IsEndpoint(bare, model.SwitchID(u)) {
				b.AddHost(model.Host{Switch: model.SwitchID(u), Port: port[u]})
			}
		}
		b.SetVCs(p.VCs)
		if n, err := b.Build(); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// values returns assignments: by attribute and switch.
func (g graph) values(names []string) (list [][][]int32) {
	if len(names) == 0 {
		return [][][]int32{nil}
	}
	if trees := g.trees(names); trees != nil {
		return trees
	}
	size := g.n * len(names)
	if len(names) == 1 {
		return each(names, g.partitions())
	}
	for base := 3; base >= 2; base-- {
		count := 1
		for range size {
			count = min(count*base, mostValues+1)
		}
		if count > mostValues {
			continue
		}
		for k := range count {
			row := make([][]int32, len(names))
			for i := range row {
				row[i] = make([]int32, g.n)
				for u := range row[i] {
					row[i][u] = int32(k % base)
					k /= base
				}
			}
			list = append(list, row)
		}
		break
	}
	return list
}

func each(names []string, rows [][]int32) (list [][][]int32) {
	for _, row := range rows {
		values := make([][]int32, len(names))
		for i := range values {
			values[i] = row
		}
		list = append(list, values)
	}
	return list
}

// partitions returns the ways to put switches into groups.
func (g graph) partitions() (list [][]int32) {
	row := make([]int32, g.n)
	var visit func(u int, most int32)
	visit = func(u int, most int32) {
		if u == g.n {
			list = append(list, slices.Clone(row))
			return
		}
		for k := range most + 1 {
			row[u] = k
			visit(u+1, max(most, k+1))
		}
	}
	visit(0, 0)
	return list
}

// trees returns attributes of spanning trees, or nil if some name is no attribute of a tree.
func (g graph) trees(names []string) (list [][][]int32) {
	layers := 0
	for _, name := range names {
		base := strings.TrimRight(name, "0123456789")
		if !slices.Contains([]string{"pre", "last", "level"}, base) {
			return nil
		}
		k, _ := strconv.Atoi(name[len(base):])
		layers = max(layers, k+1)
	}
	if layers > 4 {
		return nil
	}
	tree := make([]map[string][]int32, 2*g.n)
	for root := range g.n {
		tree[2*root], tree[2*root+1] = g.tree(root, true), g.tree(root, false)
	}
	for first := range tree {
		values := make([][]int32, len(names))
		for i, name := range names {
			base := strings.TrimRight(name, "0123456789")
			k, _ := strconv.Atoi(name[len(base):])
			values[i] = tree[(first+3*k)%len(tree)][base]
		}
		list = append(list, values)
	}
	return list
}

// tree returns the attributes of a spanning tree: by depth first, or by breadth first.
func (g graph) tree(root int, depth bool) map[string][]int32 {
	near := make([][]int, g.n)
	for _, l := range g.links {
		near[l[0]] = append(near[l[0]], l[1])
		near[l[1]] = append(near[l[1]], l[0])
	}
	parent := make([]int, g.n)
	for u := range parent {
		parent[u] = -1
	}
	parent[root] = root
	list := []int{root}
	for len(list) > 0 {
		u := list[0]
		if depth {
			u = list[len(list)-1]
		}
		next := slices.IndexFunc(near[u], func(v int) bool { return parent[v] < 0 })
		switch {
		case next >= 0:
			parent[near[u][next]] = u
			list = append(list, near[u][next])
		case depth:
			list = list[:len(list)-1]
		default:
			list = list[1:]
		}
	}
	pre, last, level := make([]int32, g.n), make([]int32, g.n), make([]int32, g.n)
	count := int32(0)
	var number func(u int, at int32)
	number = func(u int, at int32) {
		pre[u], level[u] = count, at
		count++
		for v := range g.n {
			if v != u && parent[v] == u {
				number(v, at+1)
			}
		}
		last[u] = count - 1
	}
	number(root, 0)
	return map[string][]int32{"pre": pre, "last": last, "level": level}
}
