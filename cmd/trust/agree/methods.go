package agree

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth"
)

// This file makes the turn sets of all methods on every small connected graph, with all options, from
// each root and on all trees. Three judges judge each set: verify.CheckTurns, its certificate after
// writing and reading, and an exhaustive search.

// graphTally counts graphs, turn sets and errors.
type graphTally struct {
	graphs    int
	trees     int            // with different roots, parents or orders of children
	made      map[string]int // sets, by method
	different int            // sets judged: equal sets of a graph count once
	minimal   int            // sets made with Release, in which every prohibited turn closes a cycle
	minimums  int            // graphs with a set of method minimum
	optimal   int            // of these, sets whose bound is their number of turns
	exact     int            // of these, graphs on which the exhaustive search finished
	wrong     []string
}

// effort limits the work on a graph.
type effort struct {
	shuffles int     // number of random orders of neighbours and children
	readings int     // largest number of switches for all readings of DA on every tree
	seconds  float64 // for minimum
	steps    int     // of the exhaustive search
}

// judgeGraph makes and judges all sets on a graph.
func judgeGraph(ctx context.Context, g graph, e effort) (*graphTally, error) {
	t := &graphTally{graphs: 1, made: map[string]int{}}
	n := g.network()
	known := map[string]*setVerdict{}
	trees := treesOf(n, e.shuffles)
	t.trees = len(trees)
	for _, m := range synth.Methods() {
		if m.Searches {
			continue
		}
		for _, r := range readings(m, trees, g.vertices <= e.readings) {
			for _, last := range []struct{ release, both bool }{{false, false}, {true, false}, {true, true}} {
				r.o.Release, r.o.BothDirections = last.release, last.both
				made, err := synth.New(ctx, m.Name, n, r.o)
				if err != nil {
					return nil, fmt.Errorf("%v, %s %+v: %w", g, m.Name, r.o, err)
				}
				t.made[m.Name]++
				v, err := judgeSet(ctx, known, made)
				if err == nil {
					err = v.keeps(r)
				}
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if err != nil {
					t.wrong = append(t.wrong, fmt.Sprintf("graph %v, %s %+v: %v", g.edges, m.Name, r.o, err))
				} else if r.o.Release && v.acyclic {
					t.minimal++
				}
			}
		}
	}
	t.different = len(known)
	if err := t.fewest(ctx, g, n, e); err != nil {
		return nil, err
	}
	return t, nil
}

// fewest compares the result of minimum with an exhaustive search.
func (t *graphTally) fewest(ctx context.Context, g graph, n *model.Network, e effort) error {
	made, err := synth.New(ctx, "minimum", n, synth.Options{Seconds: e.seconds})
	if err != nil {
		return fmt.Errorf("%v, minimum: %w", g, err)
	}
	t.minimums++
	bad := func(format string, args ...any) {
		t.wrong = append(t.wrong, fmt.Sprintf("graph %v, minimum: ", g.edges)+fmt.Sprintf(format, args...))
	}
	v, err := judgeSet(ctx, map[string]*setVerdict{}, made)
	if err == nil {
		err = v.keeps(reading{promises: promises{true, true}})
	}
	b := made.Bound
	if err == nil {
		err = v.bounded(ctx, made.Allowed, b)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		bad("%v", err)
	}
	found := len(v.table.turns(false))
	if b.Least > found || b.Optimal != (b.Least == found) {
		bad("%d turns prohibited, a bound of %d, optimal %v", found, b.Least, b.Optimal)
	}
	if b.Optimal {
		t.optimal++
	}
	least, ok := fewestTurns(newTurnTable(made.Allowed), e.steps)
	if !ok {
		return nil
	}
	if t.exact++; least > found || least < b.Least {
		bad("%d turns prohibited, a bound of %d; by exhaustive search %d", found, b.Least, least)
	}
	return nil
}

// add adds the counts of another graph.
func (t *graphTally) add(o *graphTally) {
	t.graphs, t.trees, t.different, t.minimal = t.graphs+o.graphs, t.trees+o.trees, t.different+o.different, t.minimal+o.minimal
	t.minimums, t.optimal, t.exact = t.minimums+o.minimums, t.optimal+o.optimal, t.exact+o.exact
	for name, k := range o.made {
		t.made[name] += k
	}
	t.wrong = append(t.wrong, o.wrong...)
}
