//go:build z3 && cgo

package smt

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestScript(t *testing.T) {
	s, err := NewScript()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Tell("(set-logic QF_LIA)(declare-const x Int)(declare-const n Int)(assert (and (<= 0 x) (< x n)))"); err != nil {
		t.Fatal(err)
	}
	for range 3 { // each question removes its assertions
		result, values, _, err := s.Ask(t.Context(), "(assert (= x 3))(assert (< n 5))", []string{"x", "n", "(- x n)"}, Limit{Time: time.Second})
		if d := cmp.Diff([]int64{3, 4, -1}, values); err != nil || result != Sat || d != "" {
			t.Fatalf("%v %v %s", result, err, d)
		}
		if result, _, _, err := s.Ask(t.Context(), "(assert (> x n))", nil, Limit{}); err != nil || result != Unsat {
			t.Fatalf("%v %v", result, err)
		}
	}
}

// TestScriptLimits checks that a hard question ends with its limit or its context.
func TestScriptLimits(t *testing.T) {
	s, err := NewScript()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Tell("(declare-const x Int)(declare-const y Int)(declare-const z Int)"); err != nil {
		t.Fatal(err)
	}
	const hard = "(assert (and (> x 1) (> y 1) (> z 1) (= (+ (* x x x) (* y y y)) (* z z z))))"
	result, _, reason, err := s.Ask(t.Context(), hard, nil, Limit{Time: 50 * time.Millisecond})
	if err != nil || result != Unknown || reason == "" {
		t.Fatalf("%v %q %v", result, reason, err)
	}
	if result, _, reason, err := s.Ask(t.Context(), hard, nil, Limit{Steps: 1000}); err != nil || result != Unknown || reason == "" {
		t.Fatalf("%v %q %v", result, reason, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if result, _, _, err := s.Ask(ctx, hard, nil, Limit{}); result != Unknown || err == nil {
		t.Fatalf("%v %v", result, err)
	}
}

func TestScriptErrors(t *testing.T) {
	s, err := NewScript()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Tell("(assert (bar 3))"); err == nil || !strings.Contains(err.Error(), "bar") {
		t.Fatal(err)
	}
	if _, _, _, err := s.Ask(t.Context(), "", nil, Limit{}); err == nil {
		t.Fatal("a broken script answers")
	}
}
