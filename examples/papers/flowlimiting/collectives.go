package flowlimiting

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file computes figures 4 to 7: one-shot collectives.

var nan = math.NaN()

// methodIs selects the results of a routing, a pattern and a group of methods, or of all groups.
func methodIs(algorithm, pattern, group string) func(*congestion.Result) bool {
	return func(r *congestion.Result) bool {
		return r.Point.Algorithm == algorithm && r.Point.Pattern == pattern && (group == "" || r.Point.Method.Group() == group) &&
			r.Point.Control == engine.VirtualControl
	}
}

// addBest adds the row of the best chosen result, and a note if some froze.
func (f *run) addBest(item, quantity string, results []congestion.Result, chosen func(*congestion.Result) bool) {
	best, all, frozen := congestion.Best(results, chosen)
	if frozen > 0 {
		f.AddNote("%s %s: %d of %d simulations froze.", item, quantity, frozen, all)
	}
	if best != nil {
		f.AddRow(item, quantity, f.reading(), nan, best.Mean)
	}
}

func base(ctx context.Context, f *run) error {
	points := congestion.Collectives(congestion.PatternNames(), engine.VirtualControl)
	points = slices.DeleteFunc(points, func(p congestion.Point) bool {
		return p.Method.Kind != congestion.Base || f.Quick && p.Pattern == congestion.AllToAll
	})
	results, err := f.simulate(ctx, points)
	if err != nil {
		return err
	}
	for i := range results {
		if r := &results[i]; !r.Frozen {
			f.AddRow(r.Point.Pattern, r.Point.Algorithm, f.reading(), nan, r.Mean)
		}
	}
	return f.otherBases(ctx)
}

// otherBases adds the base with four VCs of dimension order, with room for a packet and for a flit.
func (f *run) otherBases(ctx context.Context) error {
	if !slices.Contains(f.Readings, paper.AllReadings) {
		return nil
	}
	for _, more := range [][]string{{"dovcs=4"}, {"dovcs=4", "room=wormhole"}} {
		other := *f
		for _, text := range more {
			if err := other.study.Read(text); err != nil {
				return err
			}
		}
		points := congestion.Collectives(f.patterns, engine.VirtualControl)
		points = slices.DeleteFunc(points, func(p congestion.Point) bool { return p.Method.Kind != congestion.Base || p.Algorithm != "do" })
		results, err := other.simulate(ctx, points)
		if err != nil {
			return err
		}
		for i := range results {
			f.AddRow(results[i].Point.Pattern, "do", other.reading(), nan, results[i].Mean)
		}
	}
	return nil
}

// byPattern draws bars of the routings by pattern. All-to-all takes about fifty times as long as the others,
// so its bars are divided by fifty, as in the paper.
func byPattern(r *paper.Result) []sheet.Chart {
	bars := sheet.Bars{Title: r.Item.About, YTitle: "clocks", Names: algorithmNames()}
	for _, x := range r.DefaultRows() {
		if !slices.Contains(bars.Groups, x.Item) {
			bars.Groups = append(bars.Groups, x.Item)
		}
	}
	for _, a := range bars.Names {
		var values []float64
		for _, pattern := range bars.Groups {
			values = append(values, shown(r.Row(pattern, a), pattern))
		}
		bars.Values = append(bars.Values, values)
	}
	return []sheet.Chart{&bars}
}

// shown returns the duration to draw, or 0 if there is none.
func shown(x *paper.Row, pattern string) float64 {
	switch {
	case x == nil:
		return 0
	case pattern == congestion.AllToAll:
		return x.Ours / 50
	}
	return x.Ours
}

func best(ctx context.Context, f *run) error {
	results, err := f.simulate(ctx, congestion.Collectives(f.patterns, engine.VirtualControl))
	if err != nil {
		return err
	}
	for _, pattern := range f.patterns {
		for _, a := range algorithmNames() {
			for _, group := range congestion.Groups() {
				f.addBest(pattern+" "+a, group, results, methodIs(a, pattern, group))
			}
		}
	}
	return nil
}

// groupPanels draws the best of each group as bars by routing, with a panel for each pattern.
func groupPanels(r *paper.Result) (charts []sheet.Chart) {
	for _, pattern := range congestion.PatternNames() {
		bars := sheet.Bars{Title: pattern, YTitle: "clocks", Groups: algorithmNames(), Names: congestion.Groups()}
		for _, group := range congestion.Groups() {
			var values []float64
			for _, a := range bars.Groups {
				values = append(values, shown(r.Row(pattern+" "+a, group), pattern))
			}
			bars.Values = append(bars.Values, values)
		}
		if r.Row(pattern+" do", "BA") != nil {
			charts = append(charts, &bars)
		}
	}
	return charts
}

func bestOfAll(ctx context.Context, f *run) error {
	results, err := f.simulate(ctx, congestion.Collectives(f.patterns, engine.VirtualControl))
	if err != nil {
		return err
	}
	for _, pattern := range f.patterns {
		for _, a := range algorithmNames() {
			f.addBest(pattern, a, results, methodIs(a, pattern, ""))
		}
	}
	return nil
}

// control compares the two control paths, point by point.
func control(ctx context.Context, f *run) error {
	results, err := f.simulate(ctx, congestion.Collectives(f.patterns, engine.VirtualControl, engine.DedicatedControl))
	if err != nil {
		return err
	}
	dedicated := map[congestion.Point]float64{}
	for i := range results {
		if r := &results[i]; r.Point.Control == engine.DedicatedControl && !r.Frozen {
			p := r.Point
			p.Control = engine.VirtualControl
			dedicated[p] = r.Mean
		}
	}
	cloud := sheet.Cloud{Title: "Virtual control channels, dedicated network", XTitle: "clocks, dedicated control network",
		YTitle: "clocks, virtual control channels", Diagonal: true}
	for _, a := range algorithmNames() {
		points := pairs(results, dedicated, a)
		cloud.Names, cloud.Points = append(cloud.Names, a), append(cloud.Points, points)
		f.controlRows(a, points)
	}
	f.Charts = []sheet.Chart{&cloud}
	return nil
}

// pairs returns the durations of a routing with dedicated and with virtual control.
func pairs(results []congestion.Result, dedicated map[congestion.Point]float64, a string) (points plotter.XYs) {
	for i := range results {
		r := &results[i]
		if x, ok := dedicated[r.Point]; ok && !r.Frozen && r.Point.Control == engine.VirtualControl && r.Point.Algorithm == a {
			points = append(points, plotter.XY{X: x, Y: r.Mean})
		}
	}
	return points
}

// withinTenth is the share of points at which both control paths nearly agree.
const withinTenth = "% within 10 %"

func (f *run) controlRows(a string, points plotter.XYs) {
	if len(points) == 0 {
		return
	}
	sum, most, near := 0.0, 0.0, 0
	for _, p := range points {
		ratio := p.Y / p.X
		sum, most = sum+ratio, max(most, ratio)
		if paper.Near(ratio, 1) {
			near++
		}
	}
	f.AddRow(a, "virtual / dedicated, mean", f.reading(), nan, sum/float64(len(points)))
	f.AddRow(a, "largest", f.reading(), nan, most)
	f.AddRow(a, withinTenth, f.reading(), nan, 100*float64(near)/float64(len(points)))
}

// allToAll compares the groups in all-to-all under dimension order.
func allToAll(ctx context.Context, f *run) error {
	if !f.rounds {
		f.study.Rounds, f.rounds = 1, true
	}
	points := congestion.Collectives([]string{congestion.AllToAll}, engine.VirtualControl)
	points = slices.DeleteFunc(points, func(p congestion.Point) bool {
		return p.Algorithm != "do" || f.Quick && p.Method.Kind != congestion.Base
	})
	results, err := f.simulate(ctx, points)
	if err != nil {
		return err
	}
	for _, group := range congestion.Groups() {
		f.addBest(congestion.AllToAll, group, results, methodIs("do", congestion.AllToAll, group))
	}
	return nil
}
