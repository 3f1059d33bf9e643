package flowlimiting

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/view/sheet"
)

const source = "Yokota, Ohkawa, Ootsu and Baba, Utsunomiya University"

// Reproductions returns the tables and figures of the paper.
func Reproductions() []paper.Reproduction {
	return []paper.Reproduction{
		figure("flow-limiting/figure-4", "one-shot collectives: how long each routing takes alone", base),
		figure("flow-limiting/figure-5", "the same with throttling and gating, the best of all parameters", best),
		figure("flow-limiting/figure-6", "the best of all for each pattern and routing", bestOfAll),
		figure("flow-limiting/figure-7", "virtual control channels against a dedicated control network", control),
		figure("flow-limiting/figure-8", "packets sent and received over time", courses),
		figure("flow-limiting/figure-9", "steady traffic: critical load and network performance measure", ramp),
	}
}

func figure(name, about string, compute func(context.Context, *run) error) paper.Reproduction {
	return paper.Reproduction{Name: name, About: about, Source: source, HasJournal: true, HasReadings: true, HasFigure: true, Compute: withStudy(compute)}
}

// run is the state of a running reproduction.
type run struct {
	*paper.Result
	study    congestion.Study
	patterns []string
}

// withStudy returns a function that sets the study from the options and then calls figure.
func withStudy(figure func(context.Context, *run) error) func(context.Context, *paper.Result) error {
	return func(ctx context.Context, r *paper.Result) error {
		f := &run{Result: r, study: congestion.Default(), patterns: congestion.PatternNames(congestion.AllToAll)}
		if r.Quick {
			f.study.Side, f.study.Rounds, f.study.Hops = 16, 1, 9
		}
		for _, text := range r.Readings {
			if text == congestion.AllToAll {
				f.patterns = congestion.PatternNames()
			} else if err := f.study.Read(text); err != nil {
				return fmt.Errorf("--reading: %w", err)
			}
		}
		if err := figure(ctx, f); err != nil {
			return err
		}
		f.AddNote("Readings: %s. Packets of 8 flits, buffers of 15; dor with 2 VCs, the others with 3, of which 2 are the escape; no "+
			"packets of a host to itself. Cross-Line: as simple-adaptive, among free VCs that with the least VCinfo (f3, 0.8).", f.study.Readings())
		return nil
	}
}

// simulate runs points. Before, it reports how long all of them will take.
func (f *run) simulate(ctx context.Context, points []congestion.Point) ([]congestion.Result, error) {
	if err := f.estimate(ctx, points); err != nil {
		return nil, err
	}
	return congestion.Run(ctx, f.study, points, congestion.Options{Journal: f.Journal, Stamp: stamp, Progress: f.Progress.Points})
}

// stamp identifies the version of the results in a journal. Change it if the results change.
const stamp = "1"

// estimate measures one round of three points, and reports how long all points will take.
func (f *run) estimate(ctx context.Context, points []congestion.Point) error {
	if len(points) < 100 || f.Progress.Estimate == nil {
		return nil
	}
	one := f.study
	one.Rounds = 1
	seconds, hops := 0.0, 0.0
	for _, p := range []congestion.Point{{Algorithm: "do", Pattern: "rpar"}, {Algorithm: "dp", Pattern: "shfl"}, {Algorithm: "df", Pattern: "brot"}} {
		p.Method, p.Control = congestion.Method{Kind: congestion.Throttling, Mobility: 0.6, Occupancy: 0.2}, engine.VirtualControl
		res, _, err := one.Series(ctx, p, 1000)
		if err != nil {
			return err
		}
		seconds, hops = seconds+res.Seconds, hops+float64(res.FlitHops)
	}
	all := 0.0
	for i := range points {
		all += f.study.FlitHops(&points[i])
	}
	f.Progress.Estimate(len(points), f.study.Rounds, time.Duration(all*seconds/hops/float64(runtime.GOMAXPROCS(0))*float64(time.Second)))
	return nil
}

// times returns the duration to draw. All-to-all takes about fifty times as long as the other
// patterns, so its duration is divided by fifty.
func times(pattern string, mean float64) float64 {
	if pattern == congestion.AllToAll {
		return mean / 50
	}
	return mean
}

func methodIs(algorithm, pattern, group string) func(*congestion.Result) bool {
	return func(r *congestion.Result) bool {
		return r.Point.Algorithm == algorithm && r.Point.Pattern == pattern && (group == "" || r.Point.Method.Group() == group) &&
			r.Point.Control == engine.VirtualControl
	}
}

func algorithmNames() (names []string) {
	for _, a := range congestion.Algorithms() {
		names = append(names, a.Name)
	}
	return names
}

func base(ctx context.Context, f *run) error {
	points := congestion.Collectives(f.patterns, engine.VirtualControl)
	points = slices.DeleteFunc(points, func(p congestion.Point) bool { return p.Method.Kind != congestion.Base })
	results, err := f.simulate(ctx, points)
	if err != nil {
		return err
	}
	f.AddNote("Clocks of a round, in the mean over %d. Published: some hundreds to 2,500, in the text.", f.study.Rounds)
	return f.byPattern(results, "One-shot collectives, routing alone")
}

// byPattern draws the best result of each routing, as bars by pattern.
func (f *run) byPattern(results []congestion.Result, title string) error {
	bars := sheet.Bars{Title: title, YTitle: "clocks", Groups: f.patterns, Names: algorithmNames()}
	for _, a := range bars.Names {
		var values []float64
		for _, pattern := range f.patterns {
			best, _, _ := congestion.Best(results, methodIs(a, pattern, ""))
			values = append(values, f.bar(pattern, a, best))
		}
		bars.Values = append(bars.Values, values)
	}
	f.Charts = []sheet.Chart{&bars}
	return nil
}

// bar adds the row of a duration and returns the duration to draw.
func (f *run) bar(pattern, quantity string, best *congestion.Result) float64 {
	if best == nil {
		return 0
	}
	f.AddRow(pattern, quantity, best.Point.Method.String(), math.NaN(), best.Mean)
	return times(pattern, best.Mean)
}

// groupPanels draws the best result of each group, as bars by algorithm, with a panel for each
// pattern.
func groupPanels(f *run, results []congestion.Result) (panels []*sheet.Bars) {
	for _, pattern := range f.patterns {
		bars := sheet.Bars{Title: pattern, YTitle: "clocks", Groups: algorithmNames(), Names: congestion.Groups()}
		for _, group := range congestion.Groups() {
			var values []float64
			for _, a := range bars.Groups {
				best, all, frozen := congestion.Best(results, methodIs(a, pattern, group))
				values = append(values, f.bar(pattern, a+" "+group, best))
				if frozen > 0 {
					f.AddRow(pattern, a+" "+group+", frozen", fmt.Sprintf("of %d", all), math.NaN(), float64(frozen))
				}
			}
			bars.Values = append(bars.Values, values)
		}
		panels = append(panels, &bars)
	}
	return panels
}

func best(ctx context.Context, f *run) error {
	results, err := f.simulate(ctx, congestion.Collectives(f.patterns, engine.VirtualControl))
	if err != nil {
		return err
	}
	panels := groupPanels(f, results)
	f.gainRows(results)
	f.frozenNote(results)
	f.Charts = paper.Charts(panels)
	return nil
}

// gainRows adds rows with the gains of gating that the paper's text states, and ours.
func (f *run) gainRows(results []congestion.Result) {
	for _, pattern := range f.patterns {
		for _, a := range algorithmNames() {
			base, _, _ := congestion.Best(results, methodIs(a, pattern, "BA"))
			for _, group := range congestion.Groups()[1:] {
				best, _, _ := congestion.Best(results, methodIs(a, pattern, group))
				if base == nil || best == nil {
					continue
				}
				published := math.NaN()
				if a == "do" && pattern == "torn" && group == "GT(8)" {
					published = 0.5 // the paper says "nearly half"
				}
				f.AddRow(pattern, a+" "+group+" / BA", best.Point.Method.String(), published, best.Mean/base.Mean)
			}
		}
	}
}

// frozenNote adds a note about deadlocks.
func (f *run) frozenNote(results []congestion.Result) {
	count, first := 0, ""
	for i := range results {
		if r := &results[i]; r.Frozen {
			if count++; first == "" {
				first = fmt.Sprintf("%s, clock %d, %d packets", r.Point, r.Clock, r.Packets)
			}
		}
	}
	if count > 0 {
		f.AddNote("%d of %d simulations froze in deadlock and have no duration; the first: %s. What freezes and what cannot: "+
			"docs/flow-limiting.md.", count, len(results), first)
	}
}

func bestOfAll(ctx context.Context, f *run) error {
	results, err := f.simulate(ctx, congestion.Collectives(f.patterns, engine.VirtualControl))
	if err != nil {
		return err
	}
	f.frozenNote(results)
	return f.byPattern(results, "One-shot collectives, the best of all parameters")
}

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
	cloud := sheet.Cloud{Title: "Control by virtual channels and by a network of its own", XTitle: "clocks, dedicated control network",
		YTitle: "clocks, virtual control channels", Diagonal: true}
	for _, a := range algorithmNames() {
		var points plotter.XYs
		var ratios []float64
		near := 0
		for i := range results {
			r := &results[i]
			x, ok := dedicated[r.Point]
			if r.Point.Control != engine.VirtualControl || r.Point.Algorithm != a || r.Frozen || !ok {
				continue
			}
			points = append(points, plotter.XY{X: times(r.Point.Pattern, x), Y: times(r.Point.Pattern, r.Mean)})
			ratios = append(ratios, r.Mean/x)
			if math.Abs(r.Mean/x-1) <= 0.05 {
				near++
			}
		}
		cloud.Names, cloud.Points = append(cloud.Names, a), append(cloud.Points, points)
		if len(ratios) > 0 {
			f.AddRow(a, "virtual / dedicated, mean", "all patterns and parameters that did not freeze", 1, paper.Mean(ratios))
			f.AddRow(a, "virtual / dedicated, largest", "", math.NaN(), slices.Max(ratios))
			f.AddRow(a, "within 5 %, %", "", math.NaN(), 100*float64(near)/float64(len(ratios)))
		}
	}
	f.AddNote("Published: near y = x with few exceptions, dedicated control somewhat better.")
	f.Charts = []sheet.Chart{&cloud}
	return nil
}

// shownCourses are the panels of figure 8. The paper's text does not say which methods it shows.
var shownCourses = []struct {
	pattern string
	window  engine.Clock
}{{"trns", 10}, {"shfl", 10}, {congestion.AllToAll, 100}}

func courses(ctx context.Context, f *run) error {
	var courses []congestion.Course
	study := f.study
	study.Rounds = 1
	for _, c := range shownCourses {
		if !slices.Contains(f.patterns, c.pattern) && !f.Quick {
			continue
		}
		course := congestion.Course{Title: c.pattern + ", do"}
		for _, m := range []congestion.Method{{Kind: congestion.Base}, {Kind: congestion.Throttling, Mobility: 0.8, Occupancy: 0.1},
			{Kind: congestion.Gating, Func: "f4", Place: "turn", Level: 8}} {
			res, series, err := study.Series(ctx, congestion.Point{Algorithm: "do", Pattern: c.pattern, Method: m, Control: engine.VirtualControl}, c.window)
			if err != nil {
				return err
			}
			if res.Frozen {
				f.AddNote("%s froze in clock %d, %d packets.", res.Point, res.Clock, res.Packets)
			}
			f.AddRow(c.pattern, m.String()+", clocks", "", math.NaN(), res.Mean)
			f.AddRow(c.pattern, m.String()+", sent: deviation / mean", "by windows", math.NaN(), unsteady(series.Sent))
			f.AddRow(c.pattern, m.String()+", received: deviation / mean", "by windows", math.NaN(), unsteady(series.Received))
			course.Names, course.Flows, course.Ends = append(course.Names, m.String()), append(course.Flows, series), append(course.Ends, res.Mean)
		}
		courses = append(courses, course)
	}
	f.AddNote("Published: throttling keeps down the packets sent, lets them rush in and throttles again; the packets received are steadier.")
	f.Charts = congestion.CourseCharts(courses)
	return nil
}

// unsteady returns the standard deviation of counts divided by their mean.
func unsteady(counts []int64) float64 {
	sum, squares := 0.0, 0.0
	for _, k := range counts {
		sum += float64(k)
		squares += float64(k) * float64(k)
	}
	n := float64(len(counts))
	m := sum / n
	return math.Sqrt(max(squares/n-m*m, 0)) / m
}

// rampTo and rampClocks are the final load and the length of the ramp, which the paper's text does
// not state.
const (
	rampTo     = 0.6
	rampClocks = 30_000
)

func ramp(ctx context.Context, f *run) error {
	to, clocks := rampTo, engine.Clock(rampClocks)
	if f.Quick {
		clocks /= 3
	}
	algorithms := []string{"do", "dp"}
	results, err := f.simulate(ctx, congestion.Ramps(algorithms, f.patterns, to, clocks))
	if err != nil {
		return err
	}
	var clouds []*sheet.Cloud
	for _, a := range algorithms {
		cloud := sheet.Cloud{Title: a, XTitle: "critical load (flits/clock/host)", YTitle: "NPM", Drop: len(f.patterns)}
		for shape, kind := range []congestion.Kind{congestion.Base, congestion.Throttling, congestion.Gating} {
			for hue, pattern := range f.patterns {
				var points plotter.XYs
				for i := range results {
					if r := &results[i]; r.Point.Algorithm == a && r.Point.Pattern == pattern && r.Point.Method.Kind == kind && !r.Frozen {
						points = append(points, plotter.XY{X: r.Critical, Y: r.NPM})
					}
				}
				cloud.Names, cloud.Points = append(cloud.Names, string(kind)+" "+pattern), append(cloud.Points, points)
				cloud.Colors, cloud.Shapes = append(cloud.Colors, hue), append(cloud.Shapes, shape)
				f.rampRows(a, pattern, kind, points)
			}
		}
		clouds = append(clouds, &cloud)
	}
	f.frozenNote(results)
	f.AddNote("The load rises evenly from 0 to %g flits per clock and host in %d clocks, 50 windows. Critical load: from it on throughput "+
		"stays below %g of what was created the least latency before. Network performance measure: throughput over mean latency, "+
		"integrated over the load. Definitions are ours, from the paper's description.", to, clocks, 0.95)
	f.Charts = paper.Charts(clouds)
	return nil
}

// rampRows adds rows with the best and the worst result of a kind of flow limiting.
func (f *run) rampRows(a, pattern string, kind congestion.Kind, points plotter.XYs) {
	if len(points) == 0 {
		return
	}
	critical, npm := make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		critical[i], npm[i] = p.X, p.Y
	}
	item := strings.Join([]string{a, pattern, string(kind)}, " ")
	f.AddRow(item, "critical load, best", "", math.NaN(), slices.Max(critical))
	f.AddRow(item, "critical load, worst", "", math.NaN(), slices.Min(critical))
	f.AddRow(item, "NPM, best", "", math.NaN(), slices.Max(npm))
	f.AddRow(item, "NPM, worst", "", math.NaN(), slices.Min(npm))
}
