package nfplus1

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/sheet"
)

const source = "Matoyama, Miura and Watanabe, RC-005"

// Reproductions returns the tables and figures of the paper.
func Reproductions() []paper.Reproduction {
	return []paper.Reproduction{
		{Name: "nf1/figure-12", About: "NF+1 and dimension order under random traffic on a 16x16 torus", Source: source, HasReadings: true,
			HasFigure: true, Compute: figure("uniform", "random")},
		{Name: "nf1/figure-13", About: "the same with 10 % of the packets to PE(0)", Source: source, HasReadings: true, HasFigure: true,
			Compute: figure("hotspot:0.1@0", "hot spot")},
		{Name: "nf1/figure-14", About: "the same with a matrix transpose: transfer time against throughput", Source: source, HasReadings: true,
			HasFigure: true, Compute: figure("anti-transpose", "transpose")},
		{Name: "nf1/figure-15", About: "the same with a matrix transpose: throughput against requested load", Source: source, HasReadings: true,
			RowCharts: requestCharts, Compute: requests},
	}
}

// reading is one reading of what the paper leaves open.
type reading struct {
	name   string
	flits  int
	engine engine.Options
}

func readings(quick bool) (list []reading) {
	buffers := []int{2}
	lengths := []int{4, 16, 64}
	if quick {
		lengths = lengths[1:2]
	} else {
		buffers = append(buffers, 16)
	}
	for _, buffer := range buffers {
		for _, flits := range lengths {
			list = append(list, reading{fmt.Sprintf("wormhole, 3 clocks a hop, buffers of %d flits, packets of %d", buffer, flits), flits,
				engine.Options{Timing: engine.Paper, BufferFlits: buffer}})
		}
	}
	if !quick {
		list = append(list, reading{"wormhole, 5 clocks a switch (BookSim 2), buffers of 8 flits, packets of 16", 16, engine.Options{BufferFlits: 8}},
			reading{"cut-through, 3 clocks a hop, buffers of 2 packets, packets of 16", 16, engine.Options{Timing: engine.Paper,
				Switching: model.CutThrough, BufferFlits: 32}})
	}
	return list
}

// selected returns the readings that the options select.
func selected(o *paper.Options) []reading {
	return slices.DeleteFunc(readings(o.Quick), func(x reading) bool { return !o.Selects(x.name) })
}

var routings = []struct{ name, spec string }{{"dimension order", "dor,order=yx"}, {"NF+1", "nf+1"}}

// loads are the loads that are requested.
var loads = []float64{0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.10, 0.12, 0.15, 0.20, 0.25, 0.30, 0.40, 0.60, 1}

// point is a point of a curve.
type point struct {
	load, accepted, transfer, latency float64
}

// computeCurve runs a routing at all loads.
func computeCurve(ctx context.Context, spec, traffic string, x reading, quick bool) ([]point, error) {
	n, err := topo.Parse("torus:16x16,vcs=2")
	if err != nil {
		return nil, err
	}
	clocks := engine.Clock(20_000)
	if quick {
		clocks = 3_000
	}
	curve := make([]point, len(loads))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, load := range loads {
		g.Go(func() error {
			r, err := newRouting(spec, n)
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
			curve[i] = point{load, res.Accepted, res.MeanNetworkLatency, res.MeanLatency}
			return nil
		})
	}
	return curve, g.Wait()
}

func newRouting(spec string, n *model.Network) (model.Relation, error) {
	if spec == "nf+1" {
		return route.New("nf+1", n, route.Options{})
	}
	return route.New("dor", n, route.Options{Order: []int{1, 0}})
}

// peakOf returns the point of a curve with the highest accepted load.
func peakOf(curve []point) (best point) {
	for _, p := range curve {
		if p.accepted > best.accepted {
			best = p
		}
	}
	return best
}

// timeAt returns the transfer time at a throughput on the rising part of a curve, or NaN if the
// curve does not reach this throughput.
func timeAt(curve []point, throughput float64, of func(point) float64) float64 {
	for i := 1; i < len(curve); i++ {
		a, b := curve[i-1], curve[i]
		if b.accepted >= throughput && b.accepted > a.accepted {
			part := math.Max(0, (throughput-a.accepted)/(b.accepted-a.accepted))
			return of(a) + part*(of(b)-of(a))
		}
	}
	return math.NaN()
}

// figure returns a function that adds curves of transfer time over throughput to a result.
func figure(traffic, word string) func(context.Context, *paper.Result) error {
	return func(ctx context.Context, r *paper.Result) error {
		for _, x := range selected(&r.Options) {
			var peaks [2]point
			chart := &sheet.Lines{Title: word + ": " + x.name, XTitle: "throughput (flits/clock/PE)", YTitle: "mean transfer time (clocks)"}
			r.Charts = append(r.Charts, chart)
			for k, routing := range routings {
				curve, err := computeCurve(ctx, routing.spec, traffic, x, r.Quick)
				if err != nil {
					return err
				}
				chart.Names, chart.Points = append(chart.Names, routing.name), append(chart.Points, transferTimes(curve))
				p := peakOf(curve)
				peaks[k] = p
				last := curve[len(curve)-1]
				r.AddRow(routing.name, "highest throughput", x.name, math.NaN(), p.accepted)
				r.AddRow(routing.name, "throughput at load 1", x.name, math.NaN(), last.accepted)
				r.AddRow(routing.name, "transfer time at load 0.01", x.name, math.NaN(), curve[0].transfer)
				r.AddRow(routing.name, "transfer time at the highest throughput", x.name, math.NaN(), p.transfer)
				r.AddRow(routing.name, "transfer time at load 1", x.name, math.NaN(), last.transfer)
				if t := timeAt(curve, 0.05, func(p point) float64 { return p.transfer }); !math.IsNaN(t) {
					r.AddRow(routing.name, "transfer time at throughput 0.05", x.name, math.NaN(), t)
					r.AddRow(routing.name, "the same with source queueing", x.name, math.NaN(), timeAt(curve, 0.05, func(p point) float64 { return p.latency }))
				}
			}
			r.AddRow("NF+1 over dimension order", "highest throughput", x.name, math.NaN(), peaks[1].accepted/peaks[0].accepted)
		}
		if word == "transpose" {
			r.AddNote("%s", diagonal)
		}
		r.AddNote("Published for %s, in words: %s.", word, claims[word])
		return nil
	}
}

// transferTimes returns the points of a curve, except for the loads at which no packet arrived.
func transferTimes(curve []point) (list []sheet.Point) {
	for _, p := range curve {
		if !math.IsNaN(p.transfer) {
			list = append(list, sheet.Point{X: p.accepted, Y: p.transfer})
		}
	}
	return list
}

const diagonal = "Mirrored at the diagonal from the top left, as a matrix is whose first row is on top, PE(0) being at the bottom left. " +
	"Mirrored at the diagonal through PE(0) every packet goes up or to the right, NF+1 leaves it no choice, and both routings do the same, flit by flit."

var claims = map[string]string{
	"random":   "NF+1 slightly below dimension order",
	"hot spot": "NF+1 slightly above dimension order",
	"transpose": "NF+1 clearly above dimension order, whose transfer time is worse from a throughput of 0.05 on; past a peak the transfer " +
		"time of both falls again, since packets with short ways arrive more often",
}

// requests adds curves of throughput over requested load to a result.
func requests(ctx context.Context, r *paper.Result) error {
	for _, x := range selected(&r.Options) {
		for _, routing := range routings {
			curve, err := computeCurve(ctx, routing.spec, "anti-transpose", x, r.Quick)
			if err != nil {
				return err
			}
			for _, p := range curve {
				r.AddRow(routing.name, fmt.Sprintf("throughput at requested load %.2f", p.load), x.name, math.NaN(), p.accepted)
			}
		}
	}
	r.AddNote("Published, in words: NF+1 has the higher throughput, and its curve is the closer one to the requested load. Hosts on the " +
		"diagonal send nothing.")
	r.AddNote("%s", diagonal)
	return nil
}
