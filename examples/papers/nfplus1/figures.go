package nfplus1

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file has the rows and charts of figures 12 to 15.

const (
	random    = "uniform"
	hotSpot   = "hotspot:0.1@0"
	transpose = "anti-transpose"
)

// highest is the row of the highest throughput of each curve.
const highest = "highest"

// throughputs are the throughputs at which transfer times are compared.
var throughputs = []float64{0.03, 0.04, 0.05, 0.06}

func atThroughput(t float64) string { return fmt.Sprintf("at throughput %g", t) }

// figure returns a function that adds a curve for each routing: throughput, transfer time and, if distances is
// true, the mean distance of the packets that arrive.
func figure(traffic string, distances bool) func(context.Context, *paper.Result) error {
	return func(ctx context.Context, r *paper.Result) error {
		for _, x := range selected(r) {
			curves, err := simulateCurves(ctx, r, compared, traffic, x)
			if err != nil {
				return err
			}
			for _, load := range allLoads(curves) {
				addPoints(r, x.name, formatLoad(load), distances, func(curve []point) *point { return find(curve, load) }, curves)
			}
			addPoints(r, x.name, highest, false, func(curve []point) *point { return &curve[peakIndex(curve)] }, curves)
			for _, t := range throughputs {
				for k, routing := range compared {
					r.AddRow(atThroughput(t), "time, "+routing.name, x.name, math.NaN(), timesAt(curves[k], t)...)
				}
			}
		}
		return nil
	}
}

// addPoints adds the rows of an item: those of the points that choose returns for the curves.
func addPoints(r *paper.Result, reading, item string, distances bool, choose func([]point) *point, curves [][]point) {
	add := func(quantity string, of func(*point) []float64) {
		for k, routing := range compared {
			if p := choose(curves[k]); p != nil {
				r.AddRow(item, quantity+", "+routing.name, reading, math.NaN(), of(p)...)
			}
		}
	}
	add("throughput", func(p *point) []float64 { return p.throughput })
	add("time", func(p *point) []float64 { return p.time })
	if distances {
		add("distance", func(p *point) []float64 { return p.distance })
	}
}

// requests adds the throughput of each routing at each requested load.
func requests(ctx context.Context, r *paper.Result) error {
	for _, x := range selected(r) {
		curves, err := simulateCurves(ctx, r, compared, transpose, x)
		if err != nil {
			return err
		}
		for _, load := range loads {
			for k, routing := range compared {
				r.AddRow(formatLoad(load), routing.name, x.name, math.NaN(), find(curves[k], load).throughput...)
			}
		}
	}
	r.AddNote("The 16 PEs on the diagonal send nothing, so all that is requested is 15/16 of the load.")
	return nil
}

func formatLoad(load float64) string { return strconv.FormatFloat(load, 'g', -1, 64) }

// allLoads returns the loads of all curves, each once, ascending.
func allLoads(curves [][]point) (list []float64) {
	for _, curve := range curves {
		for i := range curve {
			list = append(list, curve[i].load)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// find returns the point at a load, or nil.
func find(curve []point, load float64) *point {
	for i := range curve {
		if curve[i].load == load {
			return &curve[i]
		}
	}
	return nil
}

// timesAt returns, for each seed, the transfer time at a throughput on the rising part of a curve. It is NaN if
// the curve does not reach this throughput.
func timesAt(curve []point, throughput float64) (times []float64) {
	for seed := range curve[0].throughput {
		times = append(times, timeAt(curve, seed, throughput))
	}
	return times
}

func timeAt(curve []point, seed int, throughput float64) float64 {
	for i := 1; i < len(curve); i++ {
		a, b := &curve[i-1], &curve[i]
		low, high := a.throughput[seed], b.throughput[seed]
		if high >= throughput && low <= throughput && high > low {
			return a.time[seed] + (throughput-low)/(high-low)*(b.time[seed]-a.time[seed])
		}
	}
	return math.NaN()
}

// timeCharts draws transfer time over throughput.
func timeCharts(r *paper.Result, reading string, _ []paper.Row) []sheet.Chart {
	c := &sheet.Lines{Title: r.Letter(reading) + strings.TrimPrefix(reading, "wormhole, "), XTitle: "throughput (flits/clock/PE)",
		YTitle: "mean transfer time (clocks)"}
	for _, routing := range compared {
		var list []sheet.Point
		for _, x := range r.Rows {
			if _, err := strconv.ParseFloat(x.Item, 64); err != nil || x.Reading != reading || x.Quantity != "throughput, "+routing.name {
				continue
			}
			if time := r.RowBy(reading, x.Item, "time, "+routing.name); time != nil {
				list = append(list, sheet.Point{X: x.Ours, Y: time.Ours, Error: time.Spread})
			}
		}
		c.Names, c.Points = append(c.Names, routing.name), append(c.Points, list)
	}
	return []sheet.Chart{c}
}

// requestCharts draws throughput over requested load.
func requestCharts(r *paper.Result, reading string, rows []paper.Row) []sheet.Chart {
	c := &sheet.Lines{Title: r.Letter(reading) + strings.TrimPrefix(reading, "wormhole, "), XTitle: "requested load (flits/clock/PE)",
		YTitle: "throughput (flits/clock/PE)", Ideal: "all that is requested"}
	for _, routing := range compared {
		c.Names, c.Points = append(c.Names, routing.name), append(c.Points, paper.Curve(rows, func(x *paper.Row) (float64, bool) {
			at, err := strconv.ParseFloat(x.Item, 64)
			return at, err == nil && x.Quantity == routing.name
		}))
	}
	return []sheet.Chart{c}
}
