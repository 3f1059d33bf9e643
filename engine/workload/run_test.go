package workload

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func relation(t testing.TB, spec, routing string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// mustRun runs a workload that has to end.
func mustRun(t testing.TB, r model.Relation, g *Graph, s Settings) *Result {
	t.Helper()
	res, err := Run(context.Background(), r, g, s)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Finished || res.Deadlock != nil || res.Ended != len(g.Ops) {
		t.Fatalf("%d of %d operations ended by clock %d, deadlock %v", res.Ended, len(g.Ops), res.Clocks, res.Deadlock)
	}
	return res
}

func mustCollective(t testing.TB, o CollectiveOptions) *Graph {
	t.Helper()
	g, err := NewCollective(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func mustGoal(t testing.TB, text string) *Graph {
	t.Helper()
	g, err := readGoal("test.goal", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}
