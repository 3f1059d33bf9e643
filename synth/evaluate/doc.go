// Package evaluate proves and measures a turn set that a method of synth made: its verdicts, its
// prohibited turns, the length of its paths, the load of the channels.
//
// Read first: turnset.go.
package evaluate
