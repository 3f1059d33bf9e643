package route_test

import (
	"fmt"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// TestProved checks published claims: the three claims of the verdict and, for relations
// without adaptive VCs, an acyclic graph.
func TestProved(t *testing.T) {
	type net struct {
		vcs   int
		wrap  bool
		sides []int
	}
	var plane, rings []net
	for k := 2; k <= 6; k++ {
		plane = append(plane, net{1, false, []int{k, k}})
	}
	plane = append(plane, net{2, false, []int{5, 3}}, net{1, false, []int{1, 4}})
	for k := 3; k <= 8; k++ {
		rings = append(rings, net{2, true, []int{k, k}}, net{2, true, []int{k}}, net{4, true, []int{k}})
	}
	rings = append(rings, net{2, true, []int{2, 2}}, net{2, true, []int{4, 5}}, net{2, true, []int{3, 4, 2}})
	cube := []net{{1, false, []int{3, 3, 3}}}
	var hyper []net
	for d := 1; d <= 5; d++ {
		hyper = append(hyper, net{1, false, []int{2, 2, 2, 2, 2}[:d]})
	}
	for _, c := range []struct {
		name string
		o    route.Options
		nets []net
	}{
		{"west-first", route.Options{}, plane},
		{"north-last", route.Options{}, plane},
		{"negative-first", route.Options{}, append(cube, plane...)},
		{"odd-even", route.Options{}, plane},
		{"nf", route.Options{}, plane},
		{"dor", route.Options{}, append(append(cube, plane...), rings...)},
		{"dor", route.Options{Order: []int{1, 0}}, plane},
		{"dor", route.Options{BothWays: true}, rings},
		{"dor", route.Options{VCRule: route.RulePosition}, rings},
		{"dor", route.Options{VCRule: route.RuleEntry}, rings},
		{"dor", route.Options{VCRule: route.RuleBalanced, BothWays: true}, rings},
		{"dor", route.Options{}, []net{{1, true, []int{3, 3}}, {1, true, []int{2, 2}}}},
		{"dor-booksim", route.Options{}, append(cube, rings...)},
		{"nf+1", route.Options{}, []net{{2, true, []int{3, 8}}, {2, true, []int{7, 2}}, {5, true, []int{4, 5}}}},
		{"e-cube", route.Options{}, hyper},
		{"minimal", route.Options{}, []net{{1, true, []int{3}}, {2, true, []int{3}}, {1, false, []int{7}}}},
	} {
		for _, n := range c.nets {
			rep := check(t, build(t, c.name, grid(t, n.vcs, n.wrap, n.sides), c.o))
			if rep.Verdict() != verify.Proved || rep.Acyclic.Verdict != verify.Proved {
				t.Errorf("%s %+v on %+v: %s, acyclic %s: %s", c.name, c.o, n, rep.Verdict(), rep.Acyclic.Verdict, rep.Acyclic.Reason)
			}
		}
	}
}

// TestRefuted checks relations that deadlock: the largest size without a deadlock, the smallest
// size with one, and the shortest cycle there.
func TestRefuted(t *testing.T) {
	for _, c := range []struct {
		name  string
		o     route.Options
		vcs   int
		wrap  bool
		dims  int
		first int
		cycle int
	}{
		{"minimal", route.Options{}, 1, false, 2, 2, 4},
		{"minimal", route.Options{}, 1, true, 2, 2, 4},
		{"minimal", route.Options{}, 1, true, 1, 4, 4},
		{"dor", route.Options{}, 1, true, 2, 4, 4},
		{"dor", route.Options{}, 1, true, 1, 4, 4},
		{"dor", route.Options{VCRule: route.RulePlain}, 2, true, 2, 4, 4},
		{"nf", route.Options{}, 1, true, 2, 3, 12},
		{"nf", route.Options{}, 2, true, 2, 3, 12},
		{"duato", route.Options{EscapeVCs: 1}, 2, true, 2, 4, 4},
		{"duato", route.Options{EscapeVCs: 1}, 3, true, 1, 4, 4},
		{"duato-nonminimal", route.Options{EscapeVCs: 1}, 2, true, 2, 4, 4},
	} {
		sides := func(k int) []int { return []int{k, k}[:c.dims] }
		for k := max(2, c.first-1); k <= c.first+1; k++ {
			rep := check(t, build(t, c.name, grid(t, c.vcs, c.wrap, sides(k)), c.o))
			want := verify.Proved
			if k >= c.first {
				want = verify.Refuted
			}
			if rep.DeadlockFree.Verdict != want || rep.Connected.Verdict != verify.Proved || rep.LivelockFree.Verdict != verify.Proved {
				t.Errorf("%s %+v with %d VCs, side %d: deadlock-free %s, connected %s, livelock-free %s", c.name, c.o, c.vcs, k, rep.DeadlockFree.Verdict, rep.Connected.Verdict, rep.LivelockFree.Verdict)
			}
			if k == c.first && len(rep.Cycle) != c.cycle {
				t.Errorf("%s with %d VCs, side %d: shortest cycle %d, was %d", c.name, c.vcs, k, len(rep.Cycle), c.cycle)
			}
		}
	}
}

// TestDuato checks relations that are free of deadlock although their graph has a cycle.
func TestDuato(t *testing.T) {
	for _, c := range []struct {
		name string
		o    route.Options
		vcs  int
		wrap bool
		most int
	}{
		{"duato", route.Options{}, 2, false, 5},
		{"duato", route.Options{}, 3, true, 6},
		{"duato", route.Options{StayOnEscape: true}, 4, true, 5},
		{"duato", route.Options{Order: []int{1, 0}, EscapeVCs: 3}, 4, true, 4},
		{"duato-nonminimal", route.Options{}, 2, false, 4},
		{"duato-nonminimal", route.Options{}, 3, true, 4},
		{"duato-nonminimal", route.Options{Misroutes: 5, StayOnEscape: true}, 3, true, 3},
		// The halves of BookSim overlap in the middle VC of three: there is a cycle but no
		// deadlock.
		{"dor-booksim", route.Options{}, 3, true, 5},
	} {
		for k := 2; k <= c.most; k++ {
			rep := check(t, build(t, c.name, grid(t, c.vcs, c.wrap, square(k)), c.o))
			if rep.Verdict() != verify.Proved {
				t.Errorf("%s %+v with %d VCs, side %d: %s", c.name, c.o, c.vcs, k, rep.Verdict())
			}
			if cyclic := rep.Acyclic.Verdict == verify.Refuted; !cyclic && (k >= 4 || c.name != "dor-booksim") {
				t.Errorf("%s %+v with %d VCs, side %d: the graph is acyclic", c.name, c.o, c.vcs, k)
			}
		}
	}
}

// TestNFReadings checks for each reading of NF+1 the smallest torus that refutes it, and the
// shortest cycle there. 0 means no torus up to size 8 (16 in long mode).
func TestNFReadings(t *testing.T) {
	most := 8
	if os.Getenv("TURNPROOF_LONG") != "" {
		most = 16
	}
	for _, c := range []struct {
		text  string
		o     route.NFOptions
		first int
		cycle int
	}{
		{"default", route.NFOptions{}, 0, 0},
		{"wrap before y is done", route.NFOptions{WrapEarly: true}, 3, 6},
		{"wrap before y is done, y- on the half at hand", route.NFOptions{WrapEarly: true, DownKeeps: true}, 5, 5},
		{"y- on the half at hand", route.NFOptions{DownKeeps: true}, 0, 0},
		{"state 2 left out", route.NFOptions{WithoutState2: true}, 4, 4},
		{"state 3 left out", route.NFOptions{WithoutState3: true}, 4, 4},
		{"state 3 left out, y- on the half at hand", route.NFOptions{WithoutState3: true, DownKeeps: true}, 4, 4},
		{"state 4 left out", route.NFOptions{WithoutState4: true}, 4, 4},
		{"state 4 left out altogether", route.NFOptions{WithoutState4: true, WrapEarly: true}, 3, 6},
		{"X+ as in the prose", route.NFOptions{TestXPlus: true}, 5, 10},
		{"X+ as in the prose, y- on the half at hand", route.NFOptions{TestXPlus: true, DownKeeps: true}, 5, 5},
		{"figure 7 as printed", route.NFOptions{FigureAsPrinted: true}, 0, 0},
		{"right>up released", route.NFOptions{ReleaseRightUp: true}, 3, 4},
		{"left>up released", route.NFOptions{ReleaseLeftUp: true}, 0, 0},
		{"left>up released, y+ on the half at hand", route.NFOptions{ReleaseLeftUp: true, DownKeeps: true}, 0, 0},
		{"right>up and right>down kept, left>up released, state 3 left out", route.NFOptions{ReleaseLeftUp: true, WithoutState3: true}, 4, 4},
		{"right>down released", route.NFOptions{ReleaseRightDown: true}, 3, 12},
	} {
		top := most
		if c.first > 0 {
			top = min(most, c.first+1)
		}
		for k := 2; k <= top; k++ {
			rep := check(t, build(t, "nf+1", torus(t, 2, k, k), route.Options{NF: c.o}))
			want := verify.Proved
			if c.first > 0 && k >= c.first {
				want = verify.Refuted
			}
			if rep.DeadlockFree.Verdict != want || rep.Connected.Verdict != verify.Proved || rep.LivelockFree.Verdict != verify.Proved || rep.Acyclic.Verdict != want {
				t.Errorf("%s, side %d: deadlock-free %s, acyclic %s (cycle of %d), connected %s, livelock-free %s", c.text, k, rep.DeadlockFree.Verdict, rep.Acyclic.Verdict, len(rep.Cycle), rep.Connected.Verdict, rep.LivelockFree.Verdict)
			}
			if k == c.first && len(rep.Cycle) != c.cycle {
				t.Errorf("%s, side %d: shortest cycle %d, expected %d", c.text, k, len(rep.Cycle), c.cycle)
			}
		}
	}
}

// TestUpDownIsProved checks any connected network with any root.
func TestUpDownIsProved(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) {
		n := connected(d, 9)
		o := route.Options{}
		if rapid.Bool().Draw(d, "given") {
			root := model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(d, "root"))
			o.Root = &root
		}
		rep := check(t, build(t, "updown", n, o))
		if rep.Verdict() != verify.Proved || rep.Acyclic.Verdict != verify.Proved {
			d.Fatalf("%s, acyclic %s", rep.Verdict(), rep.Acyclic.Verdict)
		}
	})
}

// TestFailedLinks removes the link from (1,1) to (2,1) of a 4x4 mesh. Relations that search for
// paths still connect all pairs; dimension-order routing does not.
func TestFailedLinks(t *testing.T) {
	n := grid(t, 2, false, square(4), func(u model.SwitchID, d int) bool { return u != 5 || d != 0 })
	for name, want := range map[string]verify.Verdict{
		"minimal": verify.Proved, "updown": verify.Proved,
		"dor": verify.Refuted, "west-first": verify.Refuted, "duato": verify.Refuted,
	} {
		rep := check(t, build(t, name, n, route.Options{}))
		if rep.Connected.Verdict != want {
			t.Errorf("%s: connected %s, want %s", name, rep.Connected.Verdict, want)
		}
		if name != "minimal" && rep.DeadlockFree.Verdict != verify.Proved {
			t.Errorf("%s: deadlock-free %s", name, rep.DeadlockFree.Verdict)
		}
	}
	two := grid(t, 1, false, []int{4}, func(u model.SwitchID, _ int) bool { return u != 1 })
	rep := check(t, build(t, "updown", two, route.Options{}))
	if rep.Connected.Verdict != verify.Refuted || rep.Routes.Unreachable != 8 || rep.DeadlockFree.Verdict != verify.Proved {
		t.Errorf("up*/down* on two parts: connected %s, %d pairs of 8 not; deadlock-free %s", rep.Connected.Verdict, rep.Routes.Unreachable, rep.DeadlockFree.Verdict)
	}
}

// TestLayers checks x-first and y-first routing together: cyclic on one VC, acyclic in layers
// of one VC each.
func TestLayers(t *testing.T) {
	n := mesh(t, 1, 4, 4)
	xy, yx := build(t, "dor", n, route.Options{}), build(t, "dor", n, route.Options{Order: []int{1, 0}})
	both, err := route.PerLayer(xy, yx)
	if err != nil {
		t.Fatal(err)
	}
	rep := check(t, both)
	if rep.Verdict() != verify.Proved || rep.Acyclic.Verdict != verify.Proved || both.Network().VCs() != 2 || both.Classes() != 2 {
		t.Errorf("%s, acyclic %s, %d VCs, %d classes", rep.Verdict(), rep.Acyclic.Verdict, both.Network().VCs(), both.Classes())
	}
	if mixed, err := route.PerLayer(both, build(t, "west-first", n, route.Options{})); err != nil || !acyclic(mixed) || mixed.Network().VCs() != 3 {
		t.Errorf("layers of layers: %v", err)
	}
}

func Example() {
	b := model.NewBuilder()
	for range 4 {
		b.AddSwitch(model.Switch{})
	}
	for u := range model.SwitchID(4) {
		b.AddLink(u, 1, (u+1)%4, 2)
		b.AddHost(model.Host{Switch: u, Port: 3})
	}
	b.SetVCs(2)
	b.SetGrid(&model.Grid{Sides: []int{4}, Wrap: []bool{true}})
	ring, _ := b.Build()
	r, _ := route.New("dor", ring, route.Options{})
	s := model.InjectState(r, 3, 1, 0) // from switch 3 to 1, across the wraparound channel
	for range 3 {
		hop := r.Next(s, nil)[0]
		c, vc := ring.Channel(hop.VC)
		fmt.Println(ring.Kind(c), ring.Tail(c), ring.Head(c), "VC", vc)
		s.VC, s.Class = hop.VC, hop.Class
	}
	// Output:
	// between switches 3 0 VC 0
	// between switches 0 1 VC 1
	// ejection 1 -1 VC 0
}
