package engine

import "github.com/turnproof/turnproof/model"

// This file draws pseudo-random numbers.

// Draw returns a pseudo-random number that depends only on its arguments (splitmix64; G. Steele,
// D. Lea and C. Flood, OOPSLA 2014).
func Draw(seed, a, b uint64) uint64 {
	z := seed ^ a*0x9E3779B97F4A7C15 ^ b*0xBF58476D1CE4E5B9
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// DrawAtSource returns the random number of draw k at host h.
func DrawAtSource(seed uint64, h model.HostID, k uint64) uint64 {
	return Draw(seed^sourceStream, uint64(h), k)
}

// sourceStream separates the random numbers of sources from those of selection.
const sourceStream = 0xD1B54A32D192ED03
