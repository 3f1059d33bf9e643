package hv_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/topo"
)

func givenOf(t *hv.Tree) *hv.Given {
	g := &hv.Given{Preorder: t.Preorder}
	for _, u := range t.Preorder {
		g.Parents = append(g.Parents, t.Parent(u))
	}
	return g
}

// TestGiven gives back trees of all options.
func TestGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom([]string{"torus:4x5", "mesh:3x3", "random:switches=12,degree=4,seed=3", "fattree:k=4,levels=2", "ring:2"}).Draw(t, "network")
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		o := hv.Options{Search: rapid.SampledFrom(hv.Searches()).Draw(t, "search"), Neighbours: rapid.SampledFrom(hv.NeighbourOrders()).Draw(t, "neighbours"),
			Children: rapid.SampledFrom(hv.ChildOrders()).Draw(t, "children"), Seed: rapid.Uint64().Draw(t, "seed")}
		want, err := hv.NewTree(n, model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(t, "root")), o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := hv.NewTree(n, 0, hv.Options{Search: o.Search, Given: givenOf(want)})
		if err != nil {
			t.Fatal(err)
		}
		if got.Root != want.Root || !slices.Equal(got.Preorder, want.Preorder) || !slices.Equal(got.Depth, want.Depth) || !slices.Equal(got.Spread, want.Spread) {
			t.Fatalf("%s %+v: got another tree", spec, o)
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			if got.Parent(u) != want.Parent(u) {
				t.Fatalf("%s %+v: switch %d has parent %d; want %d", spec, o, u, got.Parent(u), want.Parent(u))
			}
		}
	})
}

func TestGivenErrors(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	const none = model.NoSwitch
	for _, c := range []struct {
		search            string
		preorder, parents []model.SwitchID
		want              string
	}{
		{hv.BFS, []model.SwitchID{0, 1, 2, 3}, []model.SwitchID{none, 0, 1, 0}, ""},
		{hv.BFS, []model.SwitchID{0, 1, 2, 3}, []model.SwitchID{none, 0, 1, 2}, "want a tree of shortest paths"},
		{hv.DFS, []model.SwitchID{0, 1, 2, 3}, []model.SwitchID{none, 0, 1, 2}, ""},
		{hv.DFS, []model.SwitchID{0, 1, 2, 3}, []model.SwitchID{none, 0, 1, 0}, "want a depth-first tree"},
		{hv.BFS, []model.SwitchID{0, 1, 3, 2}, []model.SwitchID{none, 0, 0, 1}, "want preorder"},
		{hv.BFS, []model.SwitchID{0, 1, 2}, []model.SwitchID{none, 0, 1}, "has 3 switches; want all 4"},
		{hv.BFS, []model.SwitchID{0, 1, 1, 3}, []model.SwitchID{none, 0, 0, 0}, "is twice in the tree"},
		{hv.BFS, []model.SwitchID{0, 2, 1, 3}, []model.SwitchID{none, 0, 0, 0}, "which have no link"},
		{hv.BFS, []model.SwitchID{0, 1, 2, 3}, []model.SwitchID{none, none, 1, 0}, "want a parent"},
		{hv.BFS, []model.SwitchID{0, 1, 2, 3}, []model.SwitchID{1, 0, 1, 0}, "want a parent"},
		{hv.BFS, nil, nil, "has 0 switches"},
	} {
		_, err := hv.NewTree(n, 0, hv.Options{Search: c.search, Given: &hv.Given{Preorder: c.preorder, Parents: c.parents}})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v %v: got error %v, want %q", c.preorder, c.parents, err, c.want)
		}
	}
}
