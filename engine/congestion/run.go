package congestion

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
)

// This file runs points.

// Result is the result of a point. The figures of a frozen run are 0.
type Result struct {
	Point    Point
	Mean     float64 // mean number of clocks of a round
	Critical float64 // critical load of a rising load, see measure.RampMeter
	NPM      float64
	Frozen   bool
	Clock    engine.Clock // the clock in which the run froze
	Packets  int          // number of frozen packets
}

// Values returns the figures of a result as numbers, for a store; see ResultOf.
func (r *Result) Values() []float64 {
	frozen := 0.0
	if r.Frozen {
		frozen = 1
	}
	return []float64{r.Mean, r.Critical, r.NPM, frozen, float64(r.Clock), float64(r.Packets)}
}

// ResultOf returns the result of a point with the given values.
func ResultOf(p Point, values []float64) Result {
	return Result{Point: p, Mean: values[0], Critical: values[1], NPM: values[2], Frozen: values[3] > 0, Clock: engine.Clock(values[4]),
		Packets: int(values[5])}
}

// Run runs one point.
func (s *Study) Run(ctx context.Context, p Point) (*Result, error) {
	res, _, err := s.Series(ctx, p, 0)
	return res, err
}

// run runs one point.
func (s *Study) run(ctx context.Context, rel model.Relation, p Point, flow *measure.Flow) (*Result, error) {
	t, err := s.settings(&p)
	if err != nil {
		return nil, err
	}
	res := &Result{Point: p}
	var frozen *engine.Deadlock
	if p.Load > 0 {
		out, err := trial.Ramp(ctx, rel, t, 0)
		if err != nil {
			return nil, err
		}
		frozen, res.Critical, res.NPM = out.Deadlock, out.CriticalLoad, out.NPM
	} else {
		out, err := trial.Rounds(ctx, rel, t, s.gap(p.Pattern), flow)
		if err != nil {
			return nil, err
		}
		frozen, res.Mean = out.Deadlock, out.Mean()
	}
	if frozen != nil {
		res.Frozen, res.Clock, res.Packets, res.Mean, res.Critical, res.NPM = true, frozen.Clock, len(frozen.Packets), 0, 0, 0
	}
	return res, nil
}

// Series runs a point and returns the numbers of packets sent and received over time, counted for
// each window of clocks. With a window of 0 nothing is counted.
func (s *Study) Series(ctx context.Context, p Point, window engine.Clock) (*Result, *measure.Flow, error) {
	a, err := algorithm(p.Algorithm)
	if err != nil {
		return nil, nil, err
	}
	rel, err := s.relation(a)
	if err != nil {
		return nil, nil, err
	}
	var flow *measure.Flow
	if window > 0 {
		flow = measure.NewFlow(window)
	}
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
// the list is empty.
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
func (s *Study) Ramps(algorithms, patterns []string) (list []Point) {
	for _, a := range algorithms {
		for _, pattern := range patterns {
			for _, m := range Methods() {
				list = append(list, Point{Algorithm: a, Pattern: pattern, Method: m, Control: engine.VirtualControl, Load: s.RampTo,
					Clocks: s.RampClocks})
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
