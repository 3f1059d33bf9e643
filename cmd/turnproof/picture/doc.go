// Package picture draws a network, a cycle, a deadlock or VLANs for a command: it declares the flags
// of figures, reads their options, and writes SVG, PNG, PDF or DOT by model/view/figure.
package picture
