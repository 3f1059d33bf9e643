package figure

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model"
)

var gallery = flag.String("gallery", "", "folder to write a picture of every test drawing to")

// drawing is a named figure of the tests.
type drawing struct {
	name string
	g    *Graph
}

// twoTrees returns two VLANs: a spanning tree of the first links, and one of the last links.
func twoTrees(n *model.Network) []VLAN {
	var list []VLAN
	for _, backwards := range []bool{false, true} {
		above := make([]model.SwitchID, n.NumSwitches())
		for u := range above {
			above[u] = model.SwitchID(u)
		}
		top := func(u model.SwitchID) model.SwitchID {
			for above[u] != u {
				u = above[u]
			}
			return u
		}
		v := VLAN{Heading: VLANHeading(2+len(list), len(list), backwards), Sends: func(u model.SwitchID) bool { return u%2 == 0 != backwards }}
		for l := range model.LinkID(n.NumLinks()) {
			if backwards {
				l = model.LinkID(n.NumLinks()) - 1 - l
			}
			if a, b := top(n.Link(l).A), top(n.Link(l).B); a != b {
				above[a] = b
				v.Links = append(v.Links, l)
			}
		}
		list = append(list, v)
	}
	return list
}

func small() []drawing {
	r4, m3, i16, ls := ring(4, 2, 2), grid(3, 3, false), irregular(16, 4, 4, 2), leafSpine(8, 4, 4)
	r4steps := aroundSteps(r4, 1, 0, 1, 2, 3)
	walk := aroundSteps(i16, 1, shortestWalk(i16, 1)...)
	lswalk := aroundSteps(ls, 0, 0, 8, 1, 9)
	t44 := grid(4, 4, true).WithVCs(2)
	r8, m4 := ring(8, 1, 1), grid(4, 4, false)
	ft := fatTree(4)
	return append(slices.Concat(turnModel(), structured()), []drawing{
		{"vlans-mesh3x3", VLANs(m3, twoTrees(m3), Options{Title: "VLANs", Position: gridPosition(3)})},
		{"vlans-irregular16", VLANs(i16, twoTrees(i16), Options{Title: "VLANs"})},
		{"paths-lost", Paths(m3, 0, 8, lostPaths(m3), Options{Title: "Paths that do not arrive", Position: gridPosition(3)})},
		{"paths-lost-leafspine", Paths(ls, 0, 31, []Path{{VCs: route(ls, 0, 0, 8)}, arriving(ls, 5, route(ls, 0, 0, 9, 1)),
			{End: "no service level"}}, Options{Title: "Lost in a tree"})},
		{"cycle-two", CycleOnNetwork(m3, aroundSteps(m3, 0, 0, 1), Options{Title: "Cycle of two", Position: gridPosition(3)})},
		{"cycle-ring8", CycleOnNetwork(r8, aroundSteps(r8, 0, 0, 1, 2, 3, 4, 5, 6, 7), Options{Title: "Cycle of eight"})},
		{"cdg-mesh-xy", Dependencies(m3, xyTurns(m3, 3), nil, Options{Title: "x before y on a 3×3 mesh"})},
		{"cdg-mesh-xy-part", Dependencies(grid(5, 5, false), xyTurns(grid(5, 5, false), 5), nil, Options{Title: "x before y on a 5×5 mesh", MaxVertices: 20})},
		{"configuration-mesh3x3", Configuration(m3, knot(m3), Options{Title: "Deadlock of an adaptive routing", Position: gridPosition(3)})},
		{"configuration-worms", Configuration(m4, worms(m4), Options{Title: "Deadlock of worms", Position: gridPosition(4)})},
		{"configuration-torus4x4", Configuration(t44, knotVCs(t44), Options{Title: "Knot of two VCs", Position: gridPosition(4)})},
		{"ranks-torus4x4", Ranks(t44, counted(t44, func(v int) bool { return true }), Options{Title: "Channel numbers, 4×4 torus",
			Position: gridPosition(4), Hosts: HostsHidden})},
		{"ranks-escape", Ranks(t44, counted(t44, func(v int) bool { return v%2 == 0 }), Options{Title: "Numbers of the escape channels", Position: gridPosition(4)})},
		{"ranks-fattree4", Ranks(ft, counted(ft, func(v int) bool { return true }), Options{Title: "Channel numbers, fat tree"})},
		{"network-joined", Network(joinedTrees(), Options{Title: "Two trees, joined by four links"})},
		{"network-torus4x4", Network(grid(4, 4, true), Options{Title: "4×4 torus", Position: gridPosition(4), Hosts: HostsCounted})},
		{"network-ring4", Network(r4, Options{Title: "Ring of 4"})},
		{"network-mesh3x3", Network(m3, Options{Title: "3×3 mesh"})},
		{"network-mesh3x3-pinned", Network(m3, Options{Title: "3×3 mesh, placed", Position: gridPosition(3)})},
		{"network-irregular16", Network(i16, Options{Title: "Irregular network"})},
		{"network-leafspine", Network(ls, Options{Title: "8 leaves, 4 spines"})},
		{"network-parallel", Network(parallel(), Options{Title: "Parallel cables"})},
		{"cycle-ring4", CycleOnNetwork(r4, r4steps, Options{Title: "Dependency cycle on a ring of 4"})},
		{"cycle-mesh3x3-pinned", CycleOnNetwork(m3, aroundSteps(m3, 0, 0, 1, 4, 3), Options{Title: "Cycle on a mesh", Position: gridPosition(3)})},
		{"cycle-irregular16", CycleOnNetwork(i16, walk, Options{Title: "Dependency cycle", VC: "VL"})},
		{"cycle-leafspine", CycleOnNetwork(ls, lswalk, Options{Title: "Dependency cycle in a tree"})},
		{"cdg-ring4", Dependencies(r4, allTurns(r4), vcsOf(r4steps), Options{Title: "Channel dependency graph, ring of 4"})},
		{"cdg-ring4-all", Dependencies(r4, allTurns(r4), nil, Options{Title: "Channel dependency graph without a cycle marked"})},
		{"cdg-irregular16", Dependencies(i16, allTurns(i16), vcsOf(walk), Options{Title: "Channel dependency graph, part"})},
		{"paths-mesh3x3", Paths(m3, 0, 8, meshPaths(m3), Options{Title: "Minimal paths", Position: gridPosition(3)})},
		{"paths-mesh3x3-free", Paths(m3, 0, 8, meshPaths(m3), Options{Title: "Minimal paths"})},
		{"paths-leafspine", Paths(ls, 0, 31, []Path{arriving(ls, 31, route(ls, 0, 0, 8, 7)), arriving(ls, 31, route(ls, 0, 0, 9, 7)), arriving(ls,
			31, route(ls, 0, 0, 10, 7)), arriving(ls, 31, route(ls, 0, 0, 11, 7))},
			Options{Title: "Paths through each spine"})},
	}...)
}

// large returns drawings that take longer.
func large() []drawing {
	t8, ft, i64 := grid(8, 8, true), fatTree(8), irregular(64, 5, 2, 3)
	return []drawing{
		{"network-torus8x8", Network(t8, Options{Title: "8×8 torus"})},
		{"network-torus8x8-pinned", Network(t8, Options{Title: "8×8 torus, placed", Position: gridPosition(8)})},
		{"cycle-torus8x8", CycleOnNetwork(t8, aroundSteps(t8, 1, 0, 1, 2, 3, 4, 5, 6, 7), Options{Title: "Cycle around a row", Position: gridPosition(8)})},
		{"network-fattree8", Network(ft, Options{Title: "Fat tree, k=8"})},
		{"paths-fattree8", Paths(ft, 0, 127, []Path{arriving(ft, 127, route(ft, 0, 0, 32, 64, 60, 31)), arriving(ft, 127, route(ft, 0, 0, 33, 68,
			61, 31))}, Options{Title: "Two paths"})},
		{"network-irregular64", Network(i64, Options{Title: "Irregular, 64 switches"})},
		{"cycle-irregular64", CycleOnNetwork(i64, aroundSteps(i64, 1, shortestWalk(i64, 5)...), Options{Title: "Cycle, 64 switches"})},
		{"cycle-irregular200", CycleOnNetwork(irregular(200, 5, 2, 3), aroundSteps(irregular(200, 5, 2, 3), 1, shortestWalk(irregular(200, 5, 2,
			3), 5)...), Options{Title: "Cycle, 200 switches"})},
	}
}

func parallel() *model.Network {
	w := wire(3)
	for range 2 {
		w.link(0, 1)
	}
	for range 5 {
		w.link(1, 2)
	}
	w.link(0, 2)
	return w.build(1, 3, 1)
}

// lostPaths returns a path that arrives, and others that are dropped, end at a wrong host, loop,
// and are never sent.
func lostPaths(n *model.Network) []Path {
	round := append(route(n, 0, 0, 3, 4, 1), vcAt(n, 1, 0), vcAt(n, 0, 3))
	return []Path{arriving(n, 8, route(n, 0, 0, 1, 2, 5, 8)), {VCs: route(n, 0, 0, 1, 4, 7)}, arriving(n, 5, route(n, 0, 0, 1, 4, 5)),
		{VCs: round}, {End: "no service level"}}
}

// xyTurns returns the turns of x-before-y routing on a mesh of the given width.
func xyTurns(n *model.Network, wide int) []model.Turn {
	alongX := func(v model.VCID) bool {
		c, _ := n.Channel(v)
		return int(n.Tail(c))/wide == int(n.Head(c))/wide
	}
	var list []model.Turn
	for _, t := range allTurns(n) {
		a, _ := n.Channel(t.In)
		b, _ := n.Channel(t.Out)
		straight := 2*int(n.Head(a)) == int(n.Tail(a))+int(n.Head(b))
		if alongX(t.In) && !alongX(t.Out) || alongX(t.In) == alongX(t.Out) && straight {
			list = append(list, t)
		}
	}
	return list
}

// knot returns four packets around the lower left square of a 3×3 mesh, and two that block the
// alternative paths.
func knot(n *model.Network) []Worm {
	packet := func(source, destination model.HostID, hold []int, waits ...int) Worm {
		w := Worm{Source: source, Destination: destination}
		for i := range hold[1:] {
			w.Holds = append(w.Holds, vcAt(n, hold[i], hold[i+1]))
		}
		for _, next := range waits {
			w.Waits = append(w.Waits, vcAt(n, hold[len(hold)-1], next))
		}
		return w
	}
	return []Worm{
		packet(0, 7, []int{0, 1}, 4, 2), packet(1, 3, []int{1, 4}, 3), packet(4, 0, []int{4, 3}, 0), packet(3, 1, []int{3, 0}, 1),
		packet(1, 8, []int{1, 2}, 5), packet(2, 4, []int{2, 5}, 4), packet(5, 0, []int{5, 4}, 3, 1),
	}
}

// worms returns four packets that hold two or three channels each around a mesh of 4x4 and wait for each other.
func worms(n *model.Network) (list []Worm) {
	around := []int{0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4}
	for i := range 4 {
		at := func(k int) int { return around[(3*i+k)%len(around)] }
		w := Worm{Source: model.HostID(at(0)), Destination: model.HostID(at(5)), Waits: []model.VCID{vcAt(n, at(3), at(4))}}
		w.Holds = []model.VCID{n.VC(n.InjectChannel(w.Source), 0)}
		for k := range 3 {
			w.Holds = append(w.Holds, vcAt(n, at(k), at(k+1)))
		}
		list = append(list, w)
	}
	return list
}

// knotVCs returns packets that hold both VCs of each channel of a row of a torus.
func knotVCs(n *model.Network) []Worm {
	var list []Worm
	for u := range 4 {
		for i := range model.VCID(2) {
			next := vcAt(n, (u+1)%4, (u+2)%4)
			list = append(list, Worm{Holds: []model.VCID{vcAt(n, u, (u+1)%4) + i}, Source: model.HostID(u), Destination: model.HostID((u + 2) % 4),
				Waits: []model.VCID{next, next + 1}})
		}
	}
	return list
}

func counted(n *model.Network, has func(int) bool) []int32 {
	ranks := make([]int32, n.NumLinkVCs())
	next := int32(0)
	for v := range ranks {
		if ranks[v] = -1; has(v) {
			ranks[v] = next
			next++
		}
	}
	return ranks
}

// joinedTrees returns two leaf-spine networks with a link between each pair of spines.
func joinedTrees() *model.Network {
	w := wire(24)
	for t := range 2 {
		for l := range 8 {
			for s := range 4 {
				w.link(8*t+l, 16+4*t+s)
			}
		}
	}
	for s := range 4 {
		w.link(16+s, 20+s)
	}
	return w.build(2, 16, 1)
}

func meshPaths(n *model.Network) []Path {
	var list []Path
	for _, via := range [][3]int{{1, 2, 5}, {1, 4, 5}, {1, 4, 7}, {3, 4, 5}, {3, 4, 7}, {3, 6, 7}} {
		list = append(list, arriving(n, 8, route(n, 0, 0, via[0], via[1], via[2], 8)))
	}
	return list
}

// TestGallery writes every drawing as PNG and SVG, for inspection:
//
//	go test ./model/view/figure -run Gallery -gallery /tmp/figures
func TestGallery(t *testing.T) {
	if *gallery == "" {
		t.Skip("no -gallery")
	}
	if err := os.MkdirAll(*gallery, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, d := range slices.Concat(small(), large(), turnModelLarge()) {
		for _, format := range Formats() {
			start := time.Now()
			out, err := Render(context.Background(), d.g, format)
			if err != nil {
				t.Errorf("%s: %v", d.name, err)
				continue
			}
			t.Logf("%s.%s %v", d.name, format, time.Since(start).Round(time.Millisecond))
			if err := os.WriteFile(filepath.Join(*gallery, d.name+"."+format), out, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
