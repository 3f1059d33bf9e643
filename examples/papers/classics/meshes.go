package classics

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

func dallySeitz() paper.Paper {
	return paper.Paper{Name: "dally-seitz-1987", Title: "Deadlock-free message routing in multiprocessor interconnection networks",
		Source: "W. J. Dally and C. L. Seitz, IEEE Transactions on Computers 36(5), 1987",
		Items: []paper.Item{
			{Name: "dally-seitz-1987/figure-ring", About: "Dependencies of a ring of four without virtual channels",
				Drawing: []string{`draw cdg ring:4 -r dor --title "Ring of four"`}},
			{Name: "dally-seitz-1987/figure-virtual", About: "Two virtual channels: numbers that increase along every path",
				Drawing: []string{`draw ranks ring:4,vcs=2 -r dor --hosts hidden --title "Two VCs on a ring"`}},
			{Name: "dally-seitz-1987/without-virtual-channels", About: "Dimension order on tori without virtual channels",
				Evidence: paper.Check, Compute: verdicts("dor", "torus:4x4", "torus:5x5", "torus:8x8", "torus:4x4x4", "torus:5x5x5"),
				Claims: []paper.Claim{
					{Name: "dally-seitz-1987/cyclic", Statement: "Dimension order on a torus without virtual channels has a cycle of dependencies",
						Judge: allAre("acyclic", 0, "cyclic")},
					{Name: "dally-seitz-1987/theorem", Statement: "A routing function without alternatives deadlocks if its dependency graph has a cycle",
						Judge: allAre("deadlock-free", 0, "refuted, by packets that wait for each other")}}},
			{Name: "dally-seitz-1987/virtual-channels", About: "Dimension order on tori with two virtual channels",
				Evidence: paper.Check, Compute: verdicts("dor", "torus:4x4,vcs=2", "torus:5x5,vcs=2", "torus:8x8,vcs=2", "torus:16x16,vcs=2",
					"torus:4x4x4,vcs=2",
					"torus:5x5x5,vcs=2", "torus:3x4x5x6,vcs=2"),
				Claims: []paper.Claim{{Name: "dally-seitz-1987/two-suffice", Statement: "Two virtual channels make k-ary n-cubes deadlock-free",
					Judge: allAre("deadlock-free", 1, "proved")}}},
		}}
}

func duato() paper.Paper {
	return paper.Paper{Name: "duato-1993", Title: "A new theory of deadlock-free adaptive routing in wormhole networks",
		Source: "J. Duato, IEEE Transactions on Parallel and Distributed Systems 4(12), 1993",
		Items: []paper.Item{
			{Name: "duato-1993/figure-escape", About: "Channels of the escape on a mesh of two virtual channels: numbers that increase along every " +
				"escape path",
				Drawing: []string{`draw ranks mesh:3x3 -r dor --hosts hidden --title "Escape channels"`}},
			{Name: "duato-1993/meshes", About: "Minimal adaptive routing with a dimension-order escape, on meshes and tori",
				Evidence: paper.Check, Compute: verdicts("duato", "mesh:3x3,vcs=2", "mesh:4x4,vcs=2", "mesh:8x8,vcs=2", "mesh:3x3x3,vcs=2", "torus:4x4,vcs=3",
					"torus:5x5,vcs=3", "torus:8x8,vcs=3"),
				Claims: []paper.Claim{
					{Name: "duato-1993/cycles-allowed", Statement: "The dependency graph of all channels may have cycles", Judge: allAre("acyclic", 0,
						"cyclic")},
					{Name: "duato-1993/deadlock-free", Statement: "An escape without cycles of extended dependencies makes adaptive routing " +
						"deadlock-free under wormhole switching",
						Judge: allAre("deadlock-free", 1, "proved")},
					{Name: "duato-1993/connected", Statement: "The routing connects all pairs", Judge: allAre("connected", 1, "proved")}}},
		}}
}

func chiu() paper.Paper {
	return paper.Paper{Name: "chiu-2000", Title: "The odd-even turn model for adaptive routing",
		Source: "G.-M. Chiu, IEEE Transactions on Parallel and Distributed Systems 11(7), 2000",
		Items: []paper.Item{
			{Name: "chiu-2000/figure-turns", Wide: true, About: "Dependencies of odd-even routing on a 3x3 mesh, without a cycle",
				Drawing: []string{`draw cdg mesh:3x3 -r odd-even --title "Odd-even: dependencies"`}},
			{Name: "chiu-2000/meshes", About: "Odd-even routing on meshes of all sizes from 2x2 to 9x9", Compute: oddEvenMeshes,
				Evidence: paper.Check, Claims: []paper.Claim{
					{Name: "chiu-2000/deadlock-free", Statement: "Odd-even routing is deadlock-free without virtual channels",
						Judge: allAre("deadlock-free", 1, "proved")},
					{Name: "chiu-2000/connected", Statement: "Odd-even routing connects all pairs", Judge: allAre("connected", 1, "proved")}}},
			{Name: "chiu-2000/adaptiveness", About: "Degree of adaptiveness on a 7x7 mesh: allowed paths over shortest paths", Compute: evenness,
				Evidence: paper.Check, Claims: []paper.Claim{{Name: "chiu-2000/more-even",
					Statement: "Odd-even is more even than the turn model: fewer pairs are left with " +
						"a single path",
					Judge: paper.Needs([][2]string{{"odd-even", "pairs with a single path, %"}, {"west-first", "pairs with a single path, %"},
						{"north-last", "pairs with a single path, %"}, {"negative-first", "pairs with a single path, %"}}, func(v []float64) paper.Finding {
						return paper.Decide(v[0] < v[1] && v[0] < v[2] && v[0] < v[3], fmt.Sprintf("%.0f %%, against %.0f, %.0f and %.0f %%", v[0],
							v[1], v[2], v[3]))
					})}}},
		}}
}

func oddEvenMeshes(ctx context.Context, r *paper.Result) error {
	var specs []string
	for x := 2; x <= 9; x++ {
		specs = append(specs, fmt.Sprintf("mesh:%dx%d", x, x), fmt.Sprintf("mesh:%dx%d", x, x+1))
	}
	return verdicts("odd-even", specs...)(ctx, r)
}

func evenness(_ context.Context, r *paper.Result) error {
	for _, routing := range []string{"west-first", "north-last", "negative-first", "odd-even"} {
		mean, single, err := degrees("mesh:7x7", routing)
		if err != nil {
			return err
		}
		r.AddRow(routing, "mean degree", "", nan, mean)
		r.AddRow(routing, "pairs with a single path, %", "", nan, 100*single)
	}
	return nil
}
