package flowlimiting

import (
	"context"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file computes figure 9: steady traffic.

// rampAlgorithms are the routings of figure 9.
var rampAlgorithms = []string{"do", "dp"}

// ramp adds rows with all results: an item is a routing, a pattern and a method.
func ramp(ctx context.Context, f *run) error {
	if f.Quick {
		f.study.RampClocks /= 3
	}
	results, err := f.simulate(ctx, f.study.Ramps(rampAlgorithms, f.patterns))
	if err != nil {
		return err
	}
	if err := f.agreement(ctx, results); err != nil {
		return err
	}
	for _, a := range rampAlgorithms {
		for _, pattern := range f.patterns {
			for _, kind := range []congestion.Kind{congestion.Base, congestion.Throttling, congestion.Gating} {
				f.rampRows(results, a, pattern, kind)
			}
		}
	}
	f.Charts = rampCharts(results, f.patterns)
	return nil
}

// sameOrder names the rows of agreement.
const sameOrder = "% of pairs of methods in the order of figure 5"

// agreement adds, for each routing, the share of pairs of methods that steady traffic puts in the same
// order as collectives (figure 5): a method is better if its critical load is higher, or if a
// collective takes fewer clocks. Pairs that are equal in either are left out.
func (f *run) agreement(ctx context.Context, ramps []congestion.Result) error {
	points := congestion.Collectives(f.patterns, engine.VirtualControl)
	points = slices.DeleteFunc(points, func(p congestion.Point) bool { return !slices.Contains(rampAlgorithms, p.Algorithm) })
	results, err := f.simulate(ctx, points)
	if err != nil {
		return err
	}
	type key struct {
		algorithm, pattern string
		method             congestion.Method
	}
	duration := map[key]float64{}
	for i := range results {
		if r := &results[i]; !r.Frozen {
			duration[key{r.Point.Algorithm, r.Point.Pattern, r.Point.Method}] = r.Mean
		}
	}
	for _, a := range rampAlgorithms {
		same, all := 0, 0
		for i := range ramps {
			for k := range i {
				x, y := &ramps[i], &ramps[k]
				if x.Point.Algorithm != a || y.Point.Algorithm != a || x.Point.Pattern != y.Point.Pattern || x.Frozen || y.Frozen {
					continue
				}
				slower := duration[key{a, x.Point.Pattern, x.Point.Method}] - duration[key{a, y.Point.Pattern, y.Point.Method}]
				if order := slower * (y.Critical - x.Critical); order != 0 {
					all++
					if order > 0 {
						same++
					}
				}
			}
		}
		if all > 0 {
			f.AddRow(a, sameOrder, f.reading(), nan, 100*float64(same)/float64(all))
		}
	}
	return nil
}

// rampRows adds the least and the largest critical load and measure of a kind of flow limiting.
func (f *run) rampRows(results []congestion.Result, a, pattern string, kind congestion.Kind) {
	leastLoad, mostLoad, leastNPM, mostNPM := math.Inf(1), 0.0, math.Inf(1), 0.0
	for i := range results {
		if r := &results[i]; isRamp(r, a, pattern, kind) {
			leastLoad, mostLoad = min(leastLoad, r.Critical), max(mostLoad, r.Critical)
			leastNPM, mostNPM = min(leastNPM, r.NPM), max(mostNPM, r.NPM)
		}
	}
	if mostLoad == 0 {
		return
	}
	item := strings.Join([]string{a, pattern, string(kind)}, " ")
	f.AddRow(item, "critical load, least", f.reading(), nan, leastLoad)
	f.AddRow(item, "critical load, best", f.reading(), nan, mostLoad)
	f.AddRow(item, "NPM, least", f.reading(), nan, leastNPM)
	f.AddRow(item, "NPM, best", f.reading(), nan, mostNPM)
}

func isRamp(r *congestion.Result, a, pattern string, kind congestion.Kind) bool {
	return r.Point.Algorithm == a && r.Point.Pattern == pattern && r.Point.Method.Kind == kind && !r.Frozen
}

// rampCharts draws a cloud of points for each routing: colours are patterns, shapes are kinds.
func rampCharts(results []congestion.Result, patterns []string) (charts []sheet.Chart) {
	for _, a := range rampAlgorithms {
		cloud := sheet.Cloud{Title: a, XTitle: "critical load (flits/clock/host)", YTitle: "NPM", Drop: len(patterns)}
		for shape, kind := range []congestion.Kind{congestion.Base, congestion.Throttling, congestion.Gating} {
			for hue, pattern := range patterns {
				var points plotter.XYs
				for i := range results {
					if r := &results[i]; isRamp(r, a, pattern, kind) {
						points = append(points, plotter.XY{X: r.Critical, Y: r.NPM})
					}
				}
				cloud.Names, cloud.Points = append(cloud.Names, string(kind)+" "+pattern), append(cloud.Points, points)
				cloud.Colors, cloud.Shapes = append(cloud.Colors, hue), append(cloud.Shapes, shape)
			}
		}
		charts = append(charts, &cloud)
	}
	return charts
}
