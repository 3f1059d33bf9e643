package measure

import "math"

// This file is confidence intervals.
//
// Source: batch means as A. Law, Simulation Modeling and Analysis, section 9.5.3:
// the window is cut into batches, whose means are taken as independent. Few long
// batches are better than many short ones, whose means hang together and give an
// interval that is too narrow; with 20 to 39 Student's factor is next to its limit.

// leastBatches is how many batches are left at least when they are joined.
const leastBatches = 20

// join joins neighbours, size to a batch, so that 20 to 39 are left, if there are
// so many; what does not fill a batch is dropped at the front.
func join(list []batch) (joined []batch, size int) {
	size = max(len(list)/leastBatches, 1)
	for list = list[len(list)%size:]; len(list) > 0; list = list[size:] {
		var sum batch
		for _, b := range list[:size] {
			sum.latency += b.latency
			sum.packets += b.packets
			sum.flits += b.flits
		}
		joined = append(joined, sum)
	}
	return joined, size
}

// HalfWidth returns half the width of the 95 % confidence interval of the mean of
// independent values, of several seeds say; NaN of fewer than two.
func HalfWidth(values []float64) float64 {
	n := float64(len(values))
	if n < 2 {
		return math.NaN()
	}
	mean, sum := 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return student(len(values)-1) * math.Sqrt(sum/(n-1)/n)
}

// student returns the 97.5 % point of Student's distribution: exact to 10
// degrees, then by the first terms of its expansion (G. Hill, Comm. ACM 13, 1970).
func student(degrees int) float64 {
	exact := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if degrees <= len(exact) {
		return exact[degrees-1]
	}
	const z = 1.959964
	v := float64(degrees)
	return z + (z*z*z+z)/(4*v) + (5*z*z*z*z*z+16*z*z*z+3*z)/(96*v*v)
}
