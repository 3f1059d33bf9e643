package main

import (
	"math"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// minimumWatch shows how far the search for the fewest prohibited turns is.
type minimumWatch struct{ line *cli.Progress }

// Improved implements synth.Watcher.
func (m minimumWatch) Improved(least, bound int) {
	if least == math.MaxInt {
		m.line.Tell("no set yet, at least %d prohibited", bound)
		return
	}
	m.line.Tell("%d prohibited, at least %d", least, bound)
}
