package flowlimiting

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/model/gate"
)

// This file computes figure 8: packets over time.

// shownCourses are the panels of figure 8.
var shownCourses = []struct {
	pattern string
	window  engine.Clock
}{{"trns", 10}, {"shfl", 10}, {congestion.AllToAll, 100}}

// shownMethods are the methods of the panels. The text of the paper does not name them.
var shownMethods = []congestion.Method{{Kind: congestion.Base}, {Kind: congestion.Throttling, Mobility: 1, Occupancy: 0.6},
	{Kind: congestion.Gating, Func: "f4", Place: gate.Turns, Level: 8}}

func courses(ctx context.Context, f *run) error {
	f.rounds, f.study.Rounds = true, 1
	panels := shownCourses
	if f.Quick {
		panels = panels[:2]
	}
	var list []congestion.Course
	for _, c := range panels {
		course := congestion.Course{Title: c.pattern + ", do"}
		series, err := f.series(ctx, c.pattern, c.window)
		if err != nil {
			return err
		}
		for i, m := range shownMethods {
			end, flow := unpack(series[i], c.window)
			f.AddRow(c.pattern+" "+string(m.Kind), "clocks", f.reading(), nan, end)
			f.AddRow(c.pattern+" "+string(m.Kind), "sent, deviation / mean", f.reading(), nan, unsteady(flow.Sent))
			f.AddRow(c.pattern+" "+string(m.Kind), "received, deviation / mean", f.reading(), nan, unsteady(flow.Received))
			course.Names, course.Flows, course.Ends = append(course.Names, m.String()), append(course.Flows, flow), append(course.Ends, end)
		}
		list = append(list, course)
	}
	f.Charts = congestion.CourseCharts(list)
	return nil
}

// series returns, for each method, the end of the collective, the number of windows, and the packets
// sent and received by window.
func (f *run) series(ctx context.Context, pattern string, window engine.Clock) ([][]float64, error) {
	study := f.of(pattern)
	point := func(i int) congestion.Point {
		return congestion.Point{Algorithm: "do", Pattern: pattern, Method: shownMethods[i], Control: engine.VirtualControl}
	}
	return f.Points(ctx, len(shownMethods), func(i int) string {
		return fmt.Sprintf("%s; %s, windows of %d", study.Readings(), point(i), window)
	}, func(ctx context.Context, i int) ([]float64, error) {
		res, flow, err := study.Series(ctx, point(i), window)
		if err != nil {
			return nil, err
		}
		values := []float64{res.Mean, float64(len(flow.Sent))}
		for _, counts := range [][]int64{flow.Sent, flow.Received} {
			for _, k := range counts {
				values = append(values, float64(k))
			}
		}
		return values, nil
	})
}

// unpack returns the end of a collective and its flow from the values of series.
func unpack(values []float64, window engine.Clock) (end float64, flow *measure.Flow) {
	flow = measure.NewFlow(window)
	sent := int(values[1])
	for i, v := range values[2:] {
		if i < sent {
			flow.Sent = append(flow.Sent, int64(v))
		} else {
			flow.Received = append(flow.Received, int64(v))
		}
	}
	return values[0], flow
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
