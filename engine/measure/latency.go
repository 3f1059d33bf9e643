package measure

import (
	"math"
	"math/bits"

	"github.com/turnproof/turnproof/engine"
)

// This file stores latencies in a histogram whose bins widen with the value. A quantile has an
// error below 1 % for any length of run.
//
// Source: the HDR histogram of G. Tene, in its simplest form. Memory: 8 KB for each power of two
// that occurs.

const fine = 7 // bits of a value that are kept below its leading bit

// histogram counts values, which must not be negative.
type histogram struct {
	bins  []int64
	count int64
	sum   float64
	max   engine.Clock
}

func binOf(v engine.Clock) int {
	b := bits.Len64(uint64(v))
	if b <= fine+1 {
		return int(v)
	}
	shift := b - fine - 1
	return (shift+1)<<fine + int(uint64(v)>>shift) - 1<<fine
}

// low returns the smallest value of a bin.
func low(bin int) engine.Clock {
	if bin < 2<<fine {
		return engine.Clock(bin)
	}
	shift := bin>>fine - 1
	return engine.Clock(bin&(1<<fine-1)+1<<fine) << shift
}

func (h *histogram) add(v engine.Clock) {
	i := binOf(v)
	if i >= len(h.bins) {
		h.bins = append(h.bins, make([]int64, i+1-len(h.bins))...)
	}
	h.bins[i]++
	h.count++
	h.sum += float64(v)
	h.max = max(h.max, v)
}

// mean returns the mean of all values, or NaN without values.
func (h *histogram) mean() float64 { return h.sum / float64(h.count) }

// quantile returns the middle of the bin that has the q-quantile, 0 <= q <= 1, or NaN without
// values.
func (h *histogram) quantile(q float64) float64 {
	if h.count == 0 {
		return math.NaN()
	}
	rank, seen := int64(math.Ceil(q*float64(h.count))), int64(0)
	if rank >= h.count {
		return float64(h.max)
	}
	for i, k := range h.bins {
		if seen += k; seen >= max(rank, 1) {
			return min((float64(low(i))+float64(low(i+1)-1))/2, float64(h.max))
		}
	}
	return float64(h.max)
}
