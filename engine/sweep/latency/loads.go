package latency

import "math"

// Loads returns up to count equidistant loads. They end a little above most, which is the throughput
// that a routing can have, but not above 1. If most is 0 or above 1, they end at 1.
func Loads(most float64, count int) (loads []float64) {
	if most == 0 || most > 1 {
		most = 1
	}
	step := most * 1.1 / float64(count)
	unit := math.Pow(10, math.Floor(math.Log10(step))-1) // of the second digit of step
	for k := 1; k <= count; k++ {
		if load := math.Round(math.Ceil(step/unit)*float64(k)*unit*1e6) / 1e6; load <= 1 {
			loads = append(loads, load)
		}
	}
	return loads
}
