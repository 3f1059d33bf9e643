package everysize

// This file defines the machine that runs programs.

// choice is a decision of a run.
type choice struct {
	line    int // of the program, of programs for any network
	ways    []*Formula
	open    []int // the alternatives that are possible
	current int   // index of open
}

// machine runs a program.
type machine struct {
	*family
	possible func(*Formula) (bool, error)
	choices  []choice
	depth    int
	guard    []*Formula
	facts    *Formula // known of all packets of the run, beside the guard
	base     *Formula // known of all packets
	path     path
	work     int
	total    int
	calls    []*stmt // active functions
	nesting  int
	line     int         // of the statement that runs
	net      *netMachine // of programs for any network; else nil
}

// netMachine is the part of a machine that only programs for any network use.
type netMachine struct {
	*vocabulary
	next    term           // the next unused term of the run
	pure    bool           // no unknown element may be selected: the run defines a condition
	inner   int            // generic elements that are being visited
	outer   map[*list]bool // lists that exist outside of the innermost generic loop
	effects []effect       // elements that this loop appends to them
	created bool           // the packet has just been created
	vc      int            // on which it arrived
	attrs   map[string]bool
	mixes   int // the last mix of generic elements
}

type effect struct {
	to    *list
	value any
}

// outcome is one path through the body of a generic loop.
type outcome struct {
	guard   *Formula
	how     signal
	value   any
	finals  map[string]any // names that the body assigns, with their values
	effects []effect
	failed  error
	binders []binder // of the generic element
}

// signal says how a statement ends.
type signal int

const (
	goesOn signal = iota
	breaks
	continues
	returns
)

// maxPaths bounds the paths of a program, maxChoices those of a run, maxWork the steps of a run, maxTotal those of all runs.
const (
	maxPaths   = 20_000
	maxChoices = 10_000
	maxWork    = 200_000
	maxTotal   = 20_000_000
)
