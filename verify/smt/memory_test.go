//go:build z3 && cgo

package smt_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"turnproof/verify/smt"
)

// TestMemory: hundreds of questions do not keep the memory of each, which is some 20 MB.
func TestMemory(t *testing.T) {
	const questions = 60
	before := resident(t)
	for range questions {
		line := func(yield func(int32, []int32) bool) { yield(0, []int32{1}) }
		if a, err := smt.Rising(context.Background(), 2, line, smt.Limit{}); err != nil || a.Result != smt.Sat {
			t.Fatal(a, err)
		}
	}
	if grown := resident(t) - before; grown > questions<<20*10 {
		t.Errorf("%d MB more after %d questions", grown>>20, questions)
	}
}

// resident is the resident set of this process in bytes.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc here")
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
