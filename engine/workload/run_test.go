package workload

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
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

// TestAgainstTrial: an all-to-all of one packet for each pair takes the same clocks and arrivals as
// the same traffic in a trial, whose source shares no code with workloads.
func TestAgainstTrial(t *testing.T) {
	for _, spec := range []string{"torus:4x4,vcs=2", "mesh:5x3", "ring:6,vcs=2"} {
		r := relation(t, spec, "dor")
		hosts := r.Network().NumHosts()
		arrivals := func(run func(report func(engine.Delivery)) error) map[[3]int64]int {
			list := map[[3]int64]int{}
			if err := run(func(d engine.Delivery) { list[[3]int64{int64(d.Source), int64(d.Dest), int64(d.Arrived)}]++ }); err != nil {
				t.Fatal(err)
			}
			return list
		}
		g := mustCollective(t, CollectiveOptions{Kind: "all-to-all", Bytes: int64(hosts) * 5 * 16, Ranks: hosts})
		ours := arrivals(func(report func(engine.Delivery)) error {
			_, err := Run(context.Background(), r, g, Settings{Packet: 5, Report: report})
			return err
		})
		theirs := arrivals(func(report func(engine.Delivery)) error {
			_, err := trial.Run(context.Background(), r, trial.Settings{Traffic: "all-to-all", Packets: hosts - 1, Flits: 5, Report: report})
			return err
		})
		if !maps.Equal(ours, theirs) || len(ours) != hosts*(hosts-1) {
			t.Errorf("%s: %d and %d arrivals differ", spec, len(ours), len(theirs))
		}
	}
}
