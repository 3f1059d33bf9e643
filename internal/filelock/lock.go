// Package filelock locks files, so that one process uses a file at a time.
package filelock

// Mode is a way to lock a file.
type Mode int

// The ways to lock a file.
const (
	Exclusive Mode = iota
	Shared
)

// State is what comes of it.
type State int

// What comes of locking a file.
const (
	Taken   State = iota
	Busy          // another process has it
	Unknown       // files cannot be locked here
)
