// Package comparators makes a circuit of comparators from a routing program: one SystemVerilog module for every size
// of the program's family.
//
// The conditions of a program are linear in coordinates and sizes (package verify/parametric). A circuit is the tree
// of these conditions without duplicates: comparators, and a set of requested outputs for each outcome. Sizes are
// parameters of the module. There is no table.
//
// A first call:
//
//	c, err := comparators.Make(ctx, p, 2)
//	err = c.WriteVerilog(w, []int{8, 8})
//
// Terms: a comparator is an inequality, an equality or a divisibility; a node chooses between branches by
// comparators, by input port, by VC or by header state; a leaf requests outputs.
//
// Read first: circuit.go, comparator.go, then verilog.go.
package comparators
