package hostile

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// This file says what a case is.

// The limits of every case.
const (
	MostTime   = 20 * time.Second // of processors, as of a machine that does nothing else
	MostWait   = 10 * time.Minute // by the clock, as of a machine that is very busy
	MostMemory = 1 << 30          // bytes that are resident
	mostWords  = 2000             // bytes of a reason
)

// Programs are the command lines that the programs begin with, and what is added to their
// environment.
type Programs struct {
	Turnproof, Check []string
	Env              []string
	// Cache is where turnproof keeps what it need not work out again, a second each time; "": a
	// folder of each case.
	Cache string
}

// Case is something hostile, and what must come of it.
type Case struct {
	Kind  string // of hostility
	Name  string
	Files []File // made in an empty folder, which the program starts in
	// Before is a command line that makes more of them; it must succeed.
	Before []string
	// After makes files of what Before has left.
	After []File
	// Args are those of turnproof, or those behind "turnproof-check".
	Args  []string
	Stdin string // the file that is standard input; "": an empty one
	Env   []string
	Long  bool // takes seconds, or much of the disk

	Status int    // exit status; 0 stands for 2
	Fine   bool   // exit status 0
	May    bool   // it may be taken, with any verdict: it says nothing, or what can be meant
	Says   string // what the reason holds
	// Makes are patterns of the files that may be there afterwards, besides those before.
	Makes []string
	// Holds judges what a case with Fine has left.
	Holds func(ctx context.Context, r *Result) error
}

// Result is what a program did.
type Result struct {
	Dir            string        // where it was started
	Stdout, Stderr []byte        // the first megabyte of each
	Status         int           // -1: killed
	Time           time.Duration // of processors
	Wait           time.Duration // by the clock
	Memory         int64         // most that was resident, in bytes; 0: not known
}

// status is the exit status that is expected.
func (c *Case) status() int {
	switch {
	case c.Fine:
		return 0
	case c.Status == 0:
		return 2
	}
	return c.Status
}

// Cases are all of them, kind by kind.
func Cases() []Case {
	var all []Case
	for _, list := range [][]Case{specs(), declared(), digits(), lines(), bombs(), nesting(), twice(), numbers(), files(), contents(), references(), outputs(), names(), programs(), journals(), certificates(), flags()} {
		slices.SortStableFunc(list, func(a, b Case) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
		all = append(all, list...)
	}
	return all
}

// Quick are some of each kind, for ordinary tests: those that are not Long, evenly chosen, at
// most so many a kind.
func Quick(most int) (some []Case) {
	var kinds [][]Case
	for _, c := range Cases() {
		if c.Long {
			continue
		}
		if k := len(kinds) - 1; k >= 0 && kinds[k][0].Kind == c.Kind {
			kinds[k] = append(kinds[k], c)
		} else {
			kinds = append(kinds, []Case{c})
		}
	}
	for _, list := range kinds {
		k := min(most, len(list))
		for i := range k {
			some = append(some, list[i*len(list)/k])
		}
	}
	return some
}

// Judge reports whether a case is for turnproof-check.
func (c *Case) Judge() bool { return len(c.Args) > 0 && c.Args[0] == checker }
