package ttfabric

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model/ttfabric"
	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
	"github.com/turnproof/turnproof/verify"
)

// TestUnion tries every placement of drawn fabrics of two or three meshes. If the union is proved, no placement may be refuted.
func TestUnion(t *testing.T) {
	tally := map[string]int{}
	for k := range uint64(40) {
		rng := rand.New(rand.NewPCG(9, k))
		meshes := 2 + rng.IntN(2)
		var b strings.Builder
		b.WriteString(`mesh_descriptors { name: "s" arch: WORMHOLE_B0 device_topology { dims: [` + []string{"1, 2", "2, 2", "1, 3", "1, 4", "2, 3"}[rng.IntN(5)] +
			`] dim_types: [ LINE, ` + []string{"LINE", "RING"}[rng.IntN(2)] + `] } host_topology { dims: [1, 1] } channels { count: 1 policy: RELAXED } }
			graph_descriptors { name: "g" type: "FABRIC" `)
		for m := range meshes {
			b.WriteString(`instances { mesh { mesh_descriptor: "s" mesh_id: ` + string(rune('0'+m)) + ` } } `)
		}
		b.WriteString(`graph_topology { layout_type: ` + []string{"ALL_TO_ALL", "RING"}[rng.IntN(2)] + ` channels { count: ` +
			[]string{"1", "2"}[rng.IntN(2)] + ` policy: RELAXED } } } top_level_instance { graph { graph_descriptor: "g" graph_id: 0 } }`)
		d, err := meshgraph.Parse("drawn", []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		never := ttfabric.BetweenNever
		f, err := ttfabric.Build(d, ttfabric.Options{Config: ttfabric.Configuration{All: ttfabric.Fabric2DX}, Override: ttfabric.Override{Between: &never}})
		if err != nil {
			continue // lines, or no free ports
		}
		a, err := DecideAny(context.Background(), f, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		p := f.NewPlacements()
		if a.Union == verify.Proved && p.Count <= 200 {
			p.All(func(cables []ttfabric.ChipPair) bool {
				x, err := f.With(cables)
				if err != nil {
					return true
				}
				rep, err := Decide(context.Background(), x)
				if err != nil || rep.DeadlockFree.Verdict != verify.Proved {
					t.Errorf("case %d: the union is proved, and cables %v are %v (%v)", k, cables, rep.DeadlockFree.Verdict, err)
				}
				tally["placements"]++
				return err == nil
			})
		}
		tally[string(a.Verdict)+", union "+string(a.Union)]++
	}
	t.Log(tally)
	if tally["placements"] < 50 {
		t.Errorf("only %d placements under a proved union", tally["placements"])
	}
}
