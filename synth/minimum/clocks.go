package minimum

import "context"

// This file makes the result independent of the speed of the two searches.
//
// Two searches run side by side, and both may find a set with the fewest turns. Each search counts
// its work in moves of the annealing. The set found after less work is the result, whichever search
// finds it first by the time of day. The search for a bound starts with a head start of the annealing
// already on its count. So on most networks the annealing is first and no search waits.

const (
	// movesPerConflict is the work of one conflict, in moves of the annealing.
	movesPerConflict = 20
	// headStartRounds is the number of annealing rounds before the first decision.
	headStartRounds = 3
)

// clocks counts the work of both searches.
type clocks struct {
	moves     int64 // of the annealing
	foundAt   int64 // moves before the best set was found
	work      int64 // work of the search for a bound in moves, without the head start
	headStart int64
	early     []int32       // ranks of the best set after the head start
	ended     bool          // the search for a bound has ended
	ticks     chan struct{} // receives when the annealing has moved
}

func (c *clocks) init(x *instance) {
	c.headStart = int64(headStartRounds * x.firstMoves())
	c.ticks = make(chan struct{}, 1)
}

// over reports whether the best set is as small as the bound and no other set may replace it.
func (h *hunt) over() bool {
	return h.result.Least <= h.result.Bound && (h.clocks.ended || h.clocks.foundAt <= h.clocks.headStart+h.clocks.work)
}

// annealed counts moves of the annealing. It stops both searches if they are over.
func (h *hunt) annealed(moves int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := &h.clocks
	if c.moves < c.headStart && c.moves+int64(moves) >= c.headStart {
		c.early = h.best
	}
	c.moves += int64(moves)
	h.stopIfOver()
	select {
	case c.ticks <- struct{}{}:
	default:
	}
}

// stopIfOver stops both searches if they are over, and reports whether they are.
func (h *hunt) stopIfOver() bool {
	if h.over() {
		h.stop()
		return true
	}
	return false
}

// boundWorked sets the work of the search for a bound. It stops both searches if they are over, and
// reports whether they are.
func (h *hunt) boundWorked(work int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clocks.work = work
	return h.stopIfOver()
}

// boundDone ends the search for a bound.
func (h *hunt) boundDone() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clocks.ended = true
	h.stopIfOver()
}

// awaitHeadStart waits for the head start of the annealing and returns the best set at its end. It
// returns false if ctx ends before.
func (h *hunt) awaitHeadStart(ctx context.Context) ([]int32, bool) {
	ok := h.await(ctx, func() bool { return h.clocks.moves >= h.clocks.headStart })
	return h.clocks.early, ok
}

// await waits until ready, which is called with the lock held, returns true. It returns false if ctx
// ends before.
func (h *hunt) await(ctx context.Context, ready func() bool) bool {
	for {
		h.mu.Lock()
		done := ready()
		h.mu.Unlock()
		if done || ctx.Err() != nil {
			return done
		}
		select {
		case <-ctx.Done():
		case <-h.clocks.ticks:
		}
	}
}

// decided records a set that a decision found after some work. If the annealing finds an equally
// small set with no more work, that one remains the best.
func (h *hunt) decided(ctx context.Context, rank []int32, least int, work int64) {
	limit := h.clocks.headStart + work
	h.await(ctx, func() bool { return h.result.Least <= least || h.clocks.moves > limit })
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.takes(rank, least):
		h.note(entry{Prohibited: least, Ranks: rank})
	case h.result.Least == least && h.clocks.foundAt > limit:
		h.best = rank
		h.note(entry{Prohibited: least, Ranks: rank})
	}
}
