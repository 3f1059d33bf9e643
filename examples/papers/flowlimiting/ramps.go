package flowlimiting

import (
	"context"
	"math"
	"strings"

	"gonum.org/v1/plot/plotter"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file computes figure 9: steady traffic.

// rampTo and rampClocks are the final load and the length of the ramp, which the paper's text does
// not state.
const (
	rampTo     = 0.6
	rampClocks = 30_000
)

// rampAlgorithms are the routings of figure 9.
var rampAlgorithms = []string{"do", "dp"}

// ramp adds rows with all results: an item is a routing, a pattern and a method.
func ramp(ctx context.Context, f *run) error {
	f.smaller()
	clocks := engine.Clock(rampClocks)
	if f.Quick {
		clocks /= 3
	}
	results, err := f.simulate(ctx, congestion.Ramps(rampAlgorithms, f.patterns, rampTo, clocks))
	if err != nil {
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
