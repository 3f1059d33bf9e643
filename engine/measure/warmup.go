package measure

import "github.com/turnproof/turnproof/engine"

// This file detects the end of the warm-up.
//
// Source: K. P. White, An effective truncation heuristic for bias reduction in simulation output,
// Simulation 69(6), 1997 (MSER). The run is divided into intervals of equal length. The warm-up is
// the number of intervals at the beginning without which the standard error of the mean latency is
// least. If that number is more than half of the intervals, the run is too short.
//
// The intervals are 64 clocks long first. When there are 512 of them, pairs are joined.
// Memory: 8 KB.

// leastShift is the base 2 logarithm of the clocks of the first intervals, and mostIntervals the largest number of intervals, which
// is even.
const (
	leastShift    = 6
	mostIntervals = 512
)

// warmUp records the mean latency over time.
type warmUp struct {
	shift uint // an interval has 1<<shift clocks
	list  []interval
}

// interval counts the packets that arrive in an interval.
type interval struct{ sum, packets float64 }

func (w *warmUp) add(arrived, latency engine.Clock) {
	i := int(arrived >> w.shift)
	for i >= len(w.list) {
		i = w.extend(arrived)
	}
	w.list[i].sum += float64(latency)
	w.list[i].packets++
}

// extend adds intervals up to the one of a clock, and returns its index.
func (w *warmUp) extend(arrived engine.Clock) int {
	if w.list == nil {
		w.shift = leastShift
	}
	for arrived>>w.shift >= mostIntervals {
		w.join()
	}
	i := int(arrived >> w.shift)
	for len(w.list) <= i {
		w.list = append(w.list, interval{})
	}
	return i
}

// join joins pairs of intervals.
func (w *warmUp) join() {
	w.shift++
	half := (len(w.list) + 1) / 2
	for i := range half {
		joined := w.list[2*i]
		if 2*i+1 < len(w.list) {
			joined.sum += w.list[2*i+1].sum
			joined.packets += w.list[2*i+1].packets
		}
		w.list[i] = joined
	}
	w.list = w.list[:half]
}

// end returns the first clock after the warm-up, or -1 if the run is too short. The last interval
// is left out, since it may not be complete. Cost: O(mostIntervals).
func (w *warmUp) end() engine.Clock {
	var means []float64
	var starts []engine.Clock
	for i, x := range w.list[:max(len(w.list)-1, 0)] {
		if x.packets > 0 {
			means, starts = append(means, x.sum/x.packets), append(starts, engine.Clock(i)<<w.shift)
		}
	}
	const least = 5 // fewer intervals have no meaningful deviation
	best, bestAt := 0.0, -1
	sum, squares := 0.0, 0.0
	for i := len(means) - 1; i >= 0; i-- {
		sum += means[i]
		squares += means[i] * means[i]
		n := float64(len(means) - i)
		if error2 := (squares - sum*sum/n) / (n * n); n >= least && (bestAt < 0 || error2 <= best) {
			best, bestAt = error2, i
		}
	}
	switch {
	case bestAt < 0 || bestAt > len(means)/2:
		return -1
	case bestAt == 0:
		return 0
	}
	return starts[bestAt]
}
