package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/turnproof/turnproof/internal/journal"
	"github.com/turnproof/turnproof/internal/parallel"
)

// This file computes the items of a work in parallel.

// Options are the options of Run. The zero value is the default.
type Options struct {
	Workers int    // number of items computed at a time; defaults to GOMAXPROCS
	Journal string // file name; if empty, there is no journal
	// Shard, if not zero, limits the run to the items of this shard. Their results go into the
	// shard's own journal beside Journal. A later run of the whole work, or Merge, reads it.
	Shard Shard
	// Progress, if not nil, is called before the first item and after each item, with the number of
	// finished items and the estimated time for the rest, which is negative if unknown. Calls do not
	// overlap.
	Progress func(done, total int, left time.Duration)
}

// Found is what a run or a merge knows of its items.
type Found[R any] struct {
	Results []R   // of the finished items, in the order of their numbers
	Missing []int // the other items
	Busy    bool  // whether another process is at work on the journal (Merge only)
}

// Run computes the items of a work that are not in the journal, and returns all results. With
// Options.Shard these are only the items of the shard.
//
// If an item fails or ctx ends, no further items start. Run then returns the finished results and
// the error; a later Run can resume from the journal.
func Run[R any](ctx context.Context, w Work[R], o Options) (found Found[R], err error) {
	r, err := newRunner(w, o)
	if err != nil {
		return Found[R]{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer func() {
		if cerr := r.close(); err == nil {
			err = cerr
		}
	}()
	if err := r.open(ctx); err != nil {
		return Found[R]{}, err
	}
	r.old = r.finished
	r.progress()
	r.compute(ctx, cancel)
	if r.finished < r.total {
		err = context.Cause(ctx)
	}
	return r.found(), err
}

// newRunner returns a runner that has not opened its journals.
func newRunner[R any](w Work[R], o Options) (*runner[R], error) {
	r := &runner[R]{Work: w, o: o, began: time.Now(), ours: make([]bool, w.N), results: make([]R, w.N), done: make([]bool, w.N)}
	whole := o.Shard == Shard{}
	if !whole && !o.Shard.valid() {
		return nil, r.own(fmt.Errorf("no shard %s", o.Shard))
	}
	var of []int
	if !whole {
		of = Deal(w.Hash, w.N, o.Shard.N)
	}
	for i := range r.ours {
		if r.ours[i] = whole || of[i] == o.Shard.I; r.ours[i] {
			r.total++
		}
	}
	return r, nil
}

// runner is the state of a run. While items are computed, mu guards all fields below it.
type runner[R any] struct {
	Work[R]
	o       Options
	began   time.Time
	old     int    // number of items that were in the journal at the start
	ours    []bool // by item: whether it belongs to this run
	total   int    // number of items in ours
	journal *journal.Journal
	opened  []io.Closer

	mu       sync.Mutex
	results  []R    // by item
	done     []bool // by item
	finished int    // number of items of ours that are done
}

// keep stores the result of item i, unless one is already stored.
func (r *runner[R]) keep(i int, result R) {
	if !r.done[i] {
		r.results[i], r.done[i] = result, true
		if r.ours[i] {
			r.finished++
		}
	}
}

// compute computes the remaining items. It cancels the context with the first error.
func (r *runner[R]) compute(ctx context.Context, cancel context.CancelCauseFunc) {
	left := r.found().Missing
	workers := r.o.Workers
	if workers < 1 {
		workers = parallel.Workers(len(left))
	}
	_ = parallel.Do(ctx, workers, len(left), func(_, k int) error { // the error is the cause that ctx ended
		err := r.item(ctx, left[k])
		if err != nil {
			cancel(err)
		}
		return err
	})
}

// item computes item i and stores its result.
func (r *runner[R]) item(ctx context.Context, i int) error {
	result, err := r.Compute(ctx, i)
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return context.Cause(ctx)
		}
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.journal != nil {
		if err := r.add(i, result); err != nil {
			return err
		}
	}
	r.keep(i, result)
	r.progress()
	return nil
}

// add appends a result to the open journal.
func (r *runner[R]) add(i int, result R) error {
	line, err := r.Format.Write(i, result)
	if err != nil {
		return err
	}
	return r.own(r.journal.Add(line))
}

// found returns what is known of the items of this run.
func (r *runner[R]) found() (f Found[R]) {
	for i, done := range r.done {
		switch {
		case !r.ours[i]:
		case done:
			f.Results = append(f.Results, r.results[i])
		default:
			f.Missing = append(f.Missing, i)
		}
	}
	return f
}

func (r *runner[R]) progress() {
	if r.o.Progress == nil {
		return
	}
	left := time.Duration(-1)
	if k := r.finished - r.old; k > 0 {
		left = time.Duration(float64(time.Since(r.began)) / float64(k) * float64(r.total-r.finished))
	}
	if r.finished == r.total {
		left = 0
	}
	r.o.Progress(r.finished, r.total, left)
}
