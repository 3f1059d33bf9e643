package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/turnproof/turnproof/engine/measure"
)

// This file makes curves of results: over the seeds a mean with its error.

// Curve is a network with a routing and a traffic, over the load.
type Curve struct {
	Network, Routing, Traffic string
	Means                     []Mean // by ascending load
}

// Mean is the results of a load over its seeds. A run that froze tells nothing
// about a network that does not, so the figures are of the other runs, and of
// all only if all froze.
type Mean struct {
	Load                    float64
	Runs, Deadlocks         int     // how many, and how many of them froze
	Offered                 float64 // flits per clock and host
	Accepted, AcceptedError float64
	Latency, LatencyError   float64 // clocks
}

// Curves returns the curves in the order in which results begin them. Errors are
// half widths of 95 % intervals: of the mean over the seeds, with a single run the
// run's own. Runs without a latency do not count for it.
func Curves(results []Result) []Curve {
	type name struct{ network, routing, traffic string }
	runs := map[name]map[float64][]*Result{}
	var names []name
	for i := range results {
		r := &results[i]
		k := name{r.Point.Network, r.Point.Routing, r.Point.Traffic}
		if runs[k] == nil {
			runs[k] = map[float64][]*Result{}
			names = append(names, k)
		}
		runs[k][r.Point.Load] = append(runs[k][r.Point.Load], r)
	}
	var list []Curve
	for _, k := range names {
		c := Curve{Network: k.network, Routing: k.routing, Traffic: k.traffic}
		for load, group := range runs[k] {
			c.Means = append(c.Means, meanOf(load, group))
		}
		slices.SortFunc(c.Means, func(a, b Mean) int { return cmp.Compare(a.Load, b.Load) })
		list = append(list, c)
	}
	return list
}

func meanOf(load float64, runs []*Result) Mean {
	m := Mean{Load: load, Runs: len(runs)}
	var live []*Result
	for _, r := range runs {
		if r.Deadlock {
			m.Deadlocks++
		} else {
			live = append(live, r)
		}
	}
	if len(live) == 0 {
		live = runs
	}
	m.Offered, _ = over(live, func(r *Result) (float64, float64) { return r.Offered, 0 })
	m.Accepted, m.AcceptedError = over(live, func(r *Result) (float64, float64) { return r.Accepted, r.AcceptedError })
	m.Latency, m.LatencyError = over(live, func(r *Result) (float64, float64) { return r.MeanLatency, r.LatencyError })
	return m
}

// over returns the mean and its error of a figure that comes with an error.
func over(runs []*Result, of func(*Result) (value, err float64)) (mean, err float64) {
	var values []float64
	sum, single := 0.0, math.NaN()
	for _, r := range runs {
		if v, e := of(r); !math.IsNaN(v) && !math.IsInf(v, 0) {
			values, single = append(values, v), e
			sum += v
		}
	}
	if len(values) != 1 {
		single = measure.HalfWidth(values)
	}
	return sum / float64(len(values)), single
}
