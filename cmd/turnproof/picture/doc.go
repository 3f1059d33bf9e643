// Package picture draws networks, cycles, deadlocks and VLANs for several commands. It declares
// the flags of figures, reads their values, and writes SVG, PNG, PDF or DOT files with
// model/view/figure.
package picture
