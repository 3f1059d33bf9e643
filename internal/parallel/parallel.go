// Package parallel runs numbered tasks on all processors, with results that do not depend on their number.
//
// Read first: parallel.go; inorder.go adds up results in a fixed order.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers returns the number of workers for n tasks: at most one per processor, and at least one.
func Workers(n int) int { return max(min(runtime.GOMAXPROCS(0), n), 1) }

// Do calls task for 0..n-1 from several goroutines, with the number of a worker, which is less than workers. A
// worker runs one task at a time, in ascending order. If tasks fail or ctx ends, Do returns the error of
// the least number that failed, and all tasks of smaller numbers have been done.
func Do(ctx context.Context, workers, n int, task func(worker, i int) error) error {
	do := func(worker, i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return task(worker, i)
	}
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			if err := do(0, i); err != nil {
				return err
			}
		}
		return nil
	}
	var next atomic.Int64
	var lock sync.Mutex
	var wait sync.WaitGroup
	least, first := atomic.Int64{}, error(nil) // the least number that failed, and its error
	least.Store(int64(n))
	for w := range workers {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < least.Load(); i = next.Add(1) - 1 {
				err := do(w, int(i))
				if err == nil {
					continue
				}
				lock.Lock()
				if i < least.Load() {
					least.Store(i)
					first = err
				}
				lock.Unlock()
				return
			}
		})
	}
	wait.Wait()
	return first
}
