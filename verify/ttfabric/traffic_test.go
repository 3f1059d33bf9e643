package ttfabric

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/ttfabric"
	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
	"github.com/turnproof/turnproof/verify"
)

// chain builds meshes of equal dims in a row, each joined to the next by one cable over Z.
func chain(t *testing.T, meshes int, dims, types string, o ttfabric.Options) *ttfabric.Fabric {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `mesh_descriptors { name: "s" arch: BLACKHOLE device_topology { dims: [%s] dim_types: [%s] } host_topology { dims: [1, 1] }
		channels { count: 1 policy: RELAXED } } graph_descriptors { name: "g" type: "FABRIC" `, dims, types)
	for m := range meshes {
		fmt.Fprintf(&b, `instances { mesh { mesh_descriptor: "s" mesh_id: %d } } `, m)
	}
	for m := range meshes - 1 {
		fmt.Fprintf(&b, `connections { nodes { mesh { mesh_descriptor: "s" mesh_id: %d } } nodes { mesh { mesh_descriptor: "s" mesh_id: %d } }
			channels { count: 1 policy: STRICT } assign_z_direction: true } `, m, m+1)
	}
	b.WriteString(`} top_level_instance { graph { graph_descriptor: "g" graph_id: 0 } }`)
	d, err := meshgraph.Parse("chain", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ttfabric.Build(d, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// answerOf decides a fabric.
func answerOf(t *testing.T, f *ttfabric.Fabric) *Answer {
	t.Helper()
	rep, err := Decide(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAnswer(context.Background(), f, rep)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestRounds checks that chips send round their rings under every traffic. Shortest paths on rings of 3 close no cycle; rounds do.
func TestRounds(t *testing.T) {
	none := ttfabric.RingNone
	for name, traffic := range map[string]ttfabric.Traffic{
		"all": {}, "inter": {Word: ttfabric.TrafficInter}, "intra": {Word: ttfabric.TrafficIntra},
		"flows": {Flows: []ttfabric.ChipPair{{{Mesh: 0, Chip: 0}, {Mesh: 1, Chip: 1}}}},
	} {
		for mcast, want := range map[string]Verdict{"": Free, "full": Deadlock} {
			f := chain(t, 2, "3, 2", "RING, LINE", ttfabric.Options{Config: ttfabric.Configuration{All: ttfabric.Fabric2DY}, Rules: "2026-10",
				Override: ttfabric.Override{Ring: &none}, Traffic: traffic, Mcast: mcast})
			if a := answerOf(t, f); a.Verdict != want {
				t.Errorf("traffic %s, mcast %q: %s, want %s", name, mcast, a.Verdict, want)
			}
		}
	}
}

// TestNoPath checks that pairs without a path are said.
func TestNoPath(t *testing.T) {
	through := false
	f := chain(t, 3, "1, 3", "LINE, LINE", ttfabric.Options{Override: ttfabric.Override{Through: &through}})
	if a := answerOf(t, f); a.Verdict != NoPath || a.Unroutable != 18 {
		t.Errorf("%s, %d pairs without a path; want no-path, 18", a.Verdict, a.Unroutable)
	}
	a, err := DecideAny(context.Background(), f, time.Minute)
	if err != nil || a.Verdict != verify.Undecided {
		t.Errorf("every placement: %+v, %v; want undecided", a, err)
	}
}

// TestAnyOfOneMesh checks that no traffic between meshes is no fault, and that no traffic at all is an error.
func TestAnyOfOneMesh(t *testing.T) {
	a, err := DecideAny(context.Background(), chain(t, 1, "2, 3", "LINE, LINE", ttfabric.Options{}), time.Minute)
	if err != nil || a.Verdict != verify.Proved {
		t.Errorf("one mesh: %+v, %v; want proved", a, err)
	}
	var none *verify.NoPairs
	if a, err := DecideAny(context.Background(), chain(t, 1, "1, 1", "LINE, LINE", ttfabric.Options{}), time.Minute); !errors.As(err, &none) {
		t.Errorf("one chip: %+v, %v; want an error", a, err)
	}
}

// TestEveryState asks for the next hops of all states, also those that no packet reaches. The simulator does so.
func TestEveryState(t *testing.T) {
	fabrics := []*ttfabric.Fabric{
		chain(t, 3, "1, 3", "LINE, LINE", ttfabric.Options{}),
		chain(t, 3, "4, 3", "RING, RING", ttfabric.Options{Config: ttfabric.Configuration{All: ttfabric.Fabric2DXY}, Mcast: "full"}),
	}
	for _, f := range fabrics {
		for v := range model.VCID(f.Net.NumVCs()) {
			for d := range model.DestID(f.Relation.Destinations()) {
				for class := range model.Class(f.Relation.Classes()) {
					if hops := f.Relation.Next(model.State{VC: v, Dest: d, Class: class}, nil); len(hops) > 1 {
						t.Fatalf("%d hops", len(hops))
					}
				}
			}
		}
	}
}
