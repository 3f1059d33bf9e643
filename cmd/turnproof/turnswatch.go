package main

import (
	"math"
)

// minimumWatch shows how far the search for the fewest prohibited turns is.
type minimumWatch struct{ line *progress }

// Improved implements synth.Watcher.
func (m minimumWatch) Improved(least, bound int) {
	if least == math.MaxInt {
		m.line.tell("no set yet, at least %d prohibited", bound)
		return
	}
	m.line.tell("%d prohibited, at least %d", least, bound)
}
