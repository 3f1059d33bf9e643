//go:build !z3 || !cgo

// This file stands in for Z3 in builds without the tag z3 or without cgo.

package smt

import (
	"context"
	"iter"
)

// Available reports whether this build can ask Z3.
func Available() bool { return false }

// Version returns the version of the Z3 library, or "" without Z3.
func Version() string { return "" }

// Acyclic would ask Z3 whether a graph has a numbering that rises along every
// edge. This build cannot: it returns ErrUnavailable, whatever the graph.
func Acyclic(context.Context, int, iter.Seq2[int32, int32], Limit) (Answer, error) {
	return Answer{}, ErrUnavailable
}

// Rising would ask Z3 for numbers that rise along one edge of each choice. This
// build cannot: it returns ErrUnavailable.
func Rising(context.Context, int, iter.Seq2[int32, []int32], Limit) (Answer, error) {
	return Answer{}, ErrUnavailable
}

// Satisfy would ask Z3 for truth values that satisfy clauses. This build
// cannot: it returns ErrUnavailable.
func Satisfy(context.Context, int, iter.Seq[[]int32], Limit) (Result, []bool, error) {
	return Unknown, nil, ErrUnavailable
}

// ClosedWalk would ask Z3 for a closed walk. This build cannot: it returns
// ErrUnavailable.
func ClosedWalk(context.Context, Walk, Limit) (Result, error) { return Unknown, ErrUnavailable }

// Script would be a conversation with Z3 in SMT-LIB 2.
type Script struct{}

// NewScript cannot begin one in this build: it returns ErrUnavailable.
func NewScript() (*Script, error) { return nil, ErrUnavailable }

// Tell is for builds with Z3.
func (*Script) Tell(string) error { return ErrUnavailable }

// Ask is for builds with Z3.
func (*Script) Ask(context.Context, string, []string, Limit) (Result, []int64, string, error) {
	return Unknown, nil, "", ErrUnavailable
}
