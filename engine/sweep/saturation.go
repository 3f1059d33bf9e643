package sweep

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/internal/batch"
)

// This file searches for the load at which a network saturates.
//
// Definition: a network follows a load if it accepts at least 99 % of it, and no channel is asked for more than it carries. The share that
// is accepted is a mean over all hosts, so the few hosts behind one full channel could hide in it. Saturation is the largest load that the network follows.
//
// The share that is not accepted is Result.Lag: how far the sources fall behind, per clock. The difference of the offered and the
// accepted load would show the same, but the random numbers of packets in a run of 50,000 clocks differ by about 1 % as well.
// The search brackets the saturation, beginning at the load that the network accepts when it is offered 1, and halves the
// bracket until it is narrow enough. A run has a tenth of Settings.Clocks first. While its lag is near the limit, it is repeated with
// four times the clocks, up to Settings.Clocks. The result has a run of all clocks, because some networks follow a load for a long
// time before their throughput collapses. Cost: about ten runs, most of them short.

// nearLag bounds the lags near measure.MaxLag, the largest lag of a network that follows a load. They need a longer run.
var nearLag = [2]float64{0.003, 0.03}

// Saturation is the result of a search for one network, routing, traffic and seed.
type Saturation struct {
	// Load is the largest load tried that the network follows, and Above the smallest load tried that it does not follow, in flits
	// per clock and host. Load is 0 if the network follows no load, Above is 0 if it follows a load of 1.
	Load   float64      `json:"load"`
	Above  float64      `json:"above"`
	Bound  float64      `json:"bound"`  // load at which the busiest channel is full, or 0 if it is unknown
	Clocks engine.Clock `json:"clocks"` // of all runs
	// Results are the runs, ascending by load, one for each load, without those far above the saturation. For the shape of the
	// curve, they include loads that the search does not need.
	Results []Result `json:"results"`
}

// SaturationMean is the mean of the saturations of one network, routing and traffic over the seeds.
type SaturationMean struct {
	Load  float64
	Error float64 // half width of the 95 % confidence interval of Load; NaN for one seed
}

// SaturationMeans returns for each search the mean over the searches that differ in the seed only, and whether there are any of
// several seeds. The error says how much seeds differ. It does not include the precision of the searches.
func SaturationMeans(found []Saturation) (means []SaturationMean, several bool) {
	name := func(s *Saturation) [3]string {
		p := s.Results[0].Point
		return [3]string{p.Network, p.Routing, p.Traffic}
	}
	loads := map[[3]string][]float64{}
	for i := range found {
		loads[name(&found[i])] = append(loads[name(&found[i])], found[i].Load)
	}
	for i := range found {
		list, m := loads[name(&found[i])], SaturationMean{}
		for _, load := range list {
			m.Load += load / float64(len(list))
		}
		m.Error = measure.HalfWidth(list)
		means, several = append(means, m), several || len(list) > 1
	}
	return means, several
}

// Precision is the default width of the bracket relative to the load.
const Precision = 0.01

// curveLoads are the loads, relative to the saturation, that a curve needs besides those of the search.
var curveLoads = []float64{0.02, 0.3, 0.6, 0.8, 0.9, 0.97}

// Saturations returns the searches of an experiment as a work, with an item for each network, routing, traffic and seed, in the
// order of Points. The loads of the experiment do not matter. stamp is that of Options. bound returns the load of a point at which the
// busiest channel is full, or 0 if that is unknown; it may be nil.
func (e *Experiment) Saturations(stamp string, precision float64, run Simulate,
	bound func(context.Context, Point) (float64, error)) (batch.Work[Saturation], error) {
	if !(precision >= 0.001 && precision <= 0.5) {
		return batch.Work[Saturation]{}, fmt.Errorf("sweep: a precision of %v, allowed are 0.001 to 0.5", precision)
	}
	e.Loads = []float64{1}
	if err := e.Check(nil); err != nil {
		return batch.Work[Saturation]{}, err
	}
	hash, err := e.Hash()
	if err != nil {
		return batch.Work[Saturation]{}, err
	}
	hash = fmt.Sprintf("%s, saturation to %v", hash, precision)
	points := e.Points()
	return batch.Work[Saturation]{N: len(points), Hash: hash, Run: "sweep", Item: "search",
		Format: batch.Indexed[Saturation](batch.Header{Schema: "turnproof.saturation-journal/1", Hash: hash, Items: len(points), Stamp: stamp},
			kind, nil),
		Compute: func(ctx context.Context, i int) (Saturation, error) {
			s := &search{point: points[i], run: run}
			var err error
			if bound != nil {
				s.bound, err = bound(ctx, s.point)
			}
			if err == nil {
				err = s.find(ctx, precision)
			}
			if err != nil && ctx.Err() == nil {
				err = fmt.Errorf("sweep: %s: %w", s.point, err)
			}
			return s.result(), err
		}}, nil
}

// search is a search for the saturation of one combination.
type search struct {
	point  Point
	run    Simulate
	lo, hi float64 // loads that the network follows, and does not follow
	bound  float64 // see Saturation.Bound
	clocks engine.Clock
	tried  map[float64]Result
	// shortest is the length of the first run of a load, as a share of Settings.Clocks.
	shortest float64
}

// find searches for the saturation, and runs the other loads of the curve.
func (s *search) find(ctx context.Context, precision float64) error {
	s.tried, s.shortest = map[float64]Result{}, 0.1
	followed, err := s.try(ctx, 1)
	if err != nil {
		return err
	}
	if !followed {
		if err := s.bracket(ctx, s.tried[1].Accepted); err != nil {
			return err
		}
		if err := s.narrow(ctx, precision); err != nil {
			return err
		}
	}
	for _, k := range curveLoads {
		if _, err := s.simulate(ctx, rounded(k*s.lo), s.clocksOf(0.4)); err != nil {
			return err
		}
	}
	return nil
}

// narrow halves the bracket until it is narrow enough, and confirms its lower end by a run of all clocks. If that run fails, short
// runs say too little, and the search goes on below with runs of all clocks.
func (s *search) narrow(ctx context.Context, precision float64) error {
	for {
		for s.hi-s.lo > precision*s.hi {
			if _, err := s.try(ctx, rounded((s.lo+s.hi)/2)); err != nil {
				return err
			}
		}
		if s.lo == 0 {
			return nil
		}
		r, err := s.simulate(ctx, s.lo, s.clocksOf(1))
		if err != nil || follows(&r) {
			return err
		}
		s.hi, s.lo, s.shortest = s.lo, 0, 1
		if err := s.bracket(ctx, s.hi/1.05); err != nil {
			return err
		}
	}
}

// bracket finds a load that the network follows, and one not far above that it does not follow, starting at a guess. Its steps grow
// from 10 % on, since a deadlock at a high load makes a bad guess.
func (s *search) bracket(ctx context.Context, guess float64) error {
	if !(guess > 0.001) {
		guess = 0.001
	}
	step := 1.1
	for load := guess; ; {
		followed, err := s.try(ctx, rounded(min(load, 1)))
		if err != nil {
			return err
		}
		switch {
		case followed && s.hi <= 1.2*load:
			return nil
		case followed:
			load = min(step*load, (load+s.hi)/2)
			step *= step
		case s.lo > 0:
			return nil
		case load < 1e-4:
			return nil // it follows no load
		default:
			load /= 1.1
			if s.tried[rounded(s.hi)].Deadlock {
				load /= 2
			}
		}
	}
}

// try runs a load, longer while its lag is near the limit, and reports whether the network follows it.
func (s *search) try(ctx context.Context, load float64) (bool, error) {
	most := s.clocksOf(1)
	for clocks := s.clocksOf(s.shortest); ; clocks = min(4*clocks, most) {
		r, err := s.simulate(ctx, load, clocks)
		if err != nil {
			return false, err
		}
		followed := follows(&r) && (s.bound == 0 || load <= s.bound)
		if r.Deadlock || r.Lag < nearLag[0] || r.Lag > nearLag[1] || clocks == most {
			if followed {
				s.lo = load
			} else {
				s.hi = load
			}
			return followed, nil
		}
	}
}

// follows reports whether a run shows that the network follows the load.
func follows(r *Result) bool { return r.Lag <= measure.MaxLag && !r.Deadlock }

// clocksOf returns a share of the clocks of a run, with room for the warm-up.
func (s *search) clocksOf(share float64) engine.Clock {
	k := &s.point.Settings
	return max(engine.Clock(share*float64(k.Clocks)), min(2*k.Warmup, k.Clocks), min(1000, k.Clocks))
}

// simulate runs a load and keeps the longest run of it.
func (s *search) simulate(ctx context.Context, load float64, clocks engine.Clock) (Result, error) {
	p := s.point
	p.Load = load
	p.Settings.Warmup = p.Settings.Warmup * clocks / p.Settings.Clocks
	p.Settings.Clocks = clocks
	if old, known := s.tried[load]; known && old.Point.Settings.Clocks >= clocks {
		return old, nil
	}
	r, err := s.run(ctx, p)
	if err != nil {
		return r, err
	}
	r.Point = p
	r.normal()
	s.clocks += r.Clocks
	s.tried[load] = r
	return r, nil
}

// result returns what the search has found.
func (s *search) result() Saturation {
	found := Saturation{Load: s.lo, Above: s.hi, Bound: s.bound, Clocks: s.clocks}
	for load, r := range s.tried {
		if s.hi == 0 || load <= 1.3*s.hi {
			found.Results = append(found.Results, r)
		}
	}
	slices.SortFunc(found.Results, func(a, b Result) int {
		if a.Point.Load < b.Point.Load {
			return -1
		}
		return 1
	})
	return found
}

// rounded returns a load with five significant digits.
func rounded(load float64) float64 {
	digits := math.Pow(10, 5-math.Ceil(math.Log10(load)))
	return math.Round(load*digits) / digits
}
