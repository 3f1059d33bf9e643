package route

import (
	"sync"
	"sync/atomic"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file keeps distances to destinations, a row of them for each switch
// that is one, worked out when first asked for.
//
// Cost: one search per row; a lookup afterwards is one atomic load. Memory:
// four bytes an entry, at most about rowBytes in all: beyond that the oldest row
// goes and is worked out again if need be. Asking destination by destination,
// as the provers do, never works out a row twice.

// far is the distance of what cannot get there.
const far = hv.Far

const rowBytes = 1 << 28

// rows is safe for concurrent use.
type rows struct {
	fill func(to model.SwitchID) []uint32 // works out a row
	row  []atomic.Pointer[[]uint32]       // by switch

	mu   sync.Mutex
	kept []model.SwitchID // those with a row, oldest first
	max  int
}

// newRows returns rows for n switches, with width entries each.
func newRows(n, width int, fill func(to model.SwitchID) []uint32) *rows {
	return &rows{fill: fill, row: make([]atomic.Pointer[[]uint32], n), max: max(rowBytes/(4*width), 64)}
}

// to returns the row of switch v.
func (r *rows) to(v model.SwitchID) []uint32 {
	if p := r.row[v].Load(); p != nil {
		return *p
	}
	return r.make(v)
}

func (r *rows) make(v model.SwitchID) []uint32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.row[v].Load(); p != nil {
		return *p
	}
	if len(r.kept) == r.max {
		r.row[r.kept[0]].Store(nil)
		r.kept = r.kept[1:]
	}
	row := r.fill(v)
	r.row[v].Store(&row)
	r.kept = append(r.kept, v)
	return row
}
