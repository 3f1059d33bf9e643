package nfplus1

import (
	"cmp"
	"context"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file computes curves: throughput and transfer time at rising requested loads.

// routing is a routing with a curve.
type routing struct {
	name, spec string
	vcs        int
}

// compared are the routings of figures 12 to 15.
var compared = []routing{{"dimension order", "dor,order=yx", 2}, {"NF+1", "nf+1", 2}}

// loads are the loads that are requested, in flits per clock and PE.
var loads = []float64{0.01, 0.02, 0.03, 0.04, 0.045, 0.05, 0.055, 0.06, 0.065, 0.07, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3, 0.5, 1}

// point is a point of a curve. Its values are by seed.
type point struct {
	load                       float64
	throughput, time, distance []float64
}

// defaultSeeds is the number of seeds of the default reading. Other readings have one.
const defaultSeeds = 3

// length returns the number of clocks and of seeds of a reading.
func length(o *paper.Options, x *reading) (engine.Clock, int) {
	switch {
	case o.Quick:
		return 3_000, 1
	case o.Seeds > 0:
		return 50_000, o.Seeds
	case x.name != readings()[0].name:
		return 50_000, 1
	}
	return 50_000, defaultSeeds
}

// points simulates routings at loads, and returns the points of each routing.
func points(ctx context.Context, r *paper.Result, list []routing, traffic string, x reading, at [][]float64) ([][]point, error) {
	clocks, seeds := length(&r.Options, &x)
	var jobs []job
	for k, routing := range list {
		for _, load := range at[k] {
			for seed := range seeds {
				jobs = append(jobs, job{routing.name, routing.spec, routing.vcs, traffic, x, load, uint64(seed + 1), clocks, ""})
			}
		}
	}
	values, err := r.Points(ctx, len(jobs), func(i int) string { return jobs[i].key() },
		func(ctx context.Context, i int) ([]float64, error) { return jobs[i].run(ctx) })
	if err != nil {
		return nil, err
	}
	curves, next := make([][]point, len(list)), 0
	for k := range list {
		for _, load := range at[k] {
			p := point{load: load}
			for range seeds {
				v := values[next]
				p.throughput, p.time, p.distance = append(p.throughput, v[0]), append(p.time, v[1]), append(p.distance, v[2])
				next++
			}
			curves[k] = append(curves[k], p)
		}
	}
	return curves, nil
}

// simulateCurves returns the curve of each routing, with more loads around its highest throughput.
func simulateCurves(ctx context.Context, r *paper.Result, list []routing, traffic string, x reading) ([][]point, error) {
	at := make([][]float64, len(list))
	for k := range at {
		at[k] = loads
	}
	curves, err := points(ctx, r, list, traffic, x, at)
	for round := 0; round < refinements(r) && err == nil; round++ {
		for k := range list {
			at[k] = around(curves[k])
		}
		var more [][]point
		more, err = points(ctx, r, list, traffic, x, at)
		for k := range more {
			curves[k] = append(curves[k], more[k]...)
			slices.SortFunc(curves[k], func(a, b point) int { return cmp.Compare(a.load, b.load) })
		}
	}
	return curves, err
}

func refinements(r *paper.Result) int {
	if r.Quick {
		return 0
	}
	return 2
}

// around returns the loads in the middle between the load of the highest throughput and its neighbours.
func around(curve []point) (list []float64) {
	at := peakIndex(curve)
	if at > 0 {
		list = append(list, (curve[at-1].load+curve[at].load)/2)
	}
	if at+1 < len(curve) {
		list = append(list, (curve[at].load+curve[at+1].load)/2)
	}
	return list
}

// peakIndex returns the place of the point with the highest mean throughput.
func peakIndex(curve []point) (at int) {
	for i := range curve {
		if paper.Mean(curve[i].throughput) > paper.Mean(curve[at].throughput) {
			at = i
		}
	}
	return at
}
