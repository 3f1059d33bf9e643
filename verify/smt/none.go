//go:build !z3 || !cgo

// This file replaces Z3 in builds without the tag z3 or without cgo.

package smt

import (
	"context"
	"iter"
)

// Available reports whether this build can ask Z3.
func Available() bool { return false }

// Version returns the version of the Z3 library, or "" without Z3.
func Version() string { return "" }

// Acyclic returns ErrUnavailable in this build.
func Acyclic(context.Context, int, iter.Seq2[int32, int32], Limit) (Answer, error) {
	return Answer{}, ErrUnavailable
}

// Rising returns ErrUnavailable in this build.
func Rising(context.Context, int, iter.Seq2[int32, []int32], Limit) (Answer, error) {
	return Answer{}, ErrUnavailable
}

// Satisfy returns ErrUnavailable in this build.
func Satisfy(context.Context, int, iter.Seq[[]int32], Limit) (Result, []bool, error) {
	return Unknown, nil, ErrUnavailable
}

// ClosedWalk returns ErrUnavailable in this build.
func ClosedWalk(context.Context, Walk, Limit) (Result, error) { return Unknown, ErrUnavailable }

// Script is a Z3 solver that reads SMT-LIB 2. This build has none.
type Script struct{}

// NewScript returns ErrUnavailable in this build.
func NewScript() (*Script, error) { return nil, ErrUnavailable }

// Tell returns ErrUnavailable in this build.
func (*Script) Tell(string) error { return ErrUnavailable }

// Ask returns ErrUnavailable in this build.
func (*Script) Ask(context.Context, string, []string, Limit) (Result, []int64, string, error) {
	return Unknown, nil, "", ErrUnavailable
}
