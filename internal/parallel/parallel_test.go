package parallel

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
)

// TestDo: every task is done once, by a worker that does nothing else meanwhile.
func TestDo(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		const n = 500
		done := make([]atomic.Int32, n)
		busy := make([]atomic.Int32, workers)
		err := Do(t.Context(), workers, n, func(w, i int) error {
			if busy[w].Add(1) != 1 {
				t.Error("a worker has two tasks")
			}
			done[i].Add(1)
			busy[w].Add(-1)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		for i := range done {
			if k := done[i].Load(); k != 1 {
				t.Errorf("%d workers: task %d was done %d times", workers, i, k)
			}
		}
	}
}

// TestDoFails: the error is that of the least number that fails, and all tasks before it are done.
func TestDoFails(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		for range 50 {
			const n, bad = 300, 113
			done := make([]atomic.Bool, n)
			err := Do(t.Context(), workers, n, func(_, i int) error {
				done[i].Store(true)
				if i%bad == bad-1 {
					return fmt.Errorf("task %d", i)
				}
				return nil
			})
			if err == nil || err.Error() != fmt.Sprintf("task %d", bad-1) {
				t.Fatalf("%d workers: %v", workers, err)
			}
			for i := range bad {
				if !done[i].Load() {
					t.Fatalf("%d workers: task %d was not done", workers, i)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Do(ctx, 2, 3, func(int, int) error { t.Error("a task ran"); return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
