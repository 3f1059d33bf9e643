// Package stage says what the parts of cmd/trust have in common.
package stage

import (
	"context"
	"io"
	"time"
)

// Stage is one way of trying to show that turnproof is wrong.
type Stage struct {
	Name  string // of the stage on the command line, and of its section in docs/trust.md
	Title string // of the section
	File  string // where that is, beside docs/trust.md; "" for this one
	// Run tries it and writes what was tried, how often, and what came of it, in Markdown. An
	// error says that it could not be tried; what was found wrong is a *Found.
	Run func(ctx context.Context, o Options, out io.Writer) error
}

// Options are what all stages take.
type Options struct {
	Root     string        // the folder of go.mod
	Bin      string        // a folder with turnproof and turnproof-check of the present tree
	Work     string        // an empty folder
	Seed     uint64        // of what is drawn at random
	Cases    int           // how many, for stages that count cases; 0: their own number
	Time     time.Duration // how long, for stages that go by time; 0: their own
	Progress io.Writer     // what is under way, for people
}

// Found is the error of a stage that found something wrong; the section tells what.
type Found struct{ What string }

// Error implements error.
func (f *Found) Error() string { return f.What }
