package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/turnproof/turnproof/engine/measure"
)

// This file computes curves from results: for each load, the mean over the seeds with its error.

// Curve has the results of a network, routing and traffic, by load.
type Curve struct {
	Network, Routing, Traffic string
	Means                     []Mean // by ascending load
}

// Mean summarizes the results of one load over its seeds. The figures are means over the runs that
// did not freeze, because the figures of a frozen run say nothing about normal operation. If all
// runs froze, they are means over all runs.
type Mean struct {
	Load                    float64
	Runs, Deadlocks         int     // number of runs, and of those that froze
	Offered                 float64 // flits per clock and host
	Accepted, AcceptedError float64
	Latency, LatencyError   float64 // clocks
}

// Curves returns the curves, in the order of their first results. Errors are half widths of 95 %
// confidence intervals of the mean over the seeds. With a single run, they are the errors of that
// run. Runs without a latency are left out of the mean latency.
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

// over returns the mean of a figure over runs, and the error of the mean. of returns the figure
// and its error for one run.
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
