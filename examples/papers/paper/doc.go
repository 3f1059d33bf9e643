// Package paper has the types that the records of all papers share: a paper with its items in order, an
// item that is computed or drawn, the claims about it, and rows with a published value and the computed
// one.
//
// Each paper has a package beside this one with a function Paper. Package papers lists them all.
package paper
