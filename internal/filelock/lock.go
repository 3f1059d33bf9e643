// Package filelock locks files, so that one process uses a file at a time.
package filelock

// Mode is the kind of a lock.
type Mode int

// The kinds of locks.
const (
	Exclusive Mode = iota
	Shared
)

// State is the result of locking a file.
type State int

// The results of locking a file.
const (
	Taken   State = iota
	Busy          // another process has the lock
	Unknown       // the file system has no locks
)
