package route

import (
	"sync"
	"sync/atomic"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file caches distances to destination switches. A row holds the distances to one switch
// and is computed at its first use.
//
// Cost: one search per row; every other lookup is one atomic load. Memory: four bytes per
// entry, at most about rowBytes in total. If the memory is full, the oldest row is dropped and
// computed again when needed. A caller that asks destination by destination computes each row
// once. Two callers that ask for a row at the same time can both compute it.

// unreachable is the distance if no path exists.
const unreachable = hv.Far

const rowBytes = 1 << 28

// rowCache computes and keeps rows of distances. It is safe for concurrent use.
type rowCache struct {
	fill func(to model.SwitchID) []uint32 // computes a row
	row  []atomic.Pointer[[]uint32]       // by switch

	mu   sync.Mutex
	held []model.SwitchID // the switches with a row, oldest first
	max  int              // how many rows are held at most
}

// newRowCache returns a cache for n switches with width entries per row.
func newRowCache(n, width int, fill func(to model.SwitchID) []uint32) *rowCache {
	return &rowCache{fill: fill, row: make([]atomic.Pointer[[]uint32], n), max: max(rowBytes/(4*width), 64)}
}

// to returns the row of switch v, and computes the row if it is not in the cache.
func (r *rowCache) to(v model.SwitchID) []uint32 {
	if p := r.row[v].Load(); p != nil {
		return *p
	}
	return r.compute(v)
}

func (r *rowCache) compute(v model.SwitchID) []uint32 {
	row := r.fill(v) // without the lock, so that others fill rows meanwhile
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.row[v].Load(); p != nil {
		return *p
	}
	if len(r.held) == r.max {
		r.row[r.held[0]].Store(nil)
		r.held = r.held[1:]
	}
	r.row[v].Store(&row)
	r.held = append(r.held, v)
	return row
}
