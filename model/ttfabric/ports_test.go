package ttfabric

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
)

// described returns a descriptor of meshes of one shape, with connections.
func described(t *testing.T, arch, dims string, meshes int, connections ...string) *meshgraph.Descriptor {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `mesh_descriptors { name: "m" arch: %s device_topology { dims: [%s] } host_topology { dims: [1, 1] } channels { count: 2 policy: RELAXED } }
		graph_descriptors { name: "g" type: "FABRIC" `, arch, dims)
	for i := range meshes {
		fmt.Fprintf(&b, `instances { mesh { mesh_descriptor: "m" mesh_id: %d } } `, i)
	}
	for _, c := range connections {
		fmt.Fprintf(&b, "connections { %s }\n", c)
	}
	b.WriteString(`} top_level_instance { graph { graph_descriptor: "g" graph_id: 0 } }`)
	d, err := meshgraph.Parse("test", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// between returns a connection of two meshes.
func between(a, b int, more string) string {
	return fmt.Sprintf(`nodes { mesh { mesh_descriptor: "m" mesh_id: %d } } nodes { mesh { mesh_descriptor: "m" mesh_id: %d } } %s`, a, b, more)
}

// TestRoutingDirection expects the labels of the descriptor, at the ends that it names them for.
func TestRoutingDirection(t *testing.T) {
	named := `nodes { mesh { mesh_descriptor: "m" mesh_id: 1 device_id: 0 } } nodes { mesh { mesh_descriptor: "m" mesh_id: 0 device_id: 3 } }
		channels { count: 2 } routing_direction: [ W, E ]`
	for _, connection := range []string{named, between(1, 0, `channels { count: 2 } routing_direction: W routing_direction: E`)} {
		f, err := Build(described(t, meshgraph.Wormhole, "2, 2", 2, connection), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Cables[0].Ends; len(f.Cables) != 1 || got[0].Mesh != 0 || got[0].Label != East || got[1].Label != West {
			t.Errorf("%s: cables %v; want one from E of mesh 0 to W of mesh 1", connection, f.Cables)
		}
	}
	_, err := Build(described(t, meshgraph.Wormhole, "2, 2", 2, strings.Replace(named, "[ W, E ]", "[ E, W ]", 1)), Options{})
	if err == nil || !strings.Contains(err.Error(), "no free ports for a cable M1D0 - M0D3 with the labels E and W") {
		t.Errorf("labels within a mesh: error %v", err)
	}
}

// TestPortsInTurn has a mesh whose ports Z one RELAXED connection could take alone.
func TestPortsInTurn(t *testing.T) {
	all := `channels { count: 8 policy: RELAXED } assign_z_direction: true`
	f, err := Build(described(t, meshgraph.Blackhole, "2, 2", 3, between(0, 1, all), between(0, 2, all)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	to := map[int]int{}
	for _, c := range f.Cables {
		to[c.Ends[1].Mesh]++
	}
	if to[1] != 2 || to[2] != 2 {
		t.Errorf("cables %v; want 2 to each mesh", f.Cables)
	}
	strict := strings.Replace(all, "RELAXED", "STRICT", 1)
	if _, err := Build(described(t, meshgraph.Blackhole, "2, 2", 3, between(0, 1, strict), between(0, 2, strict)), Options{}); err == nil {
		t.Error("two STRICT connections share four ports; want an error")
	}
	// A STRICT connection that comes later keeps all its cables.
	f, err = Build(described(t, meshgraph.Blackhole, "2, 2", 3, between(0, 1, all), between(0, 2, strings.Replace(strict, "8", "6", 1))), Options{})
	if err != nil || len(f.Cables) != 4 {
		t.Errorf("STRICT after RELAXED: %v", err)
	}
}

// TestZOfWormhole expects Z on Wormhole chips only if the connection asks for it.
func TestZOfWormhole(t *testing.T) {
	for _, z := range []bool{true, false} {
		f, err := Build(described(t, meshgraph.Wormhole, "1, 1", 2, between(0, 1, fmt.Sprintf(`channels { count: 2 } assign_z_direction: %v`, z))), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Cables[0].Ends[0].Label == ZPort; got != z {
			t.Errorf("assign_z_direction: %v: cables %v", z, f.Cables)
		}
	}
	// The last ports of a chip: without the field, none is left.
	var ring []string
	for other := 1; other < 6; other++ {
		ring = append(ring, between(0, other, `channels { count: 2 }`))
	}
	if _, err := Build(described(t, meshgraph.Wormhole, "1, 1", 6, ring...), Options{}); err == nil {
		t.Error("five cables at a Wormhole chip with four labels; want an error")
	}
	if f, err := Build(described(t, meshgraph.Wormhole, "1, 1", 6, append(ring[:4:4], ring[4]+"assign_z_direction: true")...), Options{}); err != nil {
		t.Error(err)
	} else if !slices.ContainsFunc(f.Cables, func(c Cable) bool { return c.Ends[0].Label == ZPort }) {
		t.Errorf("cables %v; want one with Z", f.Cables)
	}
}
