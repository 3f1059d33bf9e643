package classics

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/synth/enumerate"
	"github.com/turnproof/turnproof/synth/sat"
)

func glassNi() paper.Paper {
	p := paper.Paper{Name: "glass-ni-1992", Title: "The turn model for adaptive routing",
		Source: "C. J. Glass and L. M. Ni, International Symposium on Computer Architecture, 1992"}
	for i, x := range []struct{ routing, title string }{{"west-first", "West-first"}, {"north-last", "North-last"}, {"negative-first", "Negative-first"}} {
		p.Items = append(p.Items, paper.Item{Name: fmt.Sprintf("glass-ni-1992/figure-%c", 'a'+rune(i)), About: "The turns of " + x.title,
			Drawing: []string{fmt.Sprintf(`draw classes mesh:2 -r %s --title "%s"`, x.routing, x.title)}})
	}
	p.Items = append(p.Items,
		paper.Item{Name: "glass-ni-1992/turn-pairs", About: "Two prohibited turns, one of each cycle of the plane, on every 2-D mesh", Compute: turnPairs,
			Evidence: paper.Proof, Claims: []paper.Claim{
				{Name: "glass-ni-1992/twelve-of-sixteen", Statement: "Of the 16 ways to prohibit one turn of each cycle 12 prevent deadlock", Published: "12",
					Judge: paper.Needs([][2]string{{"2-D mesh", "choices"}, {"2-D mesh", "deadlock-free"}}, func(v []float64) paper.Finding {
						return paper.Decide(v[0] == 16 && v[1] == 12, fmt.Sprintf("%g of %g", v[1], v[0]))
					})},
				{Name: "glass-ni-1992/three-unique", Statement: "Three of them are unique up to symmetry", Published: "3",
					Judge: paper.Needs([][2]string{{"2-D mesh", "classes"}}, func(v []float64) paper.Finding {
						return paper.Decide(v[0] == 3,
							fmt.Sprint(v[0]))
					})},
			}},
		paper.Item{Name: "glass-ni-1992/quarter", About: "The fewest prohibited turns that prevent deadlock on every mesh", Compute: fewestTurns,
			Evidence: paper.Check, Claims: []paper.Claim{{Name: "glass-ni-1992/quarter-of-turns",
				Statement: "A quarter of the turns must and need be prohibited in meshes of n dimensions",
				Published: "n(n-1) of 4n(n-1)", Judge: paper.Needs([][2]string{{"2-D mesh", "fewest"}, {"3-D mesh", "fewest"}},
					func(v []float64) paper.Finding {
						return paper.Decide(v[0] == 2 && v[1] == 6, fmt.Sprintf("%g of 8 and %g of 24, proved for every size", v[0], v[1]))
					})}}},
		paper.Item{Name: "glass-ni-1992/adaptiveness", About: "Paths of each method on the 8x8 mesh against the published formulas", Compute: adaptiveness,
			Evidence: paper.Check, Claims: []paper.Claim{{Name: "glass-ni-1992/formulas",
				Statement: "Each method has all shortest paths in one half or two quarters of the directions, and one otherwise",
				Published: "(dx+dy)!/(dx! dy!) or 1", Judge: func(r *paper.Result) paper.Finding {
					wrong := 0.0
					for _, x := range r.Rows {
						if x.Quantity == "pairs that differ" {
							wrong += x.Ours
						}
					}
					return paper.Decide(len(r.Rows) > 0 && wrong == 0, fmt.Sprintf("%g of 12,096 pairs differ", wrong))
				}}}})
	return p
}

func turnPairs(ctx context.Context, r *paper.Result) error {
	e, err := enumerated("mesh:2")
	if err != nil {
		return err
	}
	sets, _, err := e.Choose(0)
	if err != nil {
		return err
	}
	counts, err := e.Count(ctx, enumerate.OnePerCycle)
	if err != nil {
		return err
	}
	r.AddRow("2-D mesh", "choices", "", nan, float64(sets.Int64()))
	r.AddRow("2-D mesh", "deadlock-free", "", 12, float64(counts.Free.Int64()))
	r.AddRow("2-D mesh", "connected", "", nan, float64(counts.Connected.Int64()))
	r.AddRow("2-D mesh", "classes", "", 3, float64(counts.Classes.Int64()))
	return nil
}

func fewestTurns(ctx context.Context, r *paper.Result) error {
	for dims := 2; dims <= 3; dims++ {
		v, err := r.One(ctx, fmt.Sprintf("%d dimensions", dims), func(ctx context.Context) ([]float64, error) {
			e, err := enumerated(fmt.Sprintf("mesh:%d", dims))
			if err != nil {
				return nil, err
			}
			_, k, err := e.Fewest(ctx, sat.New)
			return []float64{float64(k), float64(len(e.Space.Turns))}, err
		})
		if err != nil {
			return err
		}
		r.AddRow(fmt.Sprintf("%d-D mesh", dims), "fewest", "", float64(dims*(dims-1)), v[0])
		r.AddRow(fmt.Sprintf("%d-D mesh", dims), "of", "", float64(4*dims*(dims-1)), v[1])
	}
	return nil
}

// adaptiveness compares the number of paths of each pair with the formulas: x to the east, y to the north.
func adaptiveness(_ context.Context, r *paper.Result) error {
	for _, m := range []struct {
		routing string
		all     func(dx, dy int) bool // whether all shortest paths are allowed
	}{{"west-first", func(dx, _ int) bool { return dx >= 0 }}, {"north-last", func(_, dy int) bool { return dy <= 0 }},
		{"negative-first", func(dx, dy int) bool { return dx >= 0 && dy >= 0 || dx <= 0 && dy <= 0 }}} {
		rel, err := built("mesh:8x8", m.routing)
		if err != nil {
			return err
		}
		count, err := counted(rel)
		if err != nil {
			return err
		}
		wrong, sum := 0.0, 0.0
		for pair, k := range count {
			dx, dy := pair[1]%8-pair[0]%8, pair[1]/8-pair[0]/8
			want := 1.0
			if m.all(dx, dy) {
				want = shortestPaths(max(dx, -dx), max(dy, -dy))
			}
			if sum += k; k != want {
				wrong++
			}
		}
		r.AddRow(m.routing, "pairs", "", nan, float64(len(count)))
		r.AddRow(m.routing, "paths", "", nan, sum)
		r.AddRow(m.routing, "pairs that differ", "", 0, wrong)
	}
	return nil
}

// shortestPaths is the binomial coefficient (dx+dy)!/(dx! dy!).
func shortestPaths(dx, dy int) float64 {
	k := 1.0
	for i := 1; i <= dx; i++ {
		k = k * float64(dy+i) / float64(i)
	}
	return k
}
