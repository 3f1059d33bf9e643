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
		return paper.Decide(holds(v[0]/v[1]), fmt.Sprintf("%.2f", v[0]/v[1]))
	})
}

func randomClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/random-slightly-below", Section: "sections 5.4 and 6", Statement: "Under random traffic NF+1 is slightly below dimension order",
			Published: "slightly below", Judge: peakRatio(func(x float64) bool { return paper.Near(x, 1) && x < 1-paper.Noise })},
		{Name: "nf1/random-throughput-falls", Statement: "Under random traffic adaptive packets fill the network, so the throughput can fall",
			Published: "can fall",
			Judge: paper.Needs([][2]string{{"1", "throughput, " + adaptive}, {highest, "throughput, " + adaptive}, {"1", "throughput, " + fixed},
				{highest, "throughput, " + fixed}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0]/v[1] < min(1-paper.Noise, v[2]/v[3]), fmt.Sprintf("%.2f (%.2f)", v[0]/v[1], v[2]/v[3]))
			})},
	}
}

func hotSpotClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/hot-spot-slightly-above", Section: "sections 5.5 and 6", Statement: "Under hot-spot traffic NF+1 is slightly above dimension order",
			Published: "slightly above", Judge: peakRatio(func(x float64) bool { return paper.Near(x, 1) && x > 1+paper.Noise })},
	}
}

func transposeClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/transpose-above", Section: "sections 5.6 and 6", Statement: "Under the transpose NF+1 has a higher capacity than dimension order",
			Published: "clearly above", Judge: peakRatio(func(x float64) bool { return x > 1 && !paper.Near(x, 1) })},
		{Name: "nf1/transpose-time", Statement: "Under the transpose the time of dimension order stays worse than that of NF+1 from a " +
			"throughput of about 0.05 on",
			Published: "0.05",
			Judge:     judgeCrossing},
		{Name: "nf1/transpose-bends-back", Statement: "Under the transpose the transfer time of both routings falls past a peak",
			Published: "falls", Judge: judgeBend, LeftOpen: "The length of the runs is not given either"},
		{Name: "nf1/transpose-short-paths", Statement: "Past the peak, packets with short distances arrive more often",
			Published: "more often",
			Judge: paper.Needs([][2]string{{"0.01", "distance, " + fixed}, {"1", "distance, " + fixed}, {"0.01", "distance, " + adaptive}, {"1",
				"distance, " + adaptive}},
				func(v []float64) paper.Finding {
					return paper.Decide(v[1] < v[0]*(1-paper.Noise) && v[3] < v[2]*(1-paper.Noise),
						fmt.Sprintf("%.1f, %.1f", v[1], v[3]))
				})},
	}
}

// judgeCrossing compares the throughput from which on the time of dimension order stays longer with 0.05. Between the throughputs of the
// rows it interpolates. Times that differ by less than 1 % are equal. A routing that does not reach a throughput takes longer than one that does.
func judgeCrossing(r *paper.Result) paper.Finding {
	crossing, before, compared := math.NaN(), 0.0, 0
	for i, t := range throughputs {
		a, b := r.Row(atThroughput(t), "time, "+fixed), r.Row(atThroughput(t), "time, "+adaptive)
		longer := 0.0
		switch {
		case a == nil && b == nil:
			continue
		case a == nil:
			longer = math.Inf(1)
		case b == nil:
			longer = math.Inf(-1)
		default:
			longer = a.Ours - b.Ours*(1+paper.Noise)
		}
		compared++
		switch {
		case longer <= 0:
			crossing = math.NaN()
		case before > 0 && i > 0: // it was longer before
		case i == 0 || math.IsInf(longer, 0) || math.IsInf(before, 0):
			crossing = t
		default:
			crossing = t - longer/(longer-before)*(t-throughputs[i-1])
		}
		before = longer
	}
	switch {
	case compared == 0:
		return paper.Lacking()
	case math.IsNaN(crossing):
		return paper.Decide(false, "never")
	case crossing == throughputs[0]:
		return paper.Decide(false, fmt.Sprintf("below %g", crossing))
	}
	return paper.Decide(paper.Near(crossing, 0.05), fmt.Sprintf("%.3f", crossing))
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
		ok = ok && most > (1+paper.Noise)*last.Ours
		text += fmt.Sprintf(", %.2f", last.Ours/most)
	}
	return paper.Decide(ok, text[2:])
}

func requestClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/transpose-closer-to-request", Statement: "Under the transpose the throughput of NF+1 is the closer one to the requested load",
			Published: "closer", Judge: judgeRequests},
	}
}

// judgeRequests compares the routings at each load. Where dimension order does not deliver nearly what is requested, NF+1 must deliver
// more. Elsewhere NF+1 must deliver nearly as much as dimension order, or more.
func judgeRequests(r *paper.Result) paper.Finding {
	ok, least, most := true, math.Inf(1), 0.0
	for _, load := range loads {
		a, b := r.Row(formatLoad(load), adaptive), r.Row(formatLoad(load), fixed)
		if a == nil || b == nil {
			return paper.Lacking()
		}
		ratio := a.Ours / b.Ours
		ok = ok && (ratio > 1+paper.Noise || paper.Near(ratio, 1) && paper.Near(b.Ours, load*15/16))
		least, most = min(least, ratio), max(most, ratio)
	}
	return paper.Decide(ok, fmt.Sprintf("%.2f to %.2f", least, most))
}
