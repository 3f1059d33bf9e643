// Package meshgraph reads mesh graph descriptors of TT-Fabric (tenstorrent/tt-metal), version 2.0: which meshes of chips exist, and which connections
// join them. A descriptor has no routing and no port labels; package ttfabric adds them.
//
// Terms:
//
//   - shape: a mesh_descriptors or switch_descriptors entry, a grid of chips whose dimensions are lines or rings.
//   - mesh: an instance of a shape.
//   - connection: cables between two meshes, or between two chips if both ends have a device_id.
//
// A first call:
//
//	d, err := meshgraph.Parse("fabric.textproto", text)
//
// Source: tt_metal/fabric/protobuf/mesh_graph_descriptor.proto, mesh_graph_descriptor.cpp and MGD_README.md of tenstorrent/tt-metal, 2025 and 2026. Fields
// that newer or older schemas name differently are read under both names. Unknown fields are noted, as that project's parser tolerates them.
//
// Read first: descriptor.go, read.go, then shape.go, graph.go.
package meshgraph
