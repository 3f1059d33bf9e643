package topo_test

import (
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestAttributes compares attributes with the names of the switches, and counts their values.
func TestAttributes(t *testing.T) {
	for _, c := range []struct {
		spec, name string
		attributes []string
	}{
		{"dragonfly:a=3,h=2", "g%ds", []string{"group"}},
		{"dragonfly:a=3,h=2,fail=0-1", "g%ds", []string{"group"}},
		{"dragonfly-plus:leaves=2,spines=2,h=2", "g%d", []string{"group"}},
		{"hyperx:3x4x2", "s%d.%d.%d", []string{"x", "y", "z"}},
		{"slimfly:5", "s%d.%d.%d", []string{"part", "x", "y"}},
		{"twisted-torus:8x4,twist=4", "s%d.%d", []string{"x", "y"}},
		{"butterfly:k=2,n=3", "s%d.%d", []string{"stage", "row"}},
		{"ccc:3", "s%d.%d", []string{"cube", "position"}},
		{"express:6x5,interval=3", "s%d.%d", []string{"x", "y"}},
		{"hexgrid:4x3", "s%d.%d", []string{"x", "y"}},
		{"brickwall:4x3", "s%d.%d", []string{"x", "y"}},
	} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Error(c.spec, err)
			continue
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			want, into := make([]int32, len(c.attributes)), []any{}
			for i := range want {
				into = append(into, &want[i])
			}
			if _, err := fmt.Sscanf(n.SwitchLabel(u), c.name, into...); err != nil {
				t.Fatalf("%s: %s: %v", c.spec, n.SwitchLabel(u), err)
			}
			for i, a := range c.attributes {
				if values := n.Attribute(a); values == nil || values[u] != want[i] {
					t.Fatalf("%s: %s has %s %v", c.spec, n.SwitchLabel(u), a, values)
				}
			}
		}
	}
	for spec, want := range map[string][]int{"fattree:k=4,levels=3": {8, 8, 4}, "dragonfly-plus:leaves=2,spines=3,h=1": nil} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Error(spec, err)
			continue
		}
		count := map[int32]int{}
		for _, l := range n.Attribute("level") {
			count[l]++
		}
		for l, k := range want {
			if count[int32(l)] != k {
				t.Errorf("%s: %v switches by level, want %v", spec, count, want)
			}
		}
	}
	n, err := topo.Parse("chiplet:2x1,of=3x3,interposer=2x2")
	if err != nil {
		t.Fatal(err)
	}
	none := 0
	for u, c := range n.Attribute("chiplet") {
		var chiplet, at [2]int32 // by the name, such as c1.0s2.0 or i0.1
		name, form := n.SwitchLabel(model.SwitchID(u)), "c%d.%ds%d.%d"
		into := []any{&chiplet[0], &chiplet[1], &at[0], &at[1]}
		if c == model.NoAttribute {
			none++
			form, into = "i%d.%d", into[2:]
		}
		if _, err := fmt.Sscanf(name, form, into...); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		x, y := n.Attribute("x")[u], n.Attribute("y")[u]
		if c != model.NoAttribute && c != chiplet[0] || x != 3*chiplet[0]+at[0] || y != at[1] {
			t.Errorf("%s: chiplet %d at %d,%d", name, c, x, y)
		}
	}
	if none == 0 || none == n.NumSwitches() {
		t.Errorf("%d of %d switches in no chiplet", none, n.NumSwitches())
	}
}

// TestLeavesBelow compares the attributes low and high of fat trees with a search down the links.
func TestLeavesBelow(t *testing.T) {
	for _, spec := range []string{"fattree:k=4,levels=3", "fattree:k=6,levels=2", "xgft:3x2,up=1x3", "xgft:2x3x2,up=1x2x2", "xgft:4x2x3,up=2x1x2",
		"fattree-pair:k=4,join=middle,links=4"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(spec, err)
		}
		level := n.Attribute("level")
		leaf := map[model.SwitchID]int32{}
		for u := range model.SwitchID(n.NumSwitches()) {
			if level[u] == 0 {
				leaf[u] = int32(len(leaf))
			}
		}
		var below func(u model.SwitchID, found map[int32]bool)
		below = func(u model.SwitchID, found map[int32]bool) {
			if level[u] == 0 {
				found[leaf[u]] = true
			}
			for _, c := range n.Out(u) {
				if n.Kind(c) == model.SwitchToSwitch && level[n.Head(c)] == level[u]-1 {
					below(n.Head(c), found)
				}
			}
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			found := map[int32]bool{}
			below(u, found)
			low, high := n.Attribute("low")[u], n.Attribute("high")[u]
			if !found[low] || !found[high] || len(found) != int(high-low+1) {
				t.Errorf("%s: %s has leaves %d to %d below, found %v", spec, n.SwitchLabel(u), low, high, found)
			}
		}
	}
}

// TestLatency checks that the key latency sets the channels between switches, and no others.
func TestLatency(t *testing.T) {
	for _, f := range topo.Families() {
		n, err := topo.Parse(f.Example + ",latency=7")
		if err != nil {
			t.Error(err)
			continue
		}
		list := n.ChannelAttributes()
		for c := range model.ChannelID(n.NumChannels()) {
			want := model.ChannelAttributes{}
			if n.Kind(c) == model.SwitchToSwitch {
				want.Latency = 7
			}
			if list[c] != want {
				t.Fatalf("%s: channel %s has %+v, want %+v", f.Example, n.ChannelLabel(c), list[c], want)
			}
		}
	}
	if n, err := topo.Parse("mesh:3x3"); err != nil || n.ChannelAttributes() != nil {
		t.Errorf("without the key: %v, %v", n.ChannelAttributes(), err)
	}
}
