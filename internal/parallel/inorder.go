package parallel

import (
	"context"
	"sync"
)

// InOrder calls task for 0..n-1 as Do does, and gives the results to add in ascending order, one at a time. So a sum
// of floating-point numbers does not depend on the number of workers. A result may be one that add has
// taken before: task overwrites it and can use its memory. At most three results for each worker exist at a time.
// If InOrder fails, add may have missed results of tasks that were done.
func InOrder[T any](ctx context.Context, workers, n int, task func(worker, i int, result *T) error, add func(result *T)) error {
	workers = max(min(workers, n), 1)
	q := &queue[T]{ready: make([]*T, 2*workers), add: add}
	q.moved.L = &q.lock
	// The context is checked here and not by Do: workers that wait for a number must learn that it is not done.
	return Do(context.Background(), workers, n, func(w, i int) error {
		result, err := q.take(), ctx.Err()
		if err == nil {
			err = task(w, i, result)
		}
		if err != nil {
			q.end()
			return err
		}
		q.put(i, result)
		return nil
	})
}

// queue holds results until those of all smaller numbers were added.
type queue[T any] struct {
	add func(*T)

	lock   sync.Mutex
	moved  sync.Cond // next has changed, or ended
	ready  []*T      // by number modulo the length: results from next on
	next   int       // the number whose result is added next
	adding bool      // a worker is adding results
	ended  bool      // a task has failed
	free   []*T
}

// take returns a result to overwrite.
func (q *queue[T]) take() *T {
	q.lock.Lock()
	defer q.lock.Unlock()
	k := len(q.free)
	if k == 0 {
		return new(T)
	}
	result := q.free[k-1]
	q.free = q.free[:k-1]
	return result
}

// end lets no worker wait any longer.
func (q *queue[T]) end() {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.ended = true
	q.moved.Broadcast()
}

// put stores the result of number i, and adds all results whose turn it is unless another worker does. It waits
// while i is too far ahead.
func (q *queue[T]) put(i int, result *T) {
	q.lock.Lock()
	defer q.lock.Unlock()
	for i >= q.next+len(q.ready) && !q.ended {
		q.moved.Wait()
	}
	if q.ended {
		return
	}
	q.ready[i%len(q.ready)] = result
	if q.adding {
		return
	}
	q.adding = true
	for at := q.next % len(q.ready); q.ready[at] != nil && !q.ended; at = q.next % len(q.ready) {
		result := q.ready[at]
		q.lock.Unlock()
		q.add(result)
		q.lock.Lock()
		q.ready[at] = nil
		q.free = append(q.free, result)
		q.next++
		q.moved.Broadcast()
	}
	q.adding = false
}
