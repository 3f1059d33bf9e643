package parallel

import (
	"context"
	"errors"
	"runtime"
	"testing"
)

// TestInOrder: results are added once each, in ascending order, and a few of them are used again and again.
func TestInOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		const n = 500
		next, seen := 0, map[*[]int]bool{}
		err := InOrder(t.Context(), workers, n, func(_, i int, result *[]int) error {
			if i%7 == 0 {
				runtime.Gosched()
			}
			*result = append((*result)[:0], i, i*i)
			return nil
		}, func(result *[]int) {
			if (*result)[0] != next || (*result)[1] != next*next {
				t.Errorf("%d workers: %d is added, not %d", workers, *result, next)
			}
			next++
			seen[result] = true
		})
		if err != nil || next != n {
			t.Errorf("%d workers: %d results, %v", workers, next, err)
		}
		if most := 3 * max(workers, 1); len(seen) > most {
			t.Errorf("%d workers: %d results in memory, more than %d", workers, len(seen), most)
		}
	}
}

// TestInOrderFails: the error is that of the least number that fails, nothing from there on is added, and no
// worker waits for ever.
func TestInOrderFails(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		for range 50 {
			const n, bad = 300, 113
			fails := []error{errors.New("first"), errors.New("second")}
			added := 0
			err := InOrder(t.Context(), workers, n, func(_, i int, _ *int) error {
				if i >= bad {
					return fails[min(i-bad, 1)]
				}
				return nil
			}, func(*int) { added++ })
			if err != fails[0] || added > bad {
				t.Fatalf("%d workers: %v after %d results", workers, err, added)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, workers := range []int{2, 7} {
		err := InOrder(ctx, workers, 1000, func(_, i int, _ *int) error {
			if i == 50 {
				cancel()
			}
			return nil
		}, func(*int) {})
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
