package congestion

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/journal"
	"github.com/turnproof/turnproof/model"
)

// This file runs points in parallel and stores their results.

// Result is the result of a point. The figures of a frozen run are 0.
type Result struct {
	Point     Point
	Durations []engine.Clock // by round
	Mean      float64        // mean of Durations
	Critical  float64        // critical load of a rising load, see measure.RampMeter
	NPM       float64
	Frozen    bool
	Clock     engine.Clock // the clock in which the run froze
	Packets   int          // number of frozen packets
	FlitHops  int64
	Seconds   float64
}

// Options are the options of Run. The zero value is the default.
type Options struct {
	Workers int    // number of points run at a time; defaults to GOMAXPROCS
	Journal string // file name; if empty, there is no journal
	Stamp   string // describes everything else on which results depend
	// Progress, if not nil, is called with the number of finished points and the estimated time
	// for the rest, which is negative if unknown. Calls do not overlap.
	Progress func(done, total int, left time.Duration)
}

// Run runs the points that are not in the journal, and returns all results in the order of points.
// If ctx ends, Run returns its error; a later Run can resume from the journal.
func Run(ctx context.Context, s Study, points []Point, o Options) (results []Result, err error) {
	r := &runner{s: s, o: o, results: make([]Result, len(points)), done: make([]bool, len(points)), relations: map[string]model.Relation{}}
	for _, a := range Algorithms() {
		rel, err := s.relation(&a)
		if err != nil {
			return nil, err
		}
		r.relations[a.Name] = rel
	}
	if o.Journal != "" {
		if err := r.open(points); err != nil {
			return nil, err
		}
		defer func() {
			if closed := r.journal.Close(); err == nil && closed != nil {
				err = fmt.Errorf("congestion: %w", closed)
			}
		}()
	}
	for i, done := range r.done {
		if r.weight += weight(&points[i]); done {
			r.finished++
			r.spent += weight(&points[i])
		}
	}
	r.old, r.began = r.spent, time.Now()
	r.tell(len(points))
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(o.Workers)
	for i := range points {
		if r.done[i] || within.Err() != nil {
			continue
		}
		g.Go(func() error { return r.point(within, i, points) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return r.results, ctx.Err()
}

type runner struct {
	s         Study
	o         Options
	relations map[string]model.Relation
	journal   *journal.Journal
	began     time.Time

	mu                 sync.Mutex
	results            []Result
	done               []bool
	finished           int
	weight, spent, old float64
}

// weight returns the estimated run time of a point, relative to other points.
func weight(p *Point) float64 {
	switch {
	case p.Load > 0:
		return 2
	case p.Pattern == AllToAll:
		return 100
	}
	return 1
}

func (r *runner) point(ctx context.Context, i int, points []Point) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	res, err := r.s.run(ctx, r.relations[points[i].Algorithm], points[i], nil)
	if err != nil {
		return fmt.Errorf("congestion: %s: %w", points[i], err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.journal != nil {
		line, err := json.Marshal(res)
		if err == nil {
			err = r.journal.Add(line)
		}
		if err != nil {
			return fmt.Errorf("congestion: %w", err)
		}
	}
	r.results[i], r.done[i] = *res, true
	r.finished++
	r.spent += weight(&points[i])
	r.tell(len(points))
	return nil
}

func (r *runner) tell(total int) {
	if r.o.Progress == nil {
		return
	}
	left := time.Duration(-1)
	if done := r.spent - r.old; done > 0 {
		left = time.Duration(float64(time.Since(r.began)) / done * (r.weight - r.spent))
	}
	r.o.Progress(r.finished, total, left)
}

// header is the first line of a journal.
type header struct {
	Schema string
	Study  Study
	Stamp  string
}

const journalSchema = "turnproof.congestion-journal/1"

// open opens the journal or creates it. The journal may have results of other points, for example
// those of another figure.
func (r *runner) open(points []Point) error {
	at := make(map[Point]int, len(points))
	for i, p := range points {
		at[p] = i
	}
	ours := header{journalSchema, r.s, r.o.Stamp}
	first, err := json.Marshal(ours)
	if err != nil {
		return err
	}
	r.journal, err = journal.Open(r.o.Journal, journal.Kind{
		Header: first,
		Other: func(line []byte) string {
			var h header
			if json.Unmarshal(line, &h) != nil || h.Schema != journalSchema {
				return "it is no journal of this study"
			}
			return "it is of other sizes, readings or another version: " + h.Study.Readings()
		},
		Line: func(line []byte) error {
			var res Result
			if err := json.Unmarshal(line, &res); err != nil {
				return err
			}
			if i, ok := at[res.Point]; ok {
				r.results[i], r.done[i] = res, true
			}
			return nil
		},
		Busy: "another run is at work on it",
	})
	if err != nil {
		return fmt.Errorf("congestion: %w", err)
	}
	return nil
}

// run runs one point.
func (s *Study) run(ctx context.Context, rel model.Relation, p Point, flow *measure.Flow) (*Result, error) {
	t, err := s.settings(&p)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	res := &Result{Point: p}
	var frozen *engine.Deadlock
	if p.Load > 0 {
		out, err := trial.Ramp(ctx, rel, t, 0)
		if err != nil {
			return nil, err
		}
		frozen, res.Critical, res.NPM, res.FlitHops = out.Deadlock, out.CriticalLoad, out.NPM, out.FlitHops
	} else {
		out, err := trial.Rounds(ctx, rel, t, s.gap(p.Pattern), flow)
		if err != nil {
			return nil, err
		}
		frozen, res.Durations, res.Mean, res.FlitHops = out.Deadlock, out.Durations, out.Mean(), out.FlitHops
	}
	if frozen != nil {
		res.Frozen, res.Clock, res.Packets, res.Mean, res.Critical, res.NPM = true, frozen.Clock, len(frozen.Packets), 0, 0, 0
	}
	res.Seconds = time.Since(began).Seconds()
	return res, nil
}

// Series runs a point and returns the numbers of packets sent and received over time, counted for
// each window of clocks.
func (s *Study) Series(ctx context.Context, p Point, window engine.Clock) (*Result, *measure.Flow, error) {
	a, err := algorithm(p.Algorithm)
	if err != nil {
		return nil, nil, err
	}
	rel, err := s.relation(a)
	if err != nil {
		return nil, nil, err
	}
	flow := measure.NewFlow(window)
	res, err := s.run(ctx, rel, p, flow)
	return res, flow, err
}

// Best returns, among the results for which chosen returns true, the finished one with the
// shortest mean duration. all is the number of chosen results, frozen the number of those that
// froze.
func Best(results []Result, chosen func(*Result) bool) (best *Result, all, frozen int) {
	for i := range results {
		r := &results[i]
		if !chosen(r) {
			continue
		}
		all++
		switch {
		case r.Frozen:
			frozen++
		case best == nil || r.Mean < best.Mean:
			best = r
		}
	}
	return best, all, frozen
}

// Collectives returns the points of figures 4 to 6 and, with dedicated control, of figure 7: every
// combination of pattern, algorithm, method and control path. If patterns or controls is empty,
// the list is empty. Run fails for unknown patterns.
func Collectives(patterns []string, controls ...engine.ControlPath) (list []Point) {
	for _, pattern := range patterns {
		for _, a := range Algorithms() {
			for _, m := range Methods() {
				for _, control := range controls {
					list = append(list, Point{Algorithm: a.Name, Pattern: pattern, Method: m, Control: control})
				}
			}
		}
	}
	return list
}

// Ramps returns the points of figure 9.
func Ramps(algorithms, patterns []string, to float64, clocks engine.Clock) (list []Point) {
	for _, a := range algorithms {
		for _, pattern := range patterns {
			for _, m := range Methods() {
				list = append(list, Point{Algorithm: a, Pattern: pattern, Method: m, Control: engine.VirtualControl, Load: to, Clocks: clocks})
			}
		}
	}
	return list
}

// PatternNames returns the names of all patterns except those in without.
func PatternNames(without ...string) (names []string) {
	for _, p := range Patterns() {
		if !slices.Contains(without, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}
