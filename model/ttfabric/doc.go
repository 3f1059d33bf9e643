// Package ttfabric builds the network of a TT-Fabric (tenstorrent/tt-metal) from a mesh graph descriptor and the settings with which the fabric starts:
// meshes, rings, cables, port labels, exit tables, virtual channels and flow control. Its relation is the routing of the fabric.
//
// Terms:
//
//   - chip: a switch with one host, its worker. M0D5 is chip 5 of mesh 0; chips are numbered row by row. Row 0 is north, column 0 west.
//   - label: a port of a chip, N, E, S, W or Z.
//   - axis: dimension 0 (N and S) or 1 (E and W). Z is an axis of its own.
//   - cable: a link between chips of two meshes. An exit chip has one.
//   - config: FABRIC_1D, FABRIC_1D_RING, FABRIC_2D, FABRIC_2D_TORUS_X, _Y, _XY; chosen when the fabric starts, for each mesh.
//   - rules: how rings and cables are protected, by the date of the software.
//   - deadlock avoidance: bubble flow control with acknowledgements of each arrival; one switch turns both on.
//   - VC 0, VC 1: a packet is on VC 0 up to and over its first cable, and on VC 1 from then on, if the rules have VC 1.
//
// A first call:
//
//	f, err := ttfabric.Build(descriptor, options)
//	fmt.Println(f.Net.NumSwitches(), f.Findings)
//
// Source: tt_metal/fabric of tenstorrent/tt-metal, 2025 and 2026 (mesh_graph.cpp, routing_table_generator.cpp, fabric_context.cpp, builder/), and its issues.
// docs/accelerator-fabrics.md says which rule comes from where, and what is assumed.
//
// Read first: fabric.go, then rules.go (by date), place.go (cables), build.go, exits.go, relation.go, find.go
// (what never moves), flow.go; union.go, placements.go (all placements of cables).
package ttfabric
