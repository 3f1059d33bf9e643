// Package figure draws networks, cycles, configurations, channel dependency graphs, paths,
// channel numbers and loads. For the 2-D turn model it draws H/V graphs, prohibited turns,
// class turns and their dependencies.
//
// Nine terms:
//
//   - graph: a labelled graph that every drawing is converted to first.
//   - legend: the table above the drawing that explains its colours and numbers.
//   - series: a colour and a line style from a colour-blind-safe list. Numbers and letters accompany
//     the colours, so that no information depends on colour alone.
//   - level: the distance of a switch from the switches with hosts, which orders fat trees. In an
//     acyclic dependency graph, the length of the longest chain to a vertex.
//   - plan: positions of the switches by what is known of a network, such as the groups of a dragonfly.
//   - worm: a packet of a deadlock, with the channels that it holds from tail to head.
//   - ribbon: lines between the same two nodes, drawn side by side.
//   - arc: a turn, drawn around its switch from the link in to the link out.
//   - note: a line that says what the drawing leaves out.
//
// A first call:
//
//	g := figure.Network(net, figure.OptionsFor(net, "A network"))
//	svg, err := figure.Render(ctx, g, "svg")
//
// Graphviz, compiled to WebAssembly in go-graphviz, places nodes without a position (see
// Options.Position). Networks of a known structure (see Position), layered networks and DOT text need no Graphviz.
// This package draws lines, labels and the legend. The same input gives the same bytes.
//
// The package reads only its arguments. It does not find cycles (see cdg) or routes (see
// model/route).
//
// Read first: graph.go, then one file per drawing; plan.go finds positions by what is known of a network;
// drawing.go draws a sheet with a pen: svg.go writes SVG, painter.go PNG and PDF; fit.go, closest.go for paper,
// inline.go for a page of HTML.
package figure
