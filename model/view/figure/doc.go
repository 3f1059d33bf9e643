// Package figure draws networks, cycles, configurations, channel dependency
// graphs, paths, channel numbers and loads, and what the 2-D turn model speaks
// of: H/V graphs, prohibited turns, class turns and their dependencies.
//
// Seven words:
//
//   - graph: a neutral labelled graph, what every drawing here becomes first;
//   - legend: the table above the drawing that says in words what the colours
//     and numbers say in the picture;
//   - series: one colour and line style out of a colour-blind-safe list;
//     numbers and letters go with it, so nothing rests on colour alone;
//   - level: distance of a switch from the switches that carry hosts, which
//     makes fat trees look like fat trees; of a dependency graph without a
//     cycle, the length of the longest chain to a vertex;
//   - ribbon: lines between the same two nodes, side by side;
//   - arc: a turn, drawn around its switch from the link in to the link out;
//   - note: a line that says what was left out of the drawing, if anything.
//
// A first call:
//
//	g := figure.Network(net, figure.Options{Position: figure.GridPosition(net)})
//	svg, err := figure.Render(ctx, g, "svg")
//
// Nodes that have no place of their own (see Options.Position) get one from
// Graphviz, compiled to WebAssembly inside go-graphviz; grids with GridPosition,
// layered networks and DOT text need none. Lines, labels and legend are drawn by ourselves.
// The same input gives the same bytes.
//
// The package reads nothing but its arguments and proves nothing. It does not
// find cycles (see cdg) nor routes (see model/route).
package figure
