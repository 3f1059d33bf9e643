package synth

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file goes through readings of tree, preorder and DA for 2d-turn-model,
// table 3: the 8x8 torus. The results are in docs/turn-methods-reference.md.

// published is table 3: prohibited turns a switch, their standard deviation, and
// prohibited pairs.
var published = map[string]counts{
	"lturn-alpha": {2.640, 1.789, 17}, "lturn-beta": {2.625, 2.012, 20},
	"rturn-alpha": {2.641, 1.789, 17}, "rturn-beta": {2.625, 2.012, 20},
}

type counts struct{ pt, sdpt, ppt float64 }

func countsOf(set *model.TurnSet) counts {
	p := Count(set)
	return counts{p.PT, p.SDPT, float64(p.PPT)}
}

// off sums up the relative differences.
func (c counts) off(want counts) float64 {
	return math.Abs(c.pt/want.pt-1) + math.Abs(c.sdpt/want.sdpt-1) + math.Abs(c.ppt/want.ppt-1)
}

// hits reports whether the numbers are those printed, rounded or cut off.
func (c counts) hits(want counts) bool {
	return math.Abs(c.pt-want.pt) < 0.001 && math.Abs(c.sdpt-want.sdpt) < 0.001 && c.ppt == want.ppt
}

// span is the range of a group of settings.
type span struct {
	settings  int
	cyclic    int
	low, high counts
	best      counts
	how       string
	hit       int
}

func (s *span) add(c, want counts, how func() string) {
	if s.settings == 0 {
		s.low, s.high = c, c
	}
	s.low = counts{min(s.low.pt, c.pt), min(s.low.sdpt, c.sdpt), min(s.low.ppt, c.ppt)}
	s.high = counts{max(s.high.pt, c.pt), max(s.high.sdpt, c.sdpt), max(s.high.ppt, c.ppt)}
	if s.settings == 0 || c.off(want) < s.best.off(want) {
		s.best, s.how = c, how()
	}
	if c.hits(want) {
		s.hit++
	}
	s.settings++
}

func (s *span) String() string {
	return fmt.Sprintf("%d settings, %d cyclic, %d hits: PT %.3f to %.3f, SDPT %.3f to %.3f, PPT %.0f to %.0f; nearest %.3f (%.3f) %.0f with %s", s.settings, s.cyclic, s.hit,
		s.low.pt, s.high.pt, s.low.sdpt, s.high.sdpt, s.low.ppt, s.high.ppt, s.best.pt, s.best.sdpt, s.best.ppt, s.how)
}

// treeOptions lists the ways to grow a tree on a torus whose ports and numbers
// differ in order: random orders with some seeds.
func treeOptions(seeds int) (list []hv.Options) {
	for _, neighbours := range hv.NeighbourOrders() {
		for _, parent := range hv.ParentRules() {
			for _, children := range hv.ChildOrders() {
				if neighbours == hv.ByDegree || parent == hv.LastSeen || parent != hv.FirstSeen && children != hv.ByFound && neighbours != hv.ByID {
					continue // on a torus as by ID; last parents give up*/down*; the parents do not depend on the scan then
				}
				o := hv.Options{Neighbours: neighbours, Parent: parent, Children: children}
				k := 1
				if neighbours == hv.ByRandom || children == hv.ByRandom {
					k = seeds
				}
				for seed := range k {
					o.Seed = uint64(seed)
					list = append(list, o)
				}
			}
		}
	}
	return list
}

func describeTree(o hv.Options) string {
	s := fmt.Sprintf("neighbours %s, parent %s, children %s", o.Neighbours, o.Parent, o.Children)
	if o.Neighbours == hv.ByRandom || o.Children == hv.ByRandom {
		s += fmt.Sprintf(", seed %d", o.Seed)
	}
	return s
}

// TestTable3 prints, for each method, what comes out over all roots and trees with
// the default DA; the same without DA, and after release; over all roots and
// readings of DA with some trees.
func TestTable3(t *testing.T) {
	n := parse(t, "torus:8x8")
	w := newWork(context.Background(), n, Options{})
	if _, err := w.traffic(); err != nil {
		t.Fatal(err)
	}
	// The torus looks the same from all switches, except for numbers and ports.
	seeds, roots := 1, []model.SwitchID{0, 27}
	if long() || table3Seeds() > 0 {
		seeds, roots = max(table3Seeds(), 3), nil
		for root := range model.SwitchID(64) {
			roots = append(roots, root)
		}
	}
	spans := map[string]*span{}
	var names []string
	add := func(name, method string, set *model.TurnSet, how func() string) {
		name = method + ", " + name
		s := spans[name]
		if s == nil {
			s = &span{}
			spans[name] = s
			names = append(names, name)
		}
		c := countsOf(set)
		if !isAcyclic(set) {
			s.cyclic++
		} else if c.pt < 2.5 {
			t.Errorf("%s, %s: %.3f turns a switch are enough, docs/turn-methods-reference.md says 2.500", name, how(), c.pt)
		}
		s.add(c, published[method], how)
	}
	released := func(set *model.TurnSet, both bool) *model.TurnSet {
		w.o.BothDirections = both
		more := set.Clone()
		if err := w.release(more); err != nil {
			t.Fatal(err)
		}
		return more
	}
	for _, m := range turnModels {
		for i, o := range treeOptions(seeds) {
			for _, root := range roots {
				g := graphOn(t, n, root, o)
				how := func() string { return fmt.Sprintf("root %d, %s", root, describeTree(o)) }
				set := reading{m, DAOptions{}}.leaves(g)
				if !isAcyclic(set) {
					t.Fatalf("%s, %s: a cycle", m, how())
				}
				add("default DA, all trees", m, set, how)
				add("released", m, released(set, false), how)
				add("released with reverses", m, released(set, true), how)
				add("no DA", m, reading{m, DAOptions{Off: true}}.leaves(g), how)
				if i%8 != 0 {
					continue
				}
				for _, marks := range MarkRules() {
					for _, stop := range []bool{false, true} {
						for _, starts := range StartOrders() {
							r := reading{m, DAOptions{Marks: marks, StopAtStart: stop, Starts: starts}}
							name := "marks " + marks
							if stop {
								name += ", stops at its start"
							}
							add(name, m, r.leaves(g), func() string { return how() + ", starts by " + starts })
						}
					}
				}
			}
		}
	}
	for _, name := range names {
		t.Log(name+":", spans[name])
		if !strings.Contains(name, "marks") && spans[name].cyclic > 0 {
			t.Errorf("%s: %d sets with cycles", name, spans[name].cyclic)
		}
	}
}

// table3Seeds is the number of seeds of random orders in TURNPROOF_TABLE3; the docs
// have the numbers for 20, which take some minutes.
func table3Seeds() int {
	k, _ := strconv.Atoi(os.Getenv("TURNPROOF_TABLE3"))
	return k
}

// TestTable3RandomTrees draws trees at random and counts how many give the
// printed numbers, by method and for several methods at once, with the default DA and
// after release.
func TestTable3RandomTrees(t *testing.T) {
	n := parse(t, "torus:8x8")
	w := newWork(context.Background(), n, Options{})
	trees := longtest.Cases(100, 5000)
	if k := table3Seeds(); k > 0 {
		trees = 2000 * k
	}
	for _, release := range []bool{false, true} {
		spans := map[string]*span{}
		several := [5]int{} // trees by how many rows they hit
		nearest, how := math.Inf(1), ""
		for seed := range trees {
			o := hv.Options{Neighbours: hv.ByRandom, Children: hv.ByRandom, Seed: uint64(seed)}
			if seed%2 != 0 {
				o.Children = hv.ByFound
			}
			g := graphOn(t, n, 0, o)
			hits, off, text := 0, 0.0, describeTree(g.Options)
			for _, m := range turnModels {
				if spans[m] == nil {
					spans[m] = &span{}
				}
				set := reading{m, DAOptions{}}.leaves(g)
				if release {
					if err := w.release(set); err != nil {
						t.Fatal(err)
					}
				}
				c := countsOf(set)
				spans[m].add(c, published[m], func() string { return fmt.Sprint("seed ", seed) })
				off += c.off(published[m])
				if c.hits(published[m]) {
					hits++
				}
				text += fmt.Sprintf("; %s %.3f (%.3f) %.0f", m, c.pt, c.sdpt, c.ppt)
			}
			several[hits]++
			if off < nearest {
				nearest, how = off, text
			}
		}
		for _, m := range turnModels {
			t.Logf("released %v, %s: %s", release, m, spans[m])
		}
		t.Logf("released %v, %d trees by how many of the four rows they hit: %v; nearest on the whole %s", release, trees, several, how)
	}
}

// TestTable3Hits checks the trees with which, after release, a row of table 3 is exact, for L-turn
// and R-turn.
func TestTable3Hits(t *testing.T) {
	n := parse(t, "torus:8x8")
	for _, c := range []struct {
		methods []string
		root    string
		tree    hv.Options
	}{
		{[]string{"lturn-alpha", "rturn-alpha"}, "9", hv.Options{Parent: hv.LowestID, Children: hv.ByRandom, Seed: 16}},
		{[]string{"lturn-beta", "rturn-beta"}, "40", hv.Options{Parent: hv.HighestID, Children: hv.ByRandom, Seed: 17}},
	} {
		for _, m := range c.methods {
			res, err := New(context.Background(), m, n, Options{Root: c.root, Tree: c.tree, Release: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := countsOf(res.Allowed); !got.hits(published[m]) {
				t.Errorf("%s: %.3f (%.3f) %.0f", m, got.pt, got.sdpt, got.ppt)
			}
		}
	}
}
