package agree

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth"
)

// TestGraphs compares the numbers of graphs with OEIS A001349.
func TestGraphs(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 1, 3: 2, 4: 6, 5: 21, 6: 112} {
		if got := len(connectedGraphs(n)); got != want {
			t.Errorf("%d connected graphs of %d vertices, want %d", got, n, want)
		}
	}
}

// TestFewestTurns compares the exhaustive search with known numbers: two turns for a ring, one in each
// direction; a third of all turns for a complete graph; none for two links at one switch.
func TestFewestTurns(t *testing.T) {
	ring := func(n int) (g graph) {
		for g.vertices = n; n > 0; n-- {
			g.edges = append(g.edges, [2]int{n % g.vertices, n - 1})
		}
		return g
	}
	for name, c := range map[string]struct {
		g    graph
		want int
	}{
		"path":       {graph{3, [][2]int{{0, 1}, {1, 2}}}, 0},
		"ring of 3":  {ring(3), 2},
		"ring of 6":  {ring(6), 2},
		"complete 4": {graph{4, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}}, 8},
	} {
		table := newTurnTable(model.NewTurnSet(c.g.network()))
		if got, ok := fewestTurns(table, 1_000_000); !ok || got != c.want {
			t.Errorf("%s: %d turns, %v, want %d", name, got, ok, c.want)
		}
	}
}

// TestMethodsOnGraphs judges all sets of all methods on every small graph.
func TestMethodsOnGraphs(t *testing.T) {
	o, record := options(t, 4, mostVertices)
	if o.Part > 0 {
		t.Skip("the first part has judged them")
	}
	most, e := o.Cases, effort{shuffles: 1, seconds: 60, steps: 20_000}
	if most != 4 {
		most, e = mostVertices, thorough
	}
	all, err := runGraphs(context.Background(), most, e, func(done int) { t.Logf("%d graphs", done) })
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range all.wrong {
		t.Error(text)
	}
	graphs := map[int]int{4: 10, mostVertices: 143}[most]
	if all.graphs != graphs || all.exact != graphs || all.optimal != graphs || len(all.made) != len(synth.Published()) {
		t.Errorf("of %d graphs %d with sets by %d methods, %d with the fewest turns, %d with a bound that meets them", graphs, all.graphs, len(all.made), all.exact, all.optimal)
	}
	record("All %d connected graphs with at most %d switches, %d trees. Turn sets by method: %v; %d different sets, %d minimal ones.\n\n", all.graphs, most, all.trees, all.made, all.different, all.minimal)
	record("Method minimum: %d graphs, %d sets meet their bound, %d compared with an exhaustive search.\n", all.minimums, all.optimal, all.exact)
}
