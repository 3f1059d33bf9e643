package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"turnproof/synth"
)

// This file shows how far the search for the fewest prohibited turns is.

// minimumWatch writes to a terminal.
type minimumWatch struct {
	w     io.Writer
	began time.Time
	wrote bool
}

// Improved implements synth.Watcher.
func (m *minimumWatch) Improved(least, bound int) {
	best := "no set yet"
	if least < math.MaxInt {
		best = fmt.Sprintf("%d prohibited", least)
	}
	m.wrote = true
	fmt.Fprintf(m.w, "\r%s, at least %d, %.0f s ", best, bound, time.Since(m.began).Seconds())
}

// watchMinimum returns a watcher if w is a terminal, else nil; done wipes what it wrote.
func watchMinimum(w io.Writer) (watch synth.Watcher, done func()) {
	if !isTerminal(w) {
		return nil, func() {}
	}
	m := &minimumWatch{w: w, began: time.Now()}
	return m, func() {
		if m.wrote {
			fmt.Fprint(w, "\r\033[K")
		}
	}
}
