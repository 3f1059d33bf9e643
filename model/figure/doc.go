// Package figure draws networks, cycles, channel dependency graphs and paths.
//
// Five words:
//
//   - graph: a neutral labelled graph, what every drawing here becomes first;
//   - legend: the table above the drawing that says in words what the colours
//     and numbers say in the picture;
//   - series: one colour and line style out of a colour-blind-safe list;
//     numbers and letters go with it, so nothing rests on colour alone;
//   - level: distance of a switch from the switches that carry hosts, which
//     makes fat trees look like fat trees;
//   - note: a line that says what was left out of the drawing, if anything.
//
// A first call:
//
//	g := figure.Network(net, figure.Options{})
//	svg, err := figure.Render(ctx, g, "svg")
//
// DOT text needs no layout and no Graphviz and works at any size; svg and png
// are laid out by Graphviz, compiled to WebAssembly inside go-graphviz.
// The same input gives the same bytes.
//
// The package reads nothing but its arguments and proves nothing. It does not
// find cycles (see cdg) nor routes (see model/route).
package figure
