package ttfabric

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model/ttfabric"
	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
	"github.com/turnproof/turnproof/verify"
)

// crowded returns strips 0 and 1 with one cable between chips 0 and 2 and one that is open. Chip 2 of strip 0 has cables to three single chips, whose Z
// ports are taken. So the open cable fits there only over Z.
func crowded(t *testing.T) *meshgraph.Descriptor {
	t.Helper()
	names := []string{"s", "s", "c", "c", "c", "c", "c", "c"}
	var b strings.Builder
	for i, dims := range []string{"1, 3", "1, 1"} {
		fmt.Fprintf(&b, `mesh_descriptors { name: "%c" arch: BLACKHOLE device_topology { dims: [%s] } host_topology { dims: [1, 1] }
			channels { count: 1 policy: RELAXED } }`+"\n", "sc"[i], dims)
	}
	b.WriteString(`graph_descriptors { name: "g" type: "FABRIC"` + "\n")
	for i, name := range names {
		fmt.Fprintf(&b, `instances { mesh { mesh_descriptor: "%s" mesh_id: %d } }`+"\n", name, i)
	}
	for _, c := range [][5]int{{2, 0, 5, 0, 1}, {3, 0, 6, 0, 1}, {4, 0, 7, 0, 1}, {0, 0, 1, 2, 0}, {0, 2, 2, 0, 0}, {0, 2, 3, 0, 0}, {0, 2, 4, 0, 0}, {0, -1, 1, -1, 0}} {
		b.WriteString("connections { ")
		for k := 0; k < 4; k += 2 {
			device := fmt.Sprintf("device_id: %d", c[k+1])
			if c[k+1] < 0 {
				device = ""
			}
			fmt.Fprintf(&b, `nodes { mesh { mesh_descriptor: "%s" mesh_id: %d %s } } `, names[c[k]], c[k], device)
		}
		fmt.Fprintf(&b, "channels { count: 1 policy: STRICT } assign_z_direction: %v }\n", c[4] == 1)
	}
	b.WriteString(`} top_level_instance { graph { graph_descriptor: "g" graph_id: 0 } }`)
	d, err := meshgraph.Parse("crowded", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestLabelsThatFit has a placement with a deadlock, for which the labels that are free first do not fit.
func TestLabelsThatFit(t *testing.T) {
	d := crowded(t)
	f, err := ttfabric.Build(d, ttfabric.Options{Rules: "2025-09"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := DecideAny(context.Background(), f, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if a.Verdict != verify.Refuted || a.Answer == nil || a.Answer.Verdict != Deadlock {
		t.Errorf("%s: %s; want a deadlock", a.Verdict, a.Reason)
	}
}

// TestPlacedCables checks that cables of the settings are not placed again.
func TestPlacedCables(t *testing.T) {
	placed := ttfabric.PortPair{{Chip: ttfabric.Chip{Mesh: 0, Chip: 1}, Label: ttfabric.North}, {Chip: ttfabric.Chip{Mesh: 1, Chip: 1}, Label: ttfabric.North}}
	f, err := ttfabric.Build(crowded(t), ttfabric.Options{Rules: "2025-09", Ports: []ttfabric.PortPair{placed}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := DecideAny(context.Background(), f, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if a.Verdict != verify.Proved || a.Placements != 1 {
		t.Errorf("%s of %.0f placements: %s; want 1, proved", a.Verdict, a.Placements, a.Reason)
	}
}
