package route_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// grid returns a mesh, or a torus if wrap is set, by the port convention of model.Grid with one
// host per switch. If keep is given, it selects the links by switch and dimension.
func grid(t testing.TB, vcs int, wrap bool, sides []int, keep ...func(u model.SwitchID, d int) bool) *model.Network {
	t.Helper()
	b := model.NewBuilder()
	g := &model.Grid{Sides: sides, Wrap: make([]bool, len(sides))}
	n := 1
	for d, side := range sides {
		g.Wrap[d] = wrap
		n *= side
	}
	for range n {
		b.AddSwitch(model.Switch{})
	}
	for u := range model.SwitchID(n) {
		for d, side := range sides {
			at := g.Coords(u, nil)
			if at[d]++; at[d] == side {
				if at[d] = 0; !wrap || side == 1 {
					continue
				}
			}
			if len(keep) == 0 || keep[0](u, d) {
				b.AddLink(u, model.PlusPort(d), g.At(at), model.MinusPort(d))
			}
		}
		b.AddHost(model.Host{Switch: u, Port: model.Port(2*len(sides) + 1)})
	}
	b.SetVCs(vcs)
	b.SetGrid(g)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func mesh(t testing.TB, vcs int, sides ...int) *model.Network { return grid(t, vcs, false, sides) }

func torus(t testing.TB, vcs int, sides ...int) *model.Network { return grid(t, vcs, true, sides) }

// square returns two sides of k.
func square(k int) []int { return []int{k, k} }

// connected draws a connected network with parallel links and one or two hosts per switch.
func connected(t *rapid.T, most int) *model.Network {
	n := rapid.IntRange(1, most).Draw(t, "switches")
	b := model.NewBuilder()
	port := make([]model.Port, n)
	next := func(u int) model.Port { port[u]++; return port[u] }
	for u := range n {
		b.AddSwitch(model.Switch{})
		if u > 0 {
			v := rapid.IntRange(0, u-1).Draw(t, "parent")
			b.AddLink(model.SwitchID(u), next(u), model.SwitchID(v), next(v))
		}
	}
	if n > 1 {
		for range rapid.IntRange(0, 2*n).Draw(t, "more") {
			u := rapid.IntRange(0, n-1).Draw(t, "u")
			v := (u + rapid.IntRange(1, n-1).Draw(t, "v")) % n
			b.AddLink(model.SwitchID(u), next(u), model.SwitchID(v), next(v))
		}
	}
	for u := range n {
		for range rapid.IntRange(1, 2).Draw(t, "hosts") {
			b.AddHost(model.Host{Switch: model.SwitchID(u), Port: next(u)})
		}
	}
	b.SetVCs(rapid.IntRange(1, 2).Draw(t, "vcs"))
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func build(t testing.TB, name string, n *model.Network, o route.Options) model.Relation {
	t.Helper()
	r, err := route.New(name, n, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func check(t testing.TB, r model.Relation) *verify.Report {
	t.Helper()
	rep, err := verify.Check(context.Background(), r, verify.Options{NoPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// acyclic checks only the dependency graph, which is cheaper than a full verdict.
func acyclic(r model.Relation) bool {
	g, err := cdg.Build(context.Background(), r)
	if err != nil {
		panic(err)
	}
	_, ok := g.Numbering()
	return ok
}
