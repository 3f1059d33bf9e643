package hostile

import (
	"context"
	"time"
)

// This file defines a case.

// The limits of every case.
const (
	MostTime   = 20 * time.Second // of processors
	MostWait   = 10 * time.Minute // by the clock, on a busy machine
	MostMemory = 1 << 30          // bytes, resident
	mostWords  = 2000             // bytes of an error message
)

// Case is a hostile input and the expected result.
type Case struct {
	Kind, Name string
	Files      []File   // made in an empty folder, in which the program starts
	Before     []string // arguments of a run that makes more files and must succeed
	After      []File   // made from those files
	Args       []string // arguments of turnproof, or turnproof-check and its arguments
	Stdin      string   // file that is standard input; if empty, there is none
	Env        []string
	Long       bool // takes seconds, or much of the disk

	Status int                                        // expected exit status; 2 also expects an error of one line and no output
	May    bool                                       // any verdict is right as well
	Says   string                                     // expected text in the error
	Makes  []string                                   // patterns of files that may remain
	Holds  func(ctx context.Context, r *Result) error // judges the files that the run left, if not nil
}

// Result is what a program did.
type Result struct {
	Dir            string        // in which it started
	Stdout, Stderr []byte        // the first megabyte of each
	Status         int           // -1 if a signal ended it
	Time           time.Duration // of processors
	Wait           time.Duration // by the clock
	Memory         int64         // the largest resident set in bytes; 0 if unknown
}
