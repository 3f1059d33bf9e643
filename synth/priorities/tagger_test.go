package priorities_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/priorities"
)

// This file reproduces what Tagger needs on Clos networks.

// clos returns a network of levels: sizes[i] switches at level i, in pods; hosts at level 0. Each switch has cables to all of the next level
// in its pod, and to all of the last level.
func clos(t *testing.T, pods int, sizes ...int) *model.Network {
	t.Helper()
	b := model.NewBuilder()
	ports := map[model.SwitchID]model.Port{}
	port := func(u model.SwitchID) model.Port { ports[u]++; return ports[u] }
	last := len(sizes) - 1
	var tops []model.SwitchID
	for i := range sizes[last] {
		tops = append(tops, b.AddSwitch(model.Switch{Name: fmt.Sprint("spine", i)}))
	}
	for pod := range pods {
		upper := tops
		for l := last - 1; l >= 0; l-- {
			var here []model.SwitchID
			for i := range sizes[l] {
				u := b.AddSwitch(model.Switch{Name: fmt.Sprint("p", pod, "l", l, "s", i)})
				here = append(here, u)
				for _, v := range upper {
					b.AddLink(u, port(u), v, port(v))
				}
				if l == 0 {
					b.AddHost(model.Host{Name: fmt.Sprint("h", pod, ".", i), Switch: u, Port: port(u)})
				}
			}
			upper = here
		}
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestTaggerClos finds the fewest priorities for Clos networks. Tagger needs a priority more than bounces (section 4.3 of the paper: a Clos
// network with k bounces needs k+1 tags, and none needs fewer), which it tried on 2 spines, 4 leaves and 4 ToR switches with one bounce.
func TestTaggerClos(t *testing.T) {
	for _, x := range []struct {
		name   string
		net    *model.Network
		most   int
		bounds int // that the search proves in a second or so
	}{
		{"the testbed of Tagger, no bounce", clos(t, 2, 2, 2, 2), 0, 1},
		{"the testbed of Tagger, one bounce", clos(t, 2, 2, 2, 2), 1, 2},
		{"leaves and spines, one bounce", clos(t, 1, 4, 2), 1, 2},
		{"leaves and 2 spines, two bounces: fewer than Tagger", clos(t, 1, 3, 2), 2, 2},
		{"leaves and 3 spines, two bounces", clos(t, 1, 3, 3), 2, 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			r, err := priorities.Bouncing(x.net, nil, x.most)
			if err != nil {
				t.Fatal(err)
			}
			f, err := priorities.Find(t.Context(), r, priorities.Options{Time: 20 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if paths := bouncing(x.net, x.most); hasCircle(paths, f) {
				t.Errorf("the rules leave a circle of buffers")
			}
			t.Logf("%d priorities, at least %d, %d rules (at least %d); Tagger: %d", f.Priorities, f.Bound, len(f.Rules), f.RuleBound, f.Bounces)
			if f.Bounces != x.most+1 || f.Priorities > x.most+1 || f.Bound < x.bounds {
				t.Errorf("Tagger needs %d priorities, ours %d, at least %d; want %d, up to that, and at least %d", f.Bounces, f.Priorities, f.Bound,
					x.most+1, x.bounds)
			}
		})
	}
}

// bouncing returns all paths up and down with at most most bounces, as lists of channels. Hosts are at level 0; names tell levels.
func bouncing(n *model.Network, most int) (list [][]model.ChannelID) {
	level := func(u model.SwitchID) int {
		var pod, l, i int
		if k, _ := fmt.Sscanf(n.SwitchName(u), "p%dl%ds%d", &pod, &l, &i); k == 3 {
			return l
		}
		return 9
	}
	var walk func(path []model.ChannelID, left int)
	walk = func(path []model.ChannelID, left int) {
		list = append(list, append([]model.ChannelID(nil), path...))
		in := path[len(path)-1]
		u := n.Head(in)
		for _, c := range n.Out(u) {
			if n.Kind(c) != model.SwitchToSwitch || n.Head(c) == n.Tail(in) {
				continue
			}
			isBounce := level(n.Tail(in)) > level(u) && level(n.Head(c)) > level(u)
			switch {
			case !isBounce:
				walk(append(path, c), left)
			case left > 0:
				walk(append(path, c), left-1)
			}
		}
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		if level(n.Tail(c)) == 0 {
			walk([]model.ChannelID{c}, most)
		}
	}
	return list
}

// hasCircle walks every path by the rules of a result and reports whether buffers wait for each other in a circle.
func hasCircle(paths [][]model.ChannelID, f *priorities.Found) bool {
	rule := map[[3]int]int{}
	for _, x := range f.Rules {
		in := int(x.In)
		if x.In == model.NoChannel {
			in = -1
		}
		rule[[3]int{in, int(x.Out), x.From}] = x.To
	}
	next := map[[2]int]map[[2]int]bool{}
	for _, path := range paths {
		in, p := -1, 0
		for _, c := range path {
			q, ok := rule[[3]int{in, int(c), p}]
			if !ok {
				q = p
			}
			if in >= 0 {
				if next[[2]int{in, p}] == nil {
					next[[2]int{in, p}] = map[[2]int]bool{}
				}
				next[[2]int{in, p}][[2]int{int(c), q}] = true
			}
			in, p = int(c), q
		}
	}
	return left(next)
}
