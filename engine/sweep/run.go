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

// This file runs the points, several at a time.

// Options of Run. The zero value is the default.
type Options struct {
	Workers int    // points at a time; 0: GOMAXPROCS
	Journal string // a file; "": none
	// Stamp is what results depend on besides the experiment: the version, say.
	// A journal with another stamp is refused.
	Stamp string
	// Shard runs only the points of that shard, into a journal of its own beside Journal,
	// from which a run of the whole, or Merge, takes them.
	Shard Shard
	// Progress is told how many points are done, before the first and after each,
	// and about how long the rest will take: negative where nothing is known yet.
	// Calls do not overlap.
	Progress func(done, total int, left time.Duration)
}

// Run runs the points of an experiment that are not in the journal, and returns
// all results in the order of Points; of a shard, those of its points. run is called from
// several goroutines; it need not set Result.Point.
//
// The first point that fails, and the end of ctx, end the rest; then the results
// are those that are finished, in the same order, and the journal can be gone on
// with. The experiment is checked first, see Experiment.Check.
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

// newRunner checks the experiment and is ready to open journals.
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

// runner is a Run. Everything below mu is guarded by it while workers run.
type runner struct {
	o       Options
	run     func(context.Context, Point) (Result, error)
	points  []Point
	cancel  context.CancelCauseFunc
	began   time.Time
	old     int    // points that were in the journal
	ours    []bool // by point: it is to be run here
	total   int    // how many are ours
	kind    journal.Kind
	journal *journal.Journal
	opened  []io.Closer

	mu       sync.Mutex
	results  []Result // by point
	done     []bool   // by point
	finished int      // of our points, those that are done
	next     int      // the point to look at next
}

// keep keeps the result of a point; the first one, if a journal has it twice.
func (r *runner) keep(i int, result Result) {
	if !r.done[i] {
		r.results[i], r.done[i] = result, true
		if r.ours[i] {
			r.finished++
		}
	}
}

// work runs what is left.
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

// take returns a point that nobody has, -1 if there is none or all is to end.
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

// point runs a point and keeps its result.
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
