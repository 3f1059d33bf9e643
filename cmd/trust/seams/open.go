package seams

import "strings"

// This file lists faults that are known and not mended yet. The short test names them without failing; the stage counts them
// as wrong. Remove an entry when its fault is mended.

// openFault is a known fault: the judge that finds it, and words of its text or evidence.
type openFault struct{ judge, words, cause string }

var openFaults = []openFault{
	{"simulator", "gated", "gates see buffers late"},
}

// isOpen reports whether a finding is a known fault.
func (f *finding) isOpen() bool {
	for _, x := range openFaults {
		if f.judge == x.judge && strings.Contains(f.text+" "+f.how, x.words) {
			return true
		}
	}
	return false
}
