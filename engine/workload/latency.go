package workload

import (
	"math"
	"slices"

	"github.com/turnproof/turnproof/engine"
)

// Latencies summarises the latencies of messages, in clocks. Figures of no messages are NaN.
type Latencies struct {
	Mean, Median, P99 float64
	Max               engine.Clock
}

// Latencies returns the latencies of all messages that have arrived. Cost: a sort.
func (r *Result) Latencies() Latencies {
	list, sum := make([]engine.Clock, len(r.Messages)), 0.0
	for i := range r.Messages {
		list[i] = r.Messages[i].Latency()
		sum += float64(list[i])
	}
	if len(list) == 0 {
		return Latencies{math.NaN(), math.NaN(), math.NaN(), 0}
	}
	slices.Sort(list)
	at := func(q float64) float64 { return float64(list[max(0, int(math.Ceil(q*float64(len(list))))-1)]) }
	return Latencies{sum / float64(len(list)), at(0.5), at(0.99), list[len(list)-1]}
}
