package measure

import "math"

// This file computes confidence intervals by the method of batch means.
//
// Source: A. Law, Simulation Modeling and Analysis, section 9.5.3. The measured window is divided
// into batches of consecutive clocks, whose means are treated as independent samples. The means of
// short batches are correlated, and many of them give an interval that is too narrow. A few
// long batches are better; from 20 on, Student's factor is close to its limit.

// leastBatches is the smallest number of batches that remain after joining.
const leastBatches = 20

// join joins size consecutive batches into one, with size such that 20 to 39 batches remain. Fewer
// than 20 batches are not joined. Batches at the front that do not fill a joined batch are
// dropped.
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

// HalfWidth returns half the width of the 95 % confidence interval of the mean of independent
// values, for example of several seeds. It returns NaN for fewer than two values.
func HalfWidth(values []float64) float64 {
	if len(values) < 2 {
		return math.NaN()
	}
	_, err := meanAndError(values)
	return student(len(values)-1) * err
}

// student returns the 97.5 % quantile of Student's distribution. It is exact up to 10 degrees of
// freedom, then the first terms of the expansion of G. Hill (Comm. ACM 13, 1970).
func student(degrees int) float64 {
	exact := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if degrees <= len(exact) {
		return exact[degrees-1]
	}
	const z = 1.959964
	v := float64(degrees)
	return z + (z*z*z+z)/(4*v) + (5*z*z*z*z*z+16*z*z*z+3*z)/(96*v*v)
}

// meanAndError returns the mean of at least two independent values and its standard error.
func meanAndError(values []float64) (mean, err float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		err += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(err / (n - 1) / n)
}
