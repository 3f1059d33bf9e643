package published

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// counterparts are the built-in routings of the programs, with their numbers of VCs.
var counterparts = map[string]struct {
	routing string
	vcs     int
	options route.Options
	specs   func(most int) []string
}{
	"dor.mesh.star":            {"dor", 1, route.Options{}, grids("mesh:", 2, 1, 2, 3)},
	"vlan-dor.mesh.star":       {"vlan-dor", 1, route.Options{}, grids("mesh:", 2, 1, 2, 3)},
	"dor.torus.star":           {"dor", 2, route.Options{}, grids("torus:", 3, 1, 2, 3)},
	"dor-position.torus.star":  {"dor", 2, route.Options{VCRule: route.RulePosition}, grids("torus:", 3, 1, 2, 3)},
	"e-cube.hypercube.star":    {"e-cube", 1, route.Options{}, cubes},
	"west-first.mesh.star":     {"west-first", 1, route.Options{}, grids("mesh:", 2, 2)},
	"north-last.mesh.star":     {"north-last", 1, route.Options{}, grids("mesh:", 2, 2)},
	"negative-first.mesh.star": {"negative-first", 1, route.Options{}, grids("mesh:", 2, 1, 2, 3)},
	"odd-even.mesh.star":       {"odd-even", 1, route.Options{}, grids("mesh:", 2, 2)},
	"duato.mesh.star":          {"duato", 2, route.Options{}, grids("mesh:", 2, 1, 2, 3)},
	"duato.torus.star":         {"duato", 3, route.Options{}, grids("torus:", 3, 1, 2, 3)},
	"duato.hypercube.star":     {"duato", 2, route.Options{}, cubes},
	"p-cube.hypercube.star":    {"negative-first", 1, route.Options{}, cubes},
	"nf.torus.star":            {"nf", 2, route.Options{}, squares},
	"nf+1.torus.star":          {"nf+1", 2, route.Options{}, squares},
	"dor.hyperx.star":          {"hyperx-dor", 1, route.Options{}, lines},
	"dimwar.hyperx.star":       {"hyperx-dimwar", 2, route.Options{}, lines},
	"dal.hyperx.star":          {"hyperx-dal", 2, route.Options{}, planes},
}

// grids returns a function that lists sizes: squares up to a maximum, oblong grids, small cubes.
func grids(kind string, least int, dims ...int) func(int) []string {
	return func(most int) (list []string) {
		for _, k := range dims {
			for side := least; side <= most && (k < 3 || side <= least+2); side++ {
				list = append(list, kind+strings.Repeat(fmt.Sprintf("%dx", side), k-1)+fmt.Sprint(side))
			}
			if k == 2 {
				list = append(list, fmt.Sprintf("%s%dx%d", kind, least, least+3), fmt.Sprintf("%s%dx%d", kind, least+4, least+1))
			}
		}
		return list
	}
}

func squares(most int) []string {
	return slices.DeleteFunc(grids("torus:", 3, 2)(most), func(s string) bool {
		a, b, _ := strings.Cut(strings.TrimPrefix(s, "torus:"), "x")
		return a != b
	})
}

func cubes(most int) (list []string) {
	for d := 1; d <= min(most, 7); d++ {
		list = append(list, fmt.Sprintf("hypercube:%d", d))
	}
	return list
}

// planes returns HyperX networks of two dimensions, lines also those of one and three.
func planes(int) []string {
	return []string{"hyperx:2x2", "hyperx:3x2", "hyperx:2x3", "hyperx:4x3", "hyperx:3x4", "hyperx:5x2"}
}

func lines(most int) []string {
	return append(planes(most), "hyperx:2", "hyperx:5", "hyperx:3x2x2", "hyperx:2x3x4")
}

// TestCounterparts compares each program with its built-in routing, state by state.
func TestCounterparts(t *testing.T) {
	for _, f := range All() {
		t.Run(f.Path, func(t *testing.T) {
			c, ok := counterparts[f.Path]
			if !ok {
				t.Skip("no built-in counterpart")
			}
			p, err := program.Parse(f.Path, f.Text)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range c.specs(8) {
				n, err := topo.Parse(spec)
				if err != nil {
					t.Fatal(err)
				}
				got, notes, err := p.Relation(t.Context(), n)
				if err != nil || len(notes) > 0 {
					t.Fatalf("%s: %v %v", spec, err, notes)
				}
				want, err := route.New(c.routing, n.WithVCs(c.vcs), c.options)
				if err != nil {
					t.Fatal(err)
				}
				same(t, spec, got, want)
			}
		})
	}
}

// same compares two relations on all reachable states, including the order of hops, which --select
// ordered uses as preference. A program without header states has no classes to compare.
func same(t *testing.T, spec string, got, want model.Relation) {
	t.Helper()
	x, y := cdg.NewExplorer(got), cdg.NewExplorer(want)
	for d := range model.DestID(want.Destinations()) {
		a, b := stepsOf(got, x.Explore(d), got.Classes()), stepsOf(want, y.Explore(d), got.Classes())
		if len(a) != len(b) {
			t.Fatalf("%s: %d states to destination %d, %d were expected", spec, len(a), d, len(b))
		}
		for s, hops := range a {
			if !slices.Equal(hops, b[s]) {
				t.Fatalf("%s: state %v: %v, %v was expected", spec, s, hops, b[s])
			}
		}
	}
}

// stepsOf returns the hops of each state in order. If classes is 1, it removes classes. States
// that differ only in class are then one state, and must have the same hops.
func stepsOf(r model.Relation, s *cdg.Space, classes int) map[model.State][]model.Hop {
	steps := map[model.State][]model.Hop{}
	for _, at := range s.States {
		hops := r.Next(at, nil)
		if classes == 1 {
			at.Class = 0
			for i := range hops {
				hops[i].Class = 0
			}
		}
		if known, ok := steps[at]; ok && !slices.Equal(known, hops) {
			hops = append(slices.Clone(known), hops...) // differing hops are joined to a list that equals no other
		}
		steps[at] = hops
	}
	return steps
}
