//go:build z3 && cgo

package smt_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"turnproof/verify/smt"
)

// TestMemory: hundreds of questions do not keep the memory of each, which is some 20 MB, not
// even while another one thinks.
func TestMemory(t *testing.T) {
	const questions = 60
	ctx, stop := context.WithCancel(t.Context())
	var thinker sync.WaitGroup
	thinker.Go(func() {
		if result, _, err := smt.Satisfy(ctx, pigeons*holes, pigeonhole, smt.Limit{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v: was to think until it is stopped", result, err)
		}
	})
	defer thinker.Wait()
	defer stop()
	time.Sleep(300 * time.Millisecond) // for it to begin
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

const pigeons, holes = 14, 13

// pigeonhole yields clauses that have no solution: each pigeon is in a hole, no two in one.
func pigeonhole(yield func([]int32) bool) {
	in := func(p, h int) int32 { return int32(p*holes + h + 1) }
	for p := range pigeons {
		var some []int32
		for h := range holes {
			some = append(some, in(p, h))
		}
		if !yield(some) {
			return
		}
	}
	for h := range holes {
		for p := range pigeons {
			for q := range p {
				if !yield([]int32{-in(p, h), -in(q, h)}) {
					return
				}
			}
		}
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
