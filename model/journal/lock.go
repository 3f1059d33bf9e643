package journal

// This file is what the files for each system share.

// The ways to lock a file, and what comes of it.
type (
	mode  int
	state int
)

const (
	exclusive mode = iota
	shared
)

const (
	taken   state = iota
	busy          // another process has it
	unknown       // files cannot be locked here
)
