package topo

import (
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// This file builds generalised fat trees.
//
// XGFT(h; m1..mh; w1..wh) has levels 0 (leaves) to h (top). A switch of level i has mi
// children, and a switch of level i-1 has wi parents. Source: Öhring, Ibel, Das, Kumar, On
// generalized fat trees, IPPS 1995. In the paper level 0 contains processors. Here level 0
// contains the leaf switches, which carry the hosts. With p hosts per leaf the network is
// XGFT(h+1; p,m1..mh; 1,w1..wh) of the paper. Numbers: leaves first, then level 1, and so on to
// the top. Switch i of level l belongs to subtree i / (w1*...*wl) and has index j = i mod
// (w1*...*wl) in it. Its parents have indices j*w(l+1) + 0, 1, ... in the subtree above. (In a
// tree of three levels, middle switch j of each subtree is below the same top switches.) Ports:
// down ports first, by child (on leaves, the hosts), then up ports, by parent.

// XGFT returns the generalised fat tree of height len(down). down[i] is the number of children
// of a switch of level i+1; up[i] is the number of parents of a switch of level i. Leaves have
// one host by default.
func XGFT(down, up []int, o Options) (*model.Network, error) {
	if len(up) != len(down) {
		return nil, fmt.Errorf("a fat tree with %d numbers of children and %d of parents; want one of each per level above the leaves", len(down), len(up))
	}
	if err := checkSides("fat tree", down); err != nil {
		return nil, err
	}
	if err := checkSides("fat tree", up); err != nil {
		return nil, err
	}
	return buildTrees(newTree(down, up, o.hosts(1)), 1, o, nil)
}

// FatTree returns the folded Clos network of k-port switches with the given number of levels. A
// switch has k/2 ports down and k/2 up; a top switch has k ports down. The network has
// (2*levels-1)*(k/2)^(levels-1) switches and 2*(k/2)^levels hosts: with 3 levels 5k²/4 and
// k³/4, with 2 levels k leaves and k/2 spines. Leaves have k/2 hosts by default, or k with a
// single level.
//
// Source: Lin, Chung, Huang, A multiple LID routing scheme for fat-tree-based InfiniBand
// networks, IPDPS 2004 (m-port n-tree); Al-Fares, Loukissas, Vahdat, SIGCOMM 2008, for 3
// levels.
func FatTree(k, levels int, o Options) (*model.Network, error) {
	t, err := newFatTree(k, levels, o)
	if err != nil {
		return nil, err
	}
	return buildTrees(t, 1, o, nil)
}

func newFatTree(k, levels int, o Options) (*tree, error) {
	if k < 2 || k%2 != 0 || k > model.MaxPort {
		return nil, fmt.Errorf("a fat tree of switches with k=%d ports, allowed are even numbers from 2 to %d", k, model.MaxPort)
	}
	if levels < 1 || levels > MaxDims {
		return nil, fmt.Errorf("a fat tree of %d levels, allowed are 1 to %d", levels, MaxDims)
	}
	if levels == 1 {
		return newTree(nil, nil, o.hosts(k)), nil
	}
	half := slices.Repeat([]int{k / 2}, levels-1)
	down := slices.Clone(half)
	down[levels-2] = k
	return newTree(down, half, o.hosts(k/2)), nil
}

// tree is the shape of an XGFT.
type tree struct {
	down, up []int
	hosts    int
	start    []int // by level: its first switch; the last entry is the number of switches
	width    []int // by level: the number of switches of a subtree that share their leaves
	size     size
}

// newTree computes the shape. Its numbers may be saturated, so check the size before use.
func newTree(down, up []int, hosts int) *tree {
	t := &tree{down: down, up: up, hosts: hosts, start: []int{0}}
	for l := range len(down) + 1 {
		t.width = append(t.width, product(up[:l]...))
		count := product(product(down[l:]...), t.width[l])
		t.start = append(t.start, min(t.start[l]+count, saturated))
		ports := hosts
		if l > 0 {
			ports = down[l-1]
		}
		if l < len(up) {
			ports += up[l]
			t.size.links = min(t.size.links+product(count, up[l]), saturated)
		}
		t.size.ports = max(t.size.ports, ports)
	}
	t.size.switches = t.start[len(down)+1]
	t.size.hosts = product(t.start[1], hosts)
	return t
}

// level returns the number of the first switch of level l and the number of switches of the
// level.
func (t *tree) level(l int) (first, count int) { return t.start[l], t.start[l+1] - t.start[l] }

// buildTrees builds copies of a tree and adds the joining links.
func buildTrees(t *tree, copies int, o Options, joining [][2]int) (*model.Network, error) {
	s := t.size
	s.switches, s.hosts = copies*s.switches, copies*s.hosts
	s.links = copies*s.links + len(joining)
	d, err := newDraft(s, o)
	if err != nil {
		return nil, err
	}
	for c := range copies {
		t.layOut(d, c*t.size.switches)
	}
	for _, j := range joining {
		d.join(j[0], j[1])
	}
	for l := range t.down {
		if copies == 1 {
			d.permute(func(u int) int { return t.rotate(l, u) })
		}
	}
	d.name = func(u model.SwitchID) string {
		if copies == 1 {
			return t.name(int(u))
		}
		return string(rune('a'+int(u)/t.size.switches)) + "." + t.name(int(u)%t.size.switches)
	}
	d.attribute("level", func(u model.SwitchID) int { return t.levelOf(int(u) % t.size.switches) })
	d.attribute("low", func(u model.SwitchID) int { low, _ := t.leavesBelow(int(u)); return low })
	d.attribute("width", func(u model.SwitchID) int { return t.width[t.levelOf(int(u)%t.size.switches)] })
	d.attribute("high", func(u model.SwitchID) int { _, high := t.leavesBelow(int(u)); return high })
	return d.build()
}

// levelOf returns the level of a switch of the first copy.
func (t *tree) levelOf(u int) int {
	return sort.Search(len(t.down), func(l int) bool { return t.start[l+1] > u })
}

// leavesBelow returns the first and the last leaf below a switch. The leaves of all copies are numbered from left to right.
func (t *tree) leavesBelow(u int) (low, high int) {
	k := u % t.size.switches
	l := t.levelOf(k)
	span := 1
	for _, below := range t.down[:l] {
		span *= below
	}
	low = u/t.size.switches*t.start[1] + (k-t.start[l])/t.width[l]*span
	return low, low + span - 1
}

// layOut adds the hosts and links of a tree whose first switch is base.
func (t *tree) layOut(d *draft, base int) {
	for leaf := range t.start[1] {
		d.attach(base+leaf, t.hosts)
	}
	for l, w := range t.up {
		first, count := t.level(l)
		for i := range count {
			subtree, j := i/t.width[l], i%t.width[l]
			above := t.start[l+1] + subtree/t.down[l]*t.width[l+1]
			for y := range w {
				d.join(base+first+i, base+above+j*w+y)
			}
		}
	}
}

// rotate returns the image of switch u if the subtrees below each switch of level l+1 change places in turn.
func (t *tree) rotate(l, u int) int {
	at := 0 // the level of u
	for u >= t.start[at+1] {
		at++
	}
	if at > l {
		return u
	}
	size := t.width[at] // switches of level at in a subtree whose parents have level l+1
	for _, k := range t.down[at:l] {
		size *= k
	}
	i := u - t.start[at]
	x := i / size % t.down[l]
	return u + ((x+1)%t.down[l]-x)*size
}

// name returns leaf3, middle1, top0 and so on for a switch of the tree.
func (t *tree) name(u int) string {
	l, top := 0, len(t.down)
	for u >= t.start[l+1] {
		l++
	}
	prefix := "leaf"
	switch {
	case l == 0:
	case top == 1:
		prefix = "spine"
	case l == top:
		prefix = "top"
	case top == 2:
		prefix = "middle"
	default:
		prefix = "level" + strconv.Itoa(l) + "."
	}
	return prefix + strconv.Itoa(u-t.start[l])
}
