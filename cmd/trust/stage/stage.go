// Package stage defines what the stages of cmd/trust have in common.
package stage

import (
	"context"
	"io"
	"time"
)

// Stage is one way of trying to show that turnproof is wrong.
type Stage struct {
	Name  string // on the command line, and of its file in the record
	Title string // of its file
	// Run writes in Markdown what it tried and the result. The error is a *Found if something is
	// wrong with turnproof; any other error says that the stage could not run.
	Run func(ctx context.Context, o Options, out io.Writer) error
	// Divisible says that Options.Part and Parts restrict the stage to a part of its cases.
	Divisible bool
	// Merge makes the record of the stage from what Run has written, in each part. If nil, the record has what Run has written.
	Merge func(parts []string) (string, error)
}

// Options holds the options of all stages.
type Options struct {
	Root     string        // the folder of go.mod
	Bin      string        // a folder with turnproof and turnproof-check of the present tree
	Work     string        // an empty folder
	Seed     uint64        // of random cases
	Cases    int           // number of cases; if 0, the default of each stage
	Time     time.Duration // bound of one command; if 0, the default of the stage
	Progress io.Writer     `json:"-"` // receives messages about progress
	Part     int           // of a stage that runs in parts: which part, from 0
	Parts    int           // number of parts; if 0, the stage runs whole
}

// Range returns the first case of the part out of n cases, and 1 plus its last case.
func (o Options) Range(n int) (first, end int) {
	parts := max(o.Parts, 1)
	return o.Part * n / parts, (o.Part + 1) * n / parts
}

// Found is the error of a stage that found something wrong. The record gives the details.
type Found struct{ What string }

// Error implements error.
func (f *Found) Error() string { return f.What }
