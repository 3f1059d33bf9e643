package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/turnproof/turnproof/internal/journal"
)

// This file runs the points of an experiment in parallel.

// Options are the options of Run. The zero value is the default.
type Options struct {
	Workers int    // number of points run at a time; defaults to GOMAXPROCS
	Journal string // file name; if empty, there is no journal
	// Stamp describes everything else on which results depend, for example the version of the
	// program. A journal with another stamp is rejected.
	Stamp string
	// Shard, if not zero, limits the run to the points of this shard. Their results go into the
	// shard's own journal beside Journal. A later run of the whole experiment, or Merge, reads it.
	Shard Shard
	// Progress, if not nil, is called before the first point and after each point, with the number
	// of finished points and the estimated time for the rest, which is negative if unknown. Calls
	// do not overlap.
	Progress func(done, total int, left time.Duration)
}

// Run runs the points of an experiment that are not in the journal, and returns all results in the
// order of Points. With Options.Shard these are only the points of the shard. Run calls run from
// several goroutines; run need not set Result.Point.
//
// If a point fails or ctx ends, no further points start. Run then returns the finished results, in
// the same order, and the error; a later Run can resume from the journal. Run first calls
// Experiment.Check.
func Run(ctx context.Context, e *Experiment, o Options, run func(ctx context.Context, p Point) (Result, error)) (results []Result, err error) {
	r, err := newRunner(e, o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.run, r.cancel = run, cancel
	defer func() {
		if cerr := r.close(); err == nil {
			err = cerr
		}
	}()
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	r.old = r.finished
	r.progress()
	r.work(ctx)
	if r.finished < r.total {
		err = context.Cause(ctx)
	}
	return r.found(), err
}

// newRunner checks the experiment and returns a runner that has not opened its journals.
func newRunner(e *Experiment, o Options) (*runner, error) {
	if err := e.Check(nil); err != nil {
		return nil, err
	}
	r := &runner{o: o, points: e.Points(), began: time.Now()}
	r.results, r.done = make([]Result, len(r.points)), make([]bool, len(r.points))
	if err := r.deal(e); err != nil {
		return nil, err
	}
	return r, r.tell(e)
}

// runner is the state of a call of Run. While workers run, mu guards all fields below it.
type runner struct {
	o       Options
	run     func(context.Context, Point) (Result, error)
	points  []Point
	cancel  context.CancelCauseFunc
	began   time.Time
	old     int    // number of points that were in the journal at the start
	ours    []bool // by point: whether it belongs to this run
	total   int    // number of points in ours
	kind    journal.Kind
	journal *journal.Journal
	opened  []io.Closer

	mu       sync.Mutex
	results  []Result // by point
	done     []bool   // by point
	finished int      // number of points of ours that are done
	next     int      // index of the next point to consider
}

// keep stores the result of point i, unless one is already stored.
func (r *runner) keep(i int, result Result) {
	if !r.done[i] {
		r.results[i], r.done[i] = result, true
		if r.ours[i] {
			r.finished++
		}
	}
}

// work runs the remaining points.
func (r *runner) work(ctx context.Context) {
	workers := r.o.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var wait sync.WaitGroup
	for range min(workers, r.total-r.finished) {
		wait.Go(func() {
			for i := r.take(ctx); i >= 0; i = r.take(ctx) {
				if err := r.point(ctx, i); err != nil {
					r.cancel(err)
				}
			}
		})
	}
	wait.Wait()
}

// take returns the index of a point that no worker has taken. It returns -1 if there is none or
// the run must end.
func (r *runner) take(ctx context.Context) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ; r.next < len(r.points) && ctx.Err() == nil; r.next++ {
		if r.ours[r.next] && !r.done[r.next] {
			r.next++
			return r.next - 1
		}
	}
	return -1
}

// point runs point i and stores its result.
func (r *runner) point(ctx context.Context, i int) error {
	result, err := r.run(ctx, r.points[i])
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return context.Cause(ctx)
		}
		return fmt.Errorf("sweep: %s: %w", r.points[i], err)
	}
	result.Point = r.points[i]
	result.normal()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.journal != nil {
		if err := add(r.journal, i, result); err != nil {
			return err
		}
	}
	r.keep(i, result)
	r.progress()
	return nil
}

func (r *runner) progress() {
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
