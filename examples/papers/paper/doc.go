// Package paper has the types that the reproductions of all papers share: a list entry, its
// options, and rows with a published value and the computed one.
//
// Each paper has a package beside this one. Its function Reproductions returns the tables and
// figures that the package can compute. Package papers lists them all.
package paper
