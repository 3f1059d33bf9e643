package route_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// This file compares routings with lists of paths that follow from their definitions. A definition is a function that lists the paths between
// two switches, as VCs.

type definition func(n *model.Network, u, v model.SwitchID) [][]model.VCID

// hopRule gives the VCs that a packet may use on channel c after a path, in a definition that looks at the path only.
type hopRule func(n *model.Network, path []model.ChannelID, vcs []int, c model.ChannelID, v model.SwitchID) []int

// walks lists all paths of at most most links from u to v, not through v, whose hops a rule permits.
func walks(most int, rule hopRule) definition {
	return func(n *model.Network, u, v model.SwitchID) (list [][]model.VCID) {
		var try func(at model.SwitchID, path []model.ChannelID, vcs []int)
		try = func(at model.SwitchID, path []model.ChannelID, vcs []int) {
			if at == v {
				var p []model.VCID
				for i, c := range path {
					p = append(p, n.VC(c, vcs[i]))
				}
				list = append(list, p)
				return
			}
			if len(path) == most {
				return
			}
			for _, c := range n.Out(at) {
				if n.Head(c) != model.NoSwitch {
					for _, vc := range rule(n, path, vcs, c, v) {
						try(n.Head(c), append(slices.Clone(path), c), append(slices.Clone(vcs), vc))
					}
				}
			}
		}
		try(u, nil, nil)
		return list
	}
}

// place gives a switch of a grid as coordinates, x fastest.
func coordinates(sides []int, u model.SwitchID) (at []int) {
	for _, side := range sides {
		at = append(at, int(u)%side)
		u /= model.SwitchID(side)
	}
	return at
}

// moves describes a hop from u to w by a packet to v: its dimension, whether it corrects the coordinate, and the dimensions in which u and v differ.
func moves(sides []int, u, w, v model.SwitchID) (dim int, corrects bool, differ []int) {
	a, b, c := coordinates(sides, u), coordinates(sides, w), coordinates(sides, v)
	for d := range sides {
		if a[d] != b[d] {
			dim, corrects = d, b[d] == c[d]
		}
		if a[d] != c[d] {
			differ = append(differ, d)
		}
	}
	return dim, corrects, differ
}

func upTo(k int) (list []int) {
	for i := range k {
		list = append(list, i)
	}
	return list
}

func hyperXDOR(sides []int) hopRule {
	return func(n *model.Network, _ []model.ChannelID, _ []int, c model.ChannelID, v model.SwitchID) []int {
		if d, corrects, differ := moves(sides, n.Tail(c), n.Head(c), v); corrects && d == differ[0] {
			return upTo(n.VCs())
		}
		return nil
	}
}

func hyperXDAL(sides []int) hopRule {
	return func(n *model.Network, path []model.ChannelID, _ []int, c model.ChannelID, v model.SwitchID) (vcs []int) {
		d, corrects, differ := moves(sides, n.Tail(c), n.Head(c), v)
		derouted := false
		for _, e := range path {
			was, corrected, _ := moves(sides, n.Tail(e), n.Head(e), v)
			derouted = derouted || was == d && !corrected
		}
		if slices.Contains(differ, d) && (corrects || !derouted) {
			vcs = upTo(n.VCs() - 1)
		}
		if corrects && d == differ[0] {
			vcs = append(vcs, n.VCs()-1)
		}
		return vcs
	}
}

func hyperXDimWAR(sides []int) hopRule {
	return func(n *model.Network, path []model.ChannelID, _ []int, c model.ChannelID, v model.SwitchID) []int {
		d, corrects, differ := moves(sides, n.Tail(c), n.Head(c), v)
		switch {
		case d != differ[0]:
			return nil
		case corrects:
			return []int{1}
		}
		for _, e := range path {
			if was, _, _ := moves(sides, n.Tail(e), n.Head(e), v); was == d {
				return nil
			}
		}
		return []int{0}
	}
}

func hyperXOmniWAR(sides []int, misroutes int) hopRule {
	return func(n *model.Network, path []model.ChannelID, _ []int, c model.ChannelID, v model.SwitchID) []int {
		d, _, differ := moves(sides, n.Tail(c), n.Head(c), v)
		used := 0
		for _, e := range append(slices.Clone(path), c) {
			if _, corrects, _ := moves(sides, n.Tail(e), n.Head(e), v); !corrects {
				used++
			}
		}
		if !slices.Contains(differ, d) || used > misroutes {
			return nil
		}
		return []int{len(path)}
	}
}

// nearer reports whether channel c leads to a shorter distance to v.
func nearer(n *model.Network, c model.ChannelID, v model.SwitchID) bool {
	d := modeltest.Distances(n, v)
	return d[n.Head(c)] < d[n.Tail(c)]
}

func positiveHop(n *model.Network, path []model.ChannelID, _ []int, c model.ChannelID, v model.SwitchID) []int {
	if nearer(n, c, v) {
		return []int{len(path)}
	}
	return nil
}

func negativeHop(colours ...int) hopRule {
	return func(n *model.Network, path []model.ChannelID, _ []int, c model.ChannelID, v model.SwitchID) []int {
		if !nearer(n, c, v) {
			return nil
		}
		vc := 0
		for _, e := range path {
			if colours[n.Head(e)] < colours[n.Tail(e)] {
				vc++
			}
		}
		return []int{vc}
	}
}

// byIntermediate lists the paths of two shortest paths, by any switch, with a VC for each link.
func byIntermediate(n *model.Network, u, v model.SwitchID) (list [][]model.VCID) {
	shortest := walks(9, positiveHop)
	for w := range model.SwitchID(n.NumSwitches()) {
		for _, p := range shortest(n, u, w) {
			for _, q := range shortest(n, w, v) {
				var path []model.VCID
				for i, x := range append(slices.Clone(p), q...) {
					c, _ := n.Channel(x)
					if path = append(path, n.VC(c, i)); n.Head(c) == v {
						break
					}
				}
				list = append(list, path)
			}
		}
	}
	return list
}

// dimensionOrder is the path by an order of dimensions of a mesh, on each of some VCs.
func dimensionOrder(sides, order, vcs []int) definition {
	return walks(20, func(n *model.Network, _ []model.ChannelID, _ []int, c model.ChannelID, v model.SwitchID) []int {
		d, _, differ := moves(sides, n.Tail(c), n.Head(c), v)
		for _, e := range order {
			if slices.Contains(differ, e) {
				if d == e && nearer(n, c, v) {
					return vcs
				}
				return nil
			}
		}
		return nil
	})
}

func o1Turn(sides []int) definition {
	return func(n *model.Network, u, v model.SwitchID) [][]model.VCID {
		return append(dimensionOrder(sides, []int{0, 1}, []int{0})(n, u, v), dimensionOrder(sides, []int{1, 0}, []int{1})(n, u, v)...)
	}
}

func romm(sides []int) definition {
	return func(n *model.Network, u, v model.SwitchID) (list [][]model.VCID) {
		from, to := modeltest.Distances(n, u), modeltest.Distances(n, v)
		for w := range model.SwitchID(n.NumSwitches()) {
			if from[w]+to[w] != from[v] {
				continue // not in the box
			}
			for _, p := range dimensionOrder(sides, upTo(len(sides)), []int{0})(n, u, w) {
				for _, q := range dimensionOrder(sides, upTo(len(sides)), []int{1})(n, w, v) {
					list = append(list, append(slices.Clone(p), q...))
				}
			}
		}
		return list
	}
}

// planar is planar-adaptive routing. Chien and Kim: the increasing network of plane i has the VCs d(i,2)+ and d(i+1,0), the decreasing
// one d(i,2)- and d(i+1,1).
func planar(sides []int) hopRule {
	return func(n *model.Network, path []model.ChannelID, vcs []int, c model.ChannelID, v model.SwitchID) []int {
		d, _, differ := moves(sides, n.Tail(c), n.Head(c), v)
		plane := min(differ[0], len(sides)-2)
		switch {
		case !nearer(n, c, v) || d > plane+1:
			return nil
		case d == plane:
			return []int{2}
		case differ[0] == plane && coordinates(sides, n.Tail(c))[plane] > coordinates(sides, v)[plane]:
			return []int{1}
		case differ[0] == plane:
			return []int{0}
		case len(path) > 0: // the last dimension: the network of before
			if was, _, _ := moves(sides, n.Tail(path[len(path)-1]), n.Head(path[len(path)-1]), v); was == d {
				return []int{vcs[len(vcs)-1]}
			}
		}
		return []int{0}
	}
}

// legalTurns lists the minimal paths on a mesh without the prohibited turns, given as pairs of directions EWNS.
func legalTurns(sides []int, prohibited string) hopRule {
	name := func(n *model.Network, c model.ChannelID) byte {
		return map[model.SwitchID]byte{1: 'E', -1: 'W', model.SwitchID(sides[0]): 'N', model.SwitchID(-sides[0]): 'S'}[n.Head(c)-n.Tail(c)]
	}
	return func(n *model.Network, path []model.ChannelID, _ []int, c model.ChannelID, v model.SwitchID) []int {
		if !nearer(n, c, v) || len(path) > 0 && strings.Contains(prohibited, string([]byte{name(n, path[len(path)-1]), name(n, c)})) {
			return nil
		}
		return upTo(n.VCs())
	}
}

// modK is the path by the digits of a number on the tree of topo, in which switch i of level l has the index i mod w1*...*wl in its subtree.
func modK(down, up []int, hosts int, bySource bool) func(n *model.Network, s, d model.HostID) []model.VCID {
	return func(n *model.Network, s, d model.HostID) (path []model.VCID) {
		start, leaves := []int{0}, 1
		for _, m := range down {
			leaves *= m
		}
		count := leaves
		for l := range down {
			start = append(start, start[l]+count)
			count = count / down[l] * up[l]
		}
		number, width, size := int(d), 1, 1
		if bySource {
			number = int(s)
		}
		a, b, index := int(s)/hosts, int(d)/hosts, 0
		var climbed []model.SwitchID // the switches at which the packet climbs or turns, and above the destination
		at := model.SwitchID(a)
		go_ := func(to model.SwitchID) {
			for _, c := range n.Out(at) {
				if n.Head(c) == to {
					path = append(path, n.VC(c, 0))
				}
			}
			at = to
		}
		l := 0
		for ; a/size != b/size; l++ {
			digit := number / width % up[l]
			index = index*up[l] + digit
			width *= up[l]
			size *= down[l]
			climbed = append(climbed, model.SwitchID(start[l+1]+a/size*width+index))
		}
		for _, w := range climbed {
			go_(w)
		}
		for l--; l >= 0; l-- {
			index /= up[l]
			width /= up[l]
			size /= down[l]
			go_(model.SwitchID(start[l] + b/size*width + index))
		}
		return path
	}
}

// TestPathsByDefinition compares all paths of routings with their definitions, and proves each of them.
func TestPathsByDefinition(t *testing.T) {
	three, two := []int{3, 3}, []int{3, 2}
	cube := []int{3, 2, 2}
	for _, c := range []struct {
		name, spec string
		o          route.Options
		def        definition
	}{
		{"hyperx-dor", "hyperx:3x3,links=2x1", route.Options{}, walks(2, hyperXDOR(three))},
		{"hyperx-dor", "hyperx:3x2x2,vcs=2", route.Options{}, walks(3, hyperXDOR(cube))},
		{"hyperx-dal", "hyperx:3x3,vcs=2", route.Options{}, walks(4, hyperXDAL(three))},
		{"hyperx-dal", "hyperx:3x2,vcs=3,links=1x2", route.Options{}, walks(4, hyperXDAL(two))},
		{"hyperx-dimwar", "hyperx:3x3,vcs=2", route.Options{}, walks(4, hyperXDimWAR(three))},
		{"hyperx-dimwar", "hyperx:3x2x2,vcs=2", route.Options{}, walks(6, hyperXDimWAR(cube))},
		{"hyperx-omniwar", "hyperx:3x3,vcs=3", route.Options{}, walks(3, hyperXOmniWAR(three, 1))},
		{"hyperx-omniwar", "hyperx:3x3,vcs=4", route.Options{}, walks(4, hyperXOmniWAR(three, 2))},
		{"hyperx-omniwar", "hyperx:4,vcs=4", route.Options{Misroutes: 2}, walks(3, hyperXOmniWAR([]int{4}, 2))},
		{"positive-hop", "random:switches=9,degree=3-4,seed=3,vcs=6", route.Options{}, walks(9, positiveHop)},
		{"positive-hop", "torus:4x3,vcs=3,hosts=2", route.Options{}, walks(9, positiveHop)},
		{"negative-hop", "mesh:3x3,vcs=2", route.Options{}, walks(9, negativeHop(0, 1, 0, 1, 0, 1, 0, 1, 0))},
		{"negative-hop", "ring:5,vcs=2", route.Options{}, walks(9, negativeHop(0, 1, 0, 1, 2))},
		{"slimfly-minimal", "slimfly:3,vcs=2", route.Options{}, walks(2, positiveHop)},
		{"slimfly-valiant", "polarfly:2,vcs=4", route.Options{}, byIntermediate},
		{"slimfly-valiant", "slimfly:3,vcs=4", route.Options{}, byIntermediate},
		{"valiant", "ring:5,vcs=4", route.Options{}, byIntermediate},
		{"valiant", "random:switches=7,degree=2-3,seed=3,vcs=8", route.Options{}, byIntermediate},
		{"valiant", "mesh:3x3,vcs=8", route.Options{}, byIntermediate},
		{"o1turn", "mesh:4x3,vcs=2", route.Options{}, o1Turn([]int{4, 3})},
		{"romm", "mesh:4x3,vcs=2", route.Options{}, romm([]int{4, 3})},
		{"romm", "mesh:3x2x2,vcs=2", route.Options{}, romm(cube)},
		{"planar-adaptive", "mesh:4x3,vcs=3", route.Options{}, walks(9, planar([]int{4, 3}))},
		{"planar-adaptive", "mesh:3x2x2,vcs=3", route.Options{}, walks(9, planar(cube))},
		{"planar-adaptive", "mesh:2x3x3,vcs=3", route.Options{}, walks(9, planar([]int{2, 3, 3}))},
		{"lbdr", "mesh:4x4", route.Options{}, walks(9, legalTurns([]int{4, 4}, "NE NW SE SW"))},
		{"lbdr", "mesh:4x3,vcs=2", route.Options{Turns: "west-first"}, walks(9, legalTurns([]int{4, 3}, "NW SW"))},
		{"lbdr", "mesh:4x4", route.Options{Turns: "north-last"}, walks(9, legalTurns([]int{4, 4}, "NE NW"))},
		{"lbdr", "mesh:4x4", route.Options{Turns: "negative-first"}, walks(9, legalTurns([]int{4, 4}, "NW ES"))},
	} {
		n := parsed(t, c.spec)
		r := build(t, c.name, n, c.o)
		modeltest.Conformance(t, r)
		want := map[string]bool{}
		for s := range model.HostID(n.NumHosts()) {
			for d := range model.HostID(n.NumHosts()) {
				if s == d {
					continue
				}
				for _, p := range c.def(n, n.Host(s).Switch, n.Host(d).Switch) {
					want[fmt.Sprint(s, d, p)] = true
				}
			}
		}
		comparePaths(t, c.name+" on "+c.spec, r, want)
	}
}

// comparePaths compares the paths of a relation with a list and proves its three claims.
func comparePaths(t *testing.T, what string, r model.Relation, want map[string]bool) {
	t.Helper()
	paths, err := route.AllPaths(r, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, p := range paths {
		got[fmt.Sprint(p.Source, p.Dest, p.VCs)] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: %d paths, want %d", what, len(got), len(want))
	}
	if rep := check(t, r); rep.Verdict() != verify.Proved {
		t.Errorf("%s: %s", what, rep.Verdict())
	}
}

// TestModKPaths compares d-mod-k and s-mod-k with the digits of their numbers.
func TestModKPaths(t *testing.T) {
	for _, c := range []struct {
		spec     string
		down, up []int
		hosts    int
	}{
		{"fattree:k=4", []int{2, 4}, []int{2, 2}, 2},
		{"xgft:3x2,up=2x3,hosts=3", []int{3, 2}, []int{2, 3}, 3},
		{"xgft:2x3x2,up=2x1x3", []int{2, 3, 2}, []int{2, 1, 3}, 1},
		{"xgft:4,up=3,hosts=2", []int{4}, []int{3}, 2},
	} {
		n := parsed(t, c.spec)
		for _, name := range []string{"d-mod-k", "s-mod-k"} {
			r := build(t, name, n, route.Options{})
			modeltest.Conformance(t, r)
			want, def := map[string]bool{}, modK(c.down, c.up, c.hosts, name == "s-mod-k")
			for s := range model.HostID(n.NumHosts()) {
				for d := range model.HostID(n.NumHosts()) {
					if s != d {
						want[fmt.Sprint(s, d, def(n, s, d))] = true
					}
				}
			}
			comparePaths(t, name+" on "+c.spec, r, want)
		}
	}
}

// TestModKBalance: with d-mod-k a shift permutation of the hosts of a full fat tree uses no link twice (Zahavi 2010).
func TestModKBalance(t *testing.T) {
	n := parsed(t, "fattree:k=4")
	paths, err := route.AllPaths(build(t, "d-mod-k", n, route.Options{}), 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	for shift := 1; shift < n.NumHosts(); shift++ {
		used := map[model.VCID]bool{}
		for _, p := range paths {
			if (int(p.Source)+shift)%n.NumHosts() != int(p.Dest) {
				continue
			}
			for _, v := range p.VCs {
				if used[v] {
					t.Errorf("shift by %d: a link is used twice", shift)
				}
				used[v] = true
			}
		}
	}
}

// TestLBDROddEven: the paths are minimal paths of the odd-even turn model; LBDR looks one switch ahead, so it does not permit all of them.
func TestLBDROddEven(t *testing.T) {
	n := parsed(t, "mesh:5x4")
	r := build(t, "lbdr", n, route.Options{Turns: "odd-even"})
	modeltest.Conformance(t, r)
	if rep := check(t, r); rep.Verdict() != verify.Proved || rep.Acyclic.Verdict != verify.Proved {
		t.Errorf("lbdr by odd-even: %s", rep.Verdict())
	}
	paths, err := route.AllPaths(r, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		u, v := n.Host(p.Source).Switch, n.Host(p.Dest).Switch
		if len(p.VCs) != modeltest.Distances(n, u)[v] {
			t.Errorf("a path of %d links from %d to %d", len(p.VCs), u, v)
		}
		for i := 1; i < len(p.VCs); i++ {
			a, _ := n.Channel(p.VCs[i-1])
			b, _ := n.Channel(p.VCs[i])
			from, to := n.Head(a)-n.Tail(a), n.Head(b)-n.Tail(b)
			even := int(n.Tail(b))%5%2 == 0
			if even && from == 1 && to != 1 || !even && to == -1 && from != -1 {
				t.Errorf("turn %d>%d at switch %d", from, to, n.Tail(b))
			}
		}
	}
}
