package parametric

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file defines a run of a program on symbols, and repeats it once for each path (paths.go).

// Question is what a program asks at a node of its tree.
type Question int

// The questions: which linear conditions hold, in which direction the packet arrived, on which VC, in which header state.
const (
	AskCondition Question = iota
	AskDir
	AskVC
	AskState
)

// path is one execution of a program.
type path struct {
	guard   []atom // on place, destination and sizes
	dir     program.Dir
	anyDir  bool // the program did not read the direction, and dir has no meaning
	vc      int  // -1 if the program did not read the VC
	state   int  // -1 if the program did not read the state
	starts  bool // packets may be created in this state
	outputs []program.Output
	ejects  bool             // the packet may be delivered
	escape  []program.Output // the escape that the program names; if nil, none
	err     error            // the error that ended the run
}

// accepts reports whether packets of class c can take the path.
func (p *path) accepts(c class) bool {
	state := p.state < 0 || p.state == c.state
	if c == injected {
		state = p.starts
	}
	return (p.anyDir || p.dir == c.dir) && (p.vc < 0 || p.vc == c.vc) && state
}

// maxPaths bounds the paths of a program. Tests change it.
var maxPaths = 20_000

// askLimit bounds one question to Z3 whether an alternative is possible. Without an answer it
// counts as possible. This costs work, and proves nothing wrong.
const askLimit = 2 * time.Second

type decision struct {
	asks         Question
	values       []int    // by number: the value of a direction, VC or state
	alternatives [][]atom // the possible alternatives
	at           []int    // their numbers
	current      int
	left         [][][]int64 // by alternative: the points that satisfy all choices so far
}

type run struct {
	family    *family
	ctx       context.Context
	script    *smt.Script // if nil, impossible is asked instead of Z3
	decisions []decision
	depth     int // number of choices in the current run
	guard     []atom
	points    [][]int64 // points that satisfy the guard
	first     [][]int64 // all points
	failed    error     // an internal error, which ends all runs
	dead      bool      // nothing satisfies the choices, so this is no path
	path      path
	execute   func() // runs the program along the choices
}

// errTooManyPaths ends the search for a proof.
var errTooManyPaths = errors.New("too many paths, that is, combinations of the conditions that a call of route tests; remainders by large numbers, " +
	"such as cur.x % 64, make most of them")

// forEachPath calls execute for each sequence of choices, and then found unless the run is
// dead. It fails if there are too many paths.
func (r *run) forEachPath(found func()) error {
	for count := 0; ; {
		r.depth, r.guard, r.points, r.dead = 0, nil, r.first, false
		r.path = path{anyDir: true, vc: -1, state: -1}
		r.execute()
		if r.failed != nil {
			return r.failed
		}
		if !r.dead {
			found()
			if r.failed != nil {
				return r.failed
			}
			if count++; count > maxPaths {
				return fmt.Errorf("%s has %w", r.family.program.Name, errTooManyPaths)
			}
		}
		if !r.advance() {
			return nil
		}
	}
}

// advance goes to the next alternative of the last choice that has one. It returns false if there is none.
func (r *run) advance() bool {
	for r.decisions = r.decisions[:r.depth]; len(r.decisions) > 0; r.decisions = r.decisions[:len(r.decisions)-1] {
		if d := &r.decisions[len(r.decisions)-1]; d.current+1 < len(d.alternatives) {
			d.current++
			return true
		}
	}
	return false
}

var errDead = errors.New("nothing satisfies the choices")
