package paper

import "math"

// This file has the one rule by which our numbers and words are compared with those of papers. The page of all claims states it
// (bands).

// Bands of numbers and words.
const (
	tenth = 0.1
	// High is the part of the full bandwidth from which on throughput is high or good.
	High = 0.75
	// Far is the factor between values of which one is far, strikingly or steeply above or below the other.
	Far = 2.0
	// Noise is the relative difference from which on simulated values are more or less than each other.
	Noise = 0.01
)

// Near reports whether a value of simulations or of random networks agrees with a published one, and whether two values are nearly
// equal: within 10 %.
func Near(ours, published float64) bool {
	return math.Abs(ours-published) <= (tenth+1e-9)*math.Abs(published)
}

// NearGain reports whether a gain agrees with a published one, both in per cent. Gains are compared as ratios.
func NearGain(ours, published float64) bool { return Near(1+ours/100, 1+published/100) }

// AsPrinted reports whether a computed value agrees with a number printed with some decimals: they differ by less than one unit of the
// last digit.
func AsPrinted(ours, printed float64, decimals int) bool {
	return math.Abs(ours-printed)*math.Pow10(decimals) < 1
}

// bands states the rule.
const bands = `One rule decides when numbers agree:

- Counts and ratios that we compute exactly: they differ by less than one unit of the last digit printed.
- Values of simulations and of random networks: they differ by at most 10 %. A gain of x % is the ratio 1 + x/100.
- Words: *equal*, *full*, *nearly*, *slightly* and *little* are within 10 %; *clearly* is more than that; *far*, *strikingly* and
  *steeply* are a factor of 2; *high* and *good* are 0.75 of the full bandwidth or more; *nearly all* is 90 % or more. Simulated values
  are more or less than each other from a difference of 1 % on.
`
