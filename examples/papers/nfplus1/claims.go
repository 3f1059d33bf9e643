package nfplus1

import (
	"fmt"
	"math"
	"strconv"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file has the claims about figures 12 to 15.

const (
	fixed    = "dimension order"
	adaptive = "NF+1"
)

// peakRatio returns a judge of the highest throughput of NF+1, relative to that of dimension order.
func peakRatio(holds func(ratio float64) bool) func(*paper.Result) paper.Finding {
	return paper.Needs([][2]string{{highest, "throughput, " + adaptive}, {highest, "throughput, " + fixed}}, func(v []float64) paper.Finding {
		return paper.Decide(holds(v[0]/v[1]), fmt.Sprintf("highest throughput %.4f, %.4f: %.2f times", v[0], v[1], v[0]/v[1]))
	})
}

func randomClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/random-slightly-below", Section: "sections 5.4 and 6", Statement: "Under random traffic NF+1 is slightly below dimension order",
			Published: "slightly below", Judge: peakRatio(func(x float64) bool { return x >= 0.85 && x < 1 })},
		{Name: "nf1/random-throughput-falls", Statement: "Under random traffic adaptive packets fill the network, so the throughput can fall",
			Published: "can fall",
			Judge: paper.Needs([][2]string{{"1", "throughput, " + adaptive}, {highest, "throughput, " + adaptive}, {"1", "throughput, " + fixed},
				{highest, "throughput, " + fixed}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0]/v[1] < min(0.95, v[2]/v[3]), fmt.Sprintf("at load 1 %.2f of the highest throughput; dimension order %.2f",
					v[0]/v[1], v[2]/v[3]))
			})},
	}
}

func hotSpotClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/hot-spot-slightly-above", Section: "sections 5.5 and 6", Statement: "Under hot-spot traffic NF+1 is slightly above dimension order",
			Published: "slightly above", Judge: peakRatio(func(x float64) bool { return x > 1 && x <= 1.2 })},
	}
}

func transposeClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/transpose-above", Section: "sections 5.6 and 6", Statement: "Under the transpose NF+1 has a higher capacity than dimension order",
			Published: "clearly above", Judge: peakRatio(func(x float64) bool { return x > 1.2 })},
		{Name: "nf1/transpose-time", Statement: "Under the transpose the time of dimension order is worse than that of NF+1 from a throughput of " +
			"about 0.05 on",
			Published: "from 0.05 on",
			Judge: paper.Needs([][2]string{{atThroughput(0.04), "time, " + fixed}, {atThroughput(0.04), "time, " + adaptive},
				{atThroughput(0.05), "time, " + fixed}, {atThroughput(0.05), "time, " + adaptive},
				{atThroughput(0.06), "time, " + fixed}, {atThroughput(0.06), "time, " + adaptive}}, judgeCrossing)},
		{Name: "nf1/transpose-bends-back", Statement: "Under the transpose the transfer time of both routings falls past a peak",
			Published: "falls", Judge: judgeBend,
			LeftOpen: "NF+1 falls by 4 %; the time of dimension order stays at its highest value, and in shorter runs it falls by 1 %. " +
				"The length of the runs is not given"},
		{Name: "nf1/transpose-short-paths", Statement: "Past the peak, packets with short distances arrive more often", Published: "more often",
			Judge: paper.Needs([][2]string{{"0.01", "distance, " + fixed}, {"1", "distance, " + fixed}, {"0.01", "distance, " + adaptive}, {"1",
				"distance, " + adaptive}},
				func(v []float64) paper.Finding {
					return paper.Decide(v[1] < v[0] && v[3] < v[2],
						fmt.Sprintf("mean distance at load 0.01 and 1: dimension order %.2f, %.2f; NF+1 %.2f, %.2f", v[0], v[1], v[2], v[3]))
				})},
	}
}

// judgeCrossing decides from the times of dimension order and NF+1 at throughputs 0.04, 0.05 and 0.06. At 0.04 a
// difference of 1 % is permitted.
func judgeCrossing(v []float64) paper.Finding {
	where := "worse at 0.05 already"
	if v[2] <= v[3] {
		where = "worse from between 0.05 and 0.06 on"
	}
	return paper.Decide(v[0] <= 1.01*v[1] && v[4] > v[5],
		fmt.Sprintf(where+"; dimension order and NF+1: %.1f, %.1f at 0.04; %.1f, %.1f at 0.05; %.1f, %.1f at 0.06", v[0], v[1], v[2], v[3], v[4], v[5]))
}

// judgeBend compares the longest transfer time of each curve with that at load 1.
func judgeBend(r *paper.Result) paper.Finding {
	ok, text := true, ""
	for _, name := range []string{fixed, adaptive} {
		last, most := r.Row("1", "time, "+name), 0.0
		if last == nil {
			return paper.Lacking()
		}
		for _, x := range r.DefaultRows() {
			if _, err := strconv.ParseFloat(x.Item, 64); err == nil && x.Quantity == "time, "+name {
				most = max(most, x.Ours)
			}
		}
		ok = ok && most > 1.01*last.Ours
		text += fmt.Sprintf("; %s %.1f, then %.1f at load 1", name, most, last.Ours)
	}
	return paper.Decide(ok, text[2:])
}

func requestClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/transpose-closer-to-request", Statement: "Under the transpose the throughput of NF+1 is the closer one to the requested load",
			Published: "closer", Judge: judgeRequests},
	}
}

// judgeRequests compares the routings at each load. Where dimension order delivers less than 90 % of the request,
// NF+1 must deliver more. Elsewhere NF+1 must deliver at least 95 % of what dimension order delivers.
func judgeRequests(r *paper.Result) paper.Finding {
	ok, least, most := true, math.Inf(1), 0.0
	for _, load := range loads {
		a, b := r.Row(formatLoad(load), adaptive), r.Row(formatLoad(load), fixed)
		if a == nil || b == nil {
			return paper.Lacking()
		}
		ratio := a.Ours / b.Ours
		ok = ok && ratio >= 0.95 && (b.Ours >= 0.9*load*15/16 || ratio > 1)
		least, most = min(least, ratio), max(most, ratio)
	}
	return paper.Decide(ok, fmt.Sprintf("%.2f to %.2f times dimension order", least, most))
}
