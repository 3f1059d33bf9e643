package measure

import (
	"fmt"
	"math"

	"github.com/turnproof/turnproof/engine"
)

// This file judges whether the figures of a run are those of the steady state.
//
// A run has converged if
//
//   - its sources do not fall behind: Lag is at most MaxLag;
//   - the mean latencies of the two halves of the window agree: they differ by at most 2 %, or by at
//     most twice the half width of the 95 % confidence interval of the difference;
//   - the confidence interval of the latency is narrow: its half width is at most 5 % of the mean.
//
// Convergence also tells the end of the warm-up. See warmup.go.

// Convergence says how a run of a steady load settles. It is the zero value for finite traffic.
type Convergence struct {
	// Lag is the mean over all sources of the time by which their last delivered packet is older
	// than the end of the run, as a share of the run. It is about 0 if the network accepts the
	// load. Otherwise it is the share of the load that the network does not accept.
	Lag float64
	// WarmUp is the clock from which on the latency is steady, or -1 if it is not steady in the
	// second half of the run.
	WarmUp engine.Clock
	// Unsettled says why the run has not converged, or is empty if it has.
	Unsettled string
}

// MaxLag is the largest lag of a network that accepts the offered load.
const MaxLag = 0.01

const (
	maxDrift     = 0.02 // relative difference of the latencies of the two halves that needs no test
	driftWidths  = 2    // half widths by which they may differ
	maxHalfWidth = 0.05 // relative to the mean latency
)

// lags computes Convergence.Lag.
type lags struct {
	last    []engine.Clock // by source: the clock in which its last delivered packet was created
	packets []int64        // by source: number of delivered packets
}

func (l *lags) add(d *engine.Delivery) {
	if h := int(d.Source); h < len(l.last) {
		l.last[h] = max(l.last[h], d.Created)
		l.packets[h]++
	}
}

// lag returns the lag at the end of a run of the given length. A source that is silent for three
// times the mean time between two bursts of its packets is not behind. between is the mean time
// between two packets of the busiest source. Other sources have theirs estimated as well, with a
// margin of a standard deviation.
func (l *lags) lag(clocks engine.Clock, between, burst float64) float64 {
	sum, sending := 0.0, 0
	for h, created := range l.last {
		if created > 0 {
			sending++
			packets := float64(l.packets[h])
			gap := max(between, float64(created)/packets*(1+1/math.Sqrt(packets)))
			sum += max(0, float64(clocks-created)-3*gap*max(1, burst))
		}
	}
	return math.Round(1e6*sum/float64(max(sending, 1))/float64(max(clocks, 1))) / 1e6
}

// converge sets the convergence of a run that ended before clock now, with the figures of r.
func (m *Meter) converge(r *Result, now engine.Clock) {
	if m.o.Finite {
		return
	}
	r.Lag, r.WarmUp = m.lags.lag(now, m.o.Between, m.o.Burst), m.warmUp.end()
	first, second, drifts := m.drift(min(now, m.o.Until))
	switch {
	case r.Packets == 0:
		r.Unsettled = "no packet was measured"
	case r.Lag > MaxLag:
		r.Unsettled = fmt.Sprintf("the sources fall behind by %.1f %% of the load: the latency grows with the length of the run", 100*r.Lag)
	case drifts:
		r.Unsettled = fmt.Sprintf("the mean latency is %.2f clocks in the first half of the window and %.2f in the second", first, second)
	case math.IsNaN(r.LatencyError):
		r.Unsettled = "the window is too short for a confidence interval of the latency"
	case r.LatencyError > maxHalfWidth*r.MeanLatency:
		r.Unsettled = fmt.Sprintf("the confidence interval of the latency has a half width of %.1f %%, more than %.0f %%",
			100*r.LatencyError/r.MeanLatency, 100*maxHalfWidth)
	}
}

// drift returns the mean latencies of the first and second half of the window, and reports whether
// they differ by more than noise explains.
func (m *Meter) drift(end engine.Clock) (first, second float64, drifts bool) {
	latencies, _ := m.batchMeans(end)
	half := len(latencies) / 2
	if half < 2 {
		return 0, 0, false
	}
	first, e1 := meanAndError(latencies[:half])
	second, e2 := meanAndError(latencies[half:])
	difference := math.Abs(first - second)
	return first, second, difference > maxDrift*min(first, second) && difference > driftWidths*student(half-1)*math.Hypot(e1, e2)
}
