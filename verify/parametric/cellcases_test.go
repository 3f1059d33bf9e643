package parametric

import (
	"slices"
	"testing"
)

// TestCellCases has packets that go east, then west to destinations in one half of a row; in the other half west, then
// east. No condition on the place tells them apart, so the search takes cases of the destination.
func TestCellCases(t *testing.T) {
	f, err := newFamily(example(t, "link-fault-corrected.star"), 2)
	if err != nil {
		t.Fatal(err)
	}
	g := (&cells{system: &system{family: f, ctx: t.Context()}, nodes: []node{{dir: 0}, {dir: 1}},
		conditions: []atom{{form: f.here(0).add(-2)}, {form: f.there(0).add(-2)}}}).empty()
	g.sums = g.cellSums()
	var hops []dependency
	add := func(from, to, x, dest int) {
		step := 1 - 2*from
		d := dependency{from: node{dir: g.nodes[from].dir}, to: node{dir: g.nodes[to].dir},
			fromTail: f.point([]int{x, 0}, []int{dest, 0}, []int{8, 2}), toTail: f.point([]int{x + step, 0}, []int{dest, 0}, []int{8, 2})}
		g.add(d)
		hops = append(hops, d)
	}
	for x := 1; x < 6; x++ {
		for dest := range 6 {
			add(0, 0, x, dest)
			add(1, 1, x, dest)
			if dest >= 2 {
				add(0, 1, x, dest)
			} else {
				add(1, 0, x, dest)
			}
		}
	}
	if !g.refine() || g.cases == nil || g.cases.condition != 1 {
		t.Fatal(g.cases)
	}
	found := g.ranks()
	for _, d := range hops {
		if slices.Compare(found.at(d.from, d.fromTail), found.at(d.to, d.toTail)) >= 0 {
			t.Errorf("no rise from %v to %v", d.fromTail, d.toTail)
		}
	}
	g = g.empty() // a cycle without cases
	add(0, 1, 3, 3)
	add(1, 0, 3, 3)
	add(0, 1, 4, 3)
	if g.refine() {
		t.Error("a loop is ranked")
	}
}
