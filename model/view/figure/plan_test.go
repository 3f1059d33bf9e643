package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// structuredSpecs are networks that are drawn by what is known of their structure.
var structuredSpecs = []string{
	"dragonfly:a=2,h=1", "dragonfly:a=4,h=2", "dragonfly-plus:leaves=3,spines=2,h=1", "hyperx:4x4", "hyperx:3x2x3,links=2", "slimfly:3", "slimfly:5",
	"hypercube:4", "hypercube:5", "torus:3x2x2x2", "butterfly:k=2,n=3", "ccc:3", "express:7x5,interval=3", "cmesh:4x4,express=true",
	"twisted-torus:6x3,twist=3", "chiplet:2x2,of=3x3", "chiplet:2x1,of=4x4,interposer=8x4", "dragonfly:a=4,h=1,fail=3+7",
}

func ofSpec(spec string) *model.Network {
	n, err := topo.Parse(spec)
	if err != nil {
		panic(err)
	}
	return n
}

// structured returns a drawing of each kind of structure.
func structured() (list []drawing) {
	for _, spec := range []string{"dragonfly:a=3,h=1", "dragonfly-plus:leaves=3,spines=2,h=1", "hyperx:4x4", "slimfly:3", "hypercube:4",
		"butterfly:k=2,n=3", "ccc:3", "express:7x5,interval=3", "chiplet:2x2,of=3x3"} {
		n := ofSpec(spec)
		family, _, _ := strings.Cut(spec, ":")
		list = append(list, drawing{"network-" + family, Network(n, OptionsFor(n, spec))})
	}
	return list
}

// TestPlans: known structures need no Graphviz, and no texts or switches overlap.
func TestPlans(t *testing.T) {
	for _, spec := range structuredSpecs {
		n := ofSpec(spec)
		for _, hosts := range []Hosts{HostsAuto, HostsCounted, HostsHidden} {
			o := OptionsFor(n, spec)
			o.Hosts = hosts
			g := Network(n, o)
			if !g.pinned() {
				t.Fatalf("%s is not placed by this package", spec)
			}
			if list := readPicture(t, render(t, g, "svg")).overlaps(); len(list) > 0 {
				t.Errorf("%s, hosts %d: %q", spec, hosts, list)
			}
		}
	}
}

// placesOf returns the position of each switch by its name.
func placesOf(t *testing.T, spec string) map[string]point {
	t.Helper()
	n := ofSpec(spec)
	place, at := planOf(n).position(), map[string]point{}
	if place == nil {
		t.Fatalf("%s has no positions", spec)
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		x, y, ok := place(u)
		if !ok {
			t.Fatalf("%s: %s has no position", spec, n.SwitchLabel(u))
		}
		at[n.SwitchLabel(u)] = point{x, y}
	}
	return at
}

// TestPlaces checks the positions by the names of the switches.
func TestPlaces(t *testing.T) {
	at := placesOf(t, "dragonfly:a=4,h=2") // around the ellipse, every group is in one piece
	var names []string
	for name := range at {
		names = append(names, name)
	}
	angle := func(name string) float64 { return math.Atan2(at[name].y, at[name].x/flattened) }
	slices.SortFunc(names, func(a, b string) int {
		if angle(a) < angle(b) {
			return -1
		}
		return 1
	})
	changes := 0
	for i, name := range names {
		if next := names[(i+1)%len(names)]; name[:2] != next[:2] {
			changes++
		}
	}
	if changes != 9 {
		t.Errorf("around the ellipse, the group changes %d times: %q", changes, names)
	}
	at = placesOf(t, "hyperx:4x3")
	if at["s0.2"].x != at["s0.0"].x || at["s3.1"].y != at["s0.1"].y || at["s1.0"].x <= at["s0.0"].x || at["s0.1"].y <= at["s0.0"].y {
		t.Errorf("HyperX: %v", at)
	}
	at = placesOf(t, "slimfly:5")
	for a, p := range at {
		for b, q := range at {
			if column := a[:4] == b[:4]; column != (p.x == q.x) || a[:2] == "s0" && b[:2] == "s1" && p.x >= q.x {
				t.Fatalf("%s at %v, %s at %v", a, p, b, q)
			}
		}
	}
	at = placesOf(t, "butterfly:k=2,n=3")
	if at["s0.3"].y != at["s2.3"].y || at["s0.0"].x != at["s0.3"].x || at["s1.0"].x <= at["s0.0"].x {
		t.Errorf("butterfly: %v", at)
	}
	at = placesOf(t, "chiplet:2x1,of=4x4,interposer=4x2") // the interposer is below the corners
	for below, corner := range map[string]string{"i0.0": "c0.0s0.0", "i1.0": "c0.0s3.0", "i2.1": "c1.0s0.3", "i3.1": "c1.0s3.3"} {
		if d := at[corner].sub(at[below]); math.Abs(d.x-beneath)+math.Abs(d.y-beneath) > 1e-9 {
			t.Errorf("%s is at %v from %s", corner, d, below)
		}
	}
}

// TestCubeLines: on hypercubes of 4 and 5 dimensions no link passes over another switch.
func TestCubeLines(t *testing.T) {
	for _, spec := range []string{"hypercube:4", "hypercube:5"} {
		n := ofSpec(spec)
		g := Network(n, OptionsFor(n, spec))
		for l := range model.LinkID(n.NumLinks()) {
			a, b := g.Nodes[n.Link(l).A], g.Nodes[n.Link(l).B]
			for u := range n.NumSwitches() {
				x, half := g.Nodes[u], g.Nodes[u].half()
				if x.Name == a.Name || x.Name == b.Name {
					continue
				}
				for k := range 200 {
					f := float64(k) / 200
					dx, dy := 72*(a.X+f*(b.X-a.X)-x.X), 72*(a.Y+f*(b.Y-a.Y)-x.Y)
					if math.Abs(dx) < half.x && math.Abs(dy) < half.y {
						t.Fatalf("%s: the link from %s to %s passes over %s", spec, a.Lines[0], b.Lines[0], x.Lines[0])
					}
				}
			}
		}
	}
}

// attributed returns a path of switches with the given attributes.
func attributed(t *testing.T, attributes map[string][]int32) *model.Network {
	t.Helper()
	b := model.NewBuilder()
	size := 0
	for _, values := range attributes {
		size = len(values)
	}
	for u := range size {
		b.AddSwitch(model.Switch{})
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: 3})
		if u > 0 {
			b.AddLink(model.SwitchID(u-1), 1, model.SwitchID(u), 2)
		}
	}
	for name, values := range attributes {
		b.SetAttribute(name, values)
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestGivenPlaces: coordinates from a file are positions, unless two switches share one or a value is missing.
func TestGivenPlaces(t *testing.T) {
	none, most := int32(model.NoAttribute), int32(math.MaxInt32)
	for _, c := range []struct {
		attributes map[string][]int32
		places     bool
	}{
		{map[string][]int32{"x": {0, 1, 5, 2}, "y": {0, 1, 0, 4}}, true},
		{map[string][]int32{"x": {0, 1, most, -most}, "y": {0, -most, 1, most}}, true},
		{map[string][]int32{"x": {0, 1, 1, 2}, "y": {0, 1, 1, 4}}, false},
		{map[string][]int32{"x": {0, 1, none, 2}, "y": {0, 1, 1, 4}}, false},
		{map[string][]int32{"x": {0, 1, 2, 3}}, false},
		{map[string][]int32{"group": {7, 7, -2, -2}}, true},
		{map[string][]int32{"group": {7, 7, 7, 7}}, false},
		{map[string][]int32{"group": {7, 7, -2, none}}, false},
		{map[string][]int32{"part": {0, 0, 1, 1}, "x": {0, 0, 0, 0}, "y": {0, 1, 0, 1}}, true},
		{map[string][]int32{"stage": {0, 0, 1, 1}, "row": {0, 1, 0, 1}}, true},
		{map[string][]int32{"cube": {0, -1, 1, most}, "position": {0, 1, 2, 3}}, false},
		{map[string][]int32{"chiplet": {0, 0, 1, none}, "x": {0, 1, 2, 0}, "y": {0, 0, 0, 0}}, true},
		{map[string][]int32{"chiplet": {none, none, none, none}, "x": {0, 1, 2, 3}, "y": {0, 0, 0, 0}}, true},
	} {
		n := attributed(t, c.attributes)
		if got := planOf(n).position() != nil; got != c.places {
			t.Errorf("%v: positions %v, want %v", c.attributes, got, c.places)
		}
		g := Network(n, OptionsFor(n, "given"))
		p := readPicture(t, render(t, g, "svg"))
		if list := p.overlaps(); len(list) > 0 || p.width > 150*72 {
			t.Errorf("%v: %q, %g points wide", c.attributes, list, p.width)
		}
	}
}
