package reproduce

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file reproduces the curves of the North-First+1 paper: NF+1 beside its
// dimension order, y first, on a 16x16 torus with 2 VCs and send buffers of 2. Its
// text says what the curves show; packet length, switching and clocks a hop are not
// given, and so are varied.

const nfSource = "Matoyama, Miura and Watanabe, RC-005"

var nfReproductions = []reproduction{
	{"nf1/figure-12", "NF+1 and dimension order under random traffic on a 16x16 torus", nfSource, 0, nfFigure("uniform", "random")},
	{"nf1/figure-13", "the same with 10 % of the packets to PE(0)", nfSource, 0, nfFigure("hotspot:0.1@0", "hot spot")},
	{"nf1/figure-14", "the same with a matrix transpose: transfer time against throughput", nfSource, 0, nfFigure("anti-transpose", "transpose")},
	{"nf1/figure-15", "the same with a matrix transpose: throughput against requested load", nfSource, 0, nfRequests},
}

// nfReading is a reading of what the paper leaves open.
type nfReading struct {
	name   string
	flits  int
	engine engine.Options
}

func nfReadings(quick bool) (list []nfReading) {
	buffers := []int{2}
	lengths := []int{4, 16, 64}
	if quick {
		lengths = lengths[1:2]
	} else {
		buffers = append(buffers, 16)
	}
	for _, buffer := range buffers {
		for _, flits := range lengths {
			list = append(list, nfReading{fmt.Sprintf("wormhole, 3 clocks a hop, buffers of %d flits, packets of %d", buffer, flits), flits, engine.Options{Timing: engine.Paper, BufferFlits: buffer}})
		}
	}
	if !quick {
		list = append(list, nfReading{"wormhole, 5 clocks a switch (BookSim 2), buffers of 8 flits, packets of 16", 16, engine.Options{BufferFlits: 8}},
			nfReading{"cut-through, 3 clocks a hop, buffers of 2 packets, packets of 16", 16, engine.Options{Timing: engine.Paper, Switching: model.CutThrough, BufferFlits: 32}})
	}
	return list
}

// nfReadings are the readings whose words have each part that is wanted.
func (r *reproducer) nfReadings() []nfReading {
	return slices.DeleteFunc(nfReadings(r.quick), func(x nfReading) bool { return !r.wants(x.name) })
}

// wants reports whether a reading is one of those asked for.
func (r *reproducer) wants(reading string) bool {
	return !slices.ContainsFunc(r.readings, func(part string) bool {
		return !strings.HasSuffix(reading, part) && !strings.Contains(reading, part+",")
	})
}

var nfRoutings = []struct{ name, spec string }{{"dimension order", "dor,order=yx"}, {"NF+1", "nf+1"}}

// nfLoads are the loads that are requested.
var nfLoads = []float64{0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.10, 0.12, 0.15, 0.20, 0.25, 0.30, 0.40, 0.60, 1}

// nfPoint is a point of a curve.
type nfPoint struct {
	load, accepted, transfer, latency float64
}

// nfCurve runs a routing at all loads.
func nfCurve(ctx context.Context, spec, traffic string, x nfReading, quick bool) ([]nfPoint, error) {
	n, err := topo.Parse("torus:16x16,vcs=2")
	if err != nil {
		return nil, err
	}
	clocks := engine.Clock(20_000)
	if quick {
		clocks = 3_000
	}
	curve := make([]nfPoint, len(nfLoads))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, load := range nfLoads {
		g.Go(func() error {
			r, err := nfRouting(spec, n)
			if err != nil {
				return err
			}
			s := trial.Settings{Engine: x.engine, Traffic: traffic, NoSelf: true, Load: load, Flits: x.flits, Clocks: clocks, Seed: 1}
			s.Engine.Select = engine.SelectOrder
			res, err := trial.Run(ctx, r, s)
			if err == nil && res.Deadlock != nil {
				err = fmt.Errorf("%s: a deadlock in clock %d", spec, res.Deadlock.Clock)
			}
			if err != nil {
				return err
			}
			curve[i] = nfPoint{load, res.Accepted, res.MeanNetworkLatency, res.MeanLatency}
			return nil
		})
	}
	return curve, g.Wait()
}

func nfRouting(spec string, n *model.Network) (model.Relation, error) {
	if spec == "nf+1" {
		return route.New("nf+1", n, route.Options{})
	}
	return route.New("dor", n, route.Options{Order: []int{1, 0}})
}

// peakOf returns the point at which most is accepted.
func peakOf(curve []nfPoint) (best nfPoint) {
	for _, p := range curve {
		if p.accepted > best.accepted {
			best = p
		}
	}
	return best
}

// timeAt is the transfer time at a throughput on the rising part of a curve, NaN
// where that is never reached.
func timeAt(curve []nfPoint, throughput float64, of func(nfPoint) float64) float64 {
	for i := 1; i < len(curve); i++ {
		a, b := curve[i-1], curve[i]
		if b.accepted >= throughput && b.accepted > a.accepted {
			part := math.Max(0, (throughput-a.accepted)/(b.accepted-a.accepted))
			return of(a) + part*(of(b)-of(a))
		}
	}
	return math.NaN()
}

// nfFigure puts curves of transfer time against throughput in a table.
func nfFigure(traffic, word string) func(context.Context, *reproducer) error {
	return func(ctx context.Context, r *reproducer) error {
		for _, x := range r.nfReadings() {
			var peaks [2]nfPoint
			chart := &sheet.Lines{Title: word + ": " + x.name, XTitle: "throughput (flits/clock/PE)", YTitle: "mean transfer time (clocks)"}
			r.charts = append(r.charts, chart)
			for k, routing := range nfRoutings {
				curve, err := nfCurve(ctx, routing.spec, traffic, x, r.quick)
				if err != nil {
					return err
				}
				chart.Names, chart.Points = append(chart.Names, routing.name), append(chart.Points, transferTimes(curve))
				p := peakOf(curve)
				peaks[k] = p
				last := curve[len(curve)-1]
				r.row(routing.name, "highest throughput", x.name, math.NaN(), p.accepted)
				r.row(routing.name, "throughput at load 1", x.name, math.NaN(), last.accepted)
				r.row(routing.name, "transfer time at load 0.01", x.name, math.NaN(), curve[0].transfer)
				r.row(routing.name, "transfer time at the highest throughput", x.name, math.NaN(), p.transfer)
				r.row(routing.name, "transfer time at load 1", x.name, math.NaN(), last.transfer)
				if t := timeAt(curve, 0.05, func(p nfPoint) float64 { return p.transfer }); !math.IsNaN(t) {
					r.row(routing.name, "transfer time at throughput 0.05", x.name, math.NaN(), t)
					r.row(routing.name, "the same with source queueing", x.name, math.NaN(), timeAt(curve, 0.05, func(p nfPoint) float64 { return p.latency }))
				}
			}
			r.row("NF+1 over dimension order", "highest throughput", x.name, math.NaN(), peaks[1].accepted/peaks[0].accepted)
		}
		if word == "transpose" {
			r.note("%s", nfDiagonal)
		}
		r.note("Published for %s, in words: %s.", word, nfClaims[word])
		return nil
	}
}

// transferTimes are the points of a curve as they are drawn, but for loads at which no
// packet arrived.
func transferTimes(curve []nfPoint) (list []sheet.Point) {
	for _, p := range curve {
		if !math.IsNaN(p.transfer) {
			list = append(list, sheet.Point{X: p.accepted, Y: p.transfer})
		}
	}
	return list
}

const nfDiagonal = "Mirrored at the diagonal from the top left, as a matrix is whose first row is on top, PE(0) being at the bottom left. Mirrored at the diagonal through PE(0) every packet goes up or to the right, NF+1 leaves it no choice, and both routings do the same, flit by flit."

var nfClaims = map[string]string{
	"random":    "NF+1 slightly below dimension order",
	"hot spot":  "NF+1 slightly above dimension order",
	"transpose": "NF+1 clearly above dimension order, whose transfer time is worse from a throughput of 0.05 on; past a peak the transfer time of both falls again, since packets with short ways arrive more often",
}

// nfRequests puts the curves of throughput against requested load in a table.
func nfRequests(ctx context.Context, r *reproducer) error {
	for _, x := range r.nfReadings() {
		for _, routing := range nfRoutings {
			curve, err := nfCurve(ctx, routing.spec, "anti-transpose", x, r.quick)
			if err != nil {
				return err
			}
			for _, p := range curve {
				r.row(routing.name, fmt.Sprintf("throughput at requested load %.2f", p.load), x.name, math.NaN(), p.accepted)
			}
		}
	}
	r.note("Published, in words: NF+1 has the higher throughput, and its curve is the closer one to the requested load. Hosts on the diagonal send nothing.")
	r.note("%s", nfDiagonal)
	return nil
}
