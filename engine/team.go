package engine

import (
	"sync"
	"sync/atomic"
)

// This file runs the same tasks again and again on several processors. A round takes 0.1 ms or
// less, so goroutines wait for the next one without sleeping for a while.

// team is a number of goroutines that do tasks together.
type team struct {
	task    func(i int)
	tasks   int32
	next    atomic.Int32 // the first task that is not begun
	working atomic.Int32 // goroutines, except the caller's, that have not finished
	round   atomic.Int32 // -1 at the end
	mu      sync.Mutex
	change  sync.Cond
	others  int32
	ended   sync.WaitGroup
}

// newTeam starts a team. Its size includes the goroutine that calls do.
func newTeam(size int, task func(i int)) *team {
	t := &team{task: task, others: int32(size - 1)}
	t.change.L = &t.mu
	for range t.others {
		t.ended.Go(func() {
			for round := int32(0); ; {
				t.wait(func() bool { return t.round.Load() != round })
				if round = t.round.Load(); round < 0 {
					return
				}
				t.work()
				if t.working.Add(-1) == 0 {
					t.wake()
				}
			}
		})
	}
	return t
}

// do does tasks 0 to n-1 and returns when all are done.
func (t *team) do(n int) {
	t.tasks = int32(n)
	t.next.Store(0)
	t.working.Store(t.others)
	if t.others > 0 {
		t.round.Store(t.round.Load()&0xffff + 1)
		t.wake()
	}
	t.work()
	t.wait(func() bool { return t.working.Load() == 0 })
}

// end ends the goroutines of the team.
func (t *team) end() {
	t.round.Store(-1)
	t.wake()
	t.ended.Wait()
}

// work does tasks until none is left.
func (t *team) work() {
	for i := t.next.Add(1) - 1; i < t.tasks; i = t.next.Add(1) - 1 {
		t.task(int(i))
	}
}

// spins is how often a goroutine asks before it sleeps: 10 to 20 microseconds.
const spins = 1 << 13

// wait returns when the condition is true.
func (t *team) wait(is func() bool) {
	for range spins {
		if is() {
			return
		}
	}
	t.mu.Lock()
	for !is() {
		t.change.Wait()
	}
	t.mu.Unlock()
}

// wake wakes the goroutines whose condition has become true.
func (t *team) wake() {
	t.mu.Lock() // a goroutine that has found its condition false must wait first
	t.change.Broadcast()
	t.mu.Unlock()
}
