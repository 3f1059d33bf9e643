//go:build z3 && cgo

package smt

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/longtest"
)

// TestMemory checks that questions release their memory, some 20 MB each, even while
// another question runs.
func TestMemory(t *testing.T) {
	questions := longtest.Share(60, 3)
	ctx, stop := context.WithCancel(t.Context())
	var thinker sync.WaitGroup
	thinker.Go(func() {
		if result, _, err := Satisfy(ctx, 14*13, pigeonhole(13), Limit{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v: was to think until it is stopped", result, err)
		}
	})
	defer thinker.Wait()
	defer stop()
	time.Sleep(300 * time.Millisecond) // until it runs
	// The search needs more memory as well, but less over time. A leak shows at each attempt.
	grown := 0
	for range 3 {
		before := resident(t)
		for range questions {
			line := func(yield func(int32, []int32) bool) { yield(0, []int32{1}) }
			if a, err := Rising(context.Background(), 2, line, Limit{}); err != nil || a.Result != Sat {
				t.Fatal(a, err)
			}
		}
		if grown = int(resident(t) - before); grown <= questions<<20*10 {
			return
		}
	}
	t.Errorf("%d MB more after %d questions", grown>>20, questions)
}

// resident returns the resident set size of this process in bytes.
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
