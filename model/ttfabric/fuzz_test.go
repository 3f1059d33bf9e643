package ttfabric

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
)

const sample = `mesh_descriptors { name: "a" arch: BLACKHOLE device_topology { dims: [ 3, 4 ] dim_types: [ RING, LINE ] }
  host_topology { dims: [ 1, 1 ] } channels { count: 2 policy: RELAXED } express_links { dim_idx: 0 pattern { start: 0 step: 3 } wrap: RING } }
graph_descriptors { name: "g" type: "FABRIC"
  instances { mesh { mesh_descriptor: "a" mesh_id: 0 } } instances { mesh { mesh_descriptor: "a" mesh_id: 1 } }
  graph_topology { layout_type: ALL_TO_ALL channels { count: 4 policy: RELAXED } } }
top_level_instance { graph { graph_descriptor: "g" graph_id: 0 } }`

// FuzzBuild reads descriptors and settings. What is built has at most one next hop in each state, and a packet never goes round for ever.
func FuzzBuild(f *testing.F) {
	f.Add(sample, `{"fabric_config": "FABRIC_2D_TORUS_Y", "rules": "2025-12"}`)
	f.Add(sample, `{"rules": "2025-09", "traffic": {"flows": [[0, 1, 1, 2]]}, "cables": [[0, 0, 1, 0]]}`)
	f.Add(sample, `{"ports": [[0, 0, "W", 1, 3, "E"]], "mcast": "full", "override": {"ring": "none"}, "receiver_slots": 1}`)
	f.Fuzz(func(t *testing.T, text, options string) {
		d, err := meshgraph.Parse("d", []byte(text))
		if err != nil {
			return
		}
		o, err := ParseOptions("o", []byte(options))
		if err != nil {
			return
		}
		x, err := Build(d, o)
		if err != nil || x.Net.NumSwitches() > 64 {
			return
		}
		for h := range model.HostID(x.Relation.Sources()) {
			for to := range model.DestID(x.Relation.Destinations()) {
				if model.Sends(x.Relation, h, to) {
					walk(t, x.Relation, h, to)
				}
			}
		}
	})
}

// walk follows the packets from h to a destination.
func walk(t *testing.T, r model.Relation, h model.HostID, to model.DestID) {
	for _, k := range r.Inject(h, to, nil) {
		s := model.InjectState(r, h, to, k)
		for steps := 0; ; steps++ {
			hops := r.Next(s, nil)
			if len(hops) > 1 || steps > r.Network().NumVCs()*r.Classes() {
				t.Fatalf("%d next hops after %d steps from host %d to %d", len(hops), steps, h, to)
			}
			if len(hops) == 0 {
				break
			}
			s = model.State{VC: hops[0].VC, Dest: to, Class: hops[0].Class}
		}
	}
}
