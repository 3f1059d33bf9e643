package parametric

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file runs a program on symbols, once for each path that it can take.
//
// A run records its choices. The next run repeats them up to the last choice with another
// alternative, and takes that alternative: depth-first search. An alternative is
// taken only if some network, place and destination satisfy all choices so far. A known
// point shows this at once; otherwise Z3 is asked, and its answer is a new point. A choice
// with one possible alternative adds no condition.
//
// The direction and VC on which the packet came are choices only if the program reads them.
// Otherwise programs would repeat all paths for every channel.
//
// An obligation proves again what this file considers impossible: the paths cover all
// places and destinations (obligations.go).

// maxClasses bounds the outputs of a program. Each output is a class of channels, and every
// pair of classes is a question to Z3.
const maxClasses = 1024

// explore returns all paths of the function route. script must have the domain asserted.
func (f *family) explore(ctx context.Context, script *smt.Script) (paths []path, err error) {
	r := &run{family: f, ctx: ctx, script: script, first: f.samples()}
	if err := r.findStarts(); err != nil {
		return nil, err
	}
	r.execute = r.route
	outputs := map[program.Output]bool{}
	err = r.forEachPath(func() {
		r.path.guard = r.guard
		paths = append(paths, r.path)
		for _, o := range r.path.outputs {
			outputs[o] = true
		}
		if len(outputs) > maxClasses {
			r.failed = fmt.Errorf("cannot run %s on symbols: it names more than %d outputs (directions, VCs and states)", f.program.Name, maxClasses)
		}
	})
	return paths, err
}

// route runs the function route once.
func (r *run) route() {
	f := r.family
	instance, err := r.instance()
	if err != nil {
		r.path.err = err
		return
	}
	state := 0
	if f.program.ReadsState && f.program.States > 1 {
		if state, err = r.chooseValue(AskState, f.program.States); err != nil {
			return
		}
		r.path.state = state
	}
	r.path.starts = slices.Contains(f.starts, state)
	r.path.escape = instance.Escape()
	outputs, err := instance.Route(r.values(f.here), r.values(f.there), &lazyInput{r}, state)
	r.path.ejects = slices.ContainsFunc(outputs, isEjection)
	r.path.outputs, r.path.err = slices.DeleteFunc(outputs, isEjection), err
}

func isEjection(o program.Output) bool { return o.Dir == program.Eject }
