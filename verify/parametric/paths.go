package parametric

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"go.starlark.net/starlark"

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

// maxClasses bounds the outputs of a program. Each output is a class of channels, and every
// pair of classes is a question to Z3.
const maxClasses = 1024

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

// values returns the forms of all dimensions as values.
func (r *run) values(at func(d int) form) []starlark.Value {
	list := make([]starlark.Value, r.family.dims)
	for d := range list {
		list[d], _ = r.newValue(append(form(nil), at(d)...), 1)
	}
	return list
}

// sides returns the lengths of the dimensions.
func (r *run) sides() []starlark.Value {
	return r.values(func(d int) form { return r.family.sides[d] })
}

// instance runs the top level of the program.
func (r *run) instance() (*program.Instance, error) {
	if r.family.complete() {
		return r.family.program.OnTargets(r.sides(), r.target)
	}
	return r.family.program.OnFaulty(r.sides(), r.works)
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

var errDead = errors.New("nothing satisfies the choices")

// choose returns the number of the alternative that this run takes.
func (r *run) choose(ways [][]atom) (int, error) { return r.ask(AskCondition, nil, ways) }

// chooseValue returns a value below count that this run takes.
func (r *run) chooseValue(asks Question, count int) (int, error) {
	values := make([]int, count)
	for i := range values {
		values[i] = i
	}
	return r.ask(asks, values, make([][]atom, count))
}

// ask is choose for a question. values has by alternative the value of a direction, VC or state.
func (r *run) ask(asks Question, values []int, ways [][]atom) (int, error) {
	if r.failed != nil || r.dead {
		return 0, errDead
	}
	if r.depth == len(r.decisions) {
		d, err := r.decide(ways)
		if err != nil {
			r.failed = err
			return 0, err
		}
		if len(d.alternatives) == 0 {
			r.dead = true
			return 0, errDead
		}
		d.asks, d.values = asks, values
		r.decisions = append(r.decisions, d)
	}
	d := &r.decisions[r.depth]
	r.depth++
	if len(d.alternatives) > 1 { // a forced choice adds no condition
		r.guard = append(r.guard[:len(r.guard):len(r.guard)], d.alternatives[d.current]...)
	}
	r.points = d.left[d.current]
	return d.at[d.current], nil
}

// decide returns the possible alternatives.
func (r *run) decide(ways [][]atom) (d decision, err error) {
	for i, way := range ways {
		var left [][]int64
		for _, p := range r.points {
			if allHold(way, p) {
				left = append(left, p)
			}
		}
		if len(left) == 0 {
			possible, point, err := r.possible(way)
			if err != nil {
				return d, err
			}
			if !possible {
				continue
			}
			if point != nil {
				r.first = append(r.first, point)
				left = [][]int64{point}
			}
		}
		d.alternatives, d.at, d.left = append(d.alternatives, way), append(d.at, i), append(d.left, left)
	}
	return d, nil
}

// possible asks Z3 whether an alternative is possible. The point may be nil.
func (r *run) possible(way []atom) (bool, []int64, error) {
	for _, a := range way {
		if _, never := a.known(); never {
			return false, nil, nil
		}
	}
	if r.script == nil {
		return !r.impossible(way), nil, nil
	}
	text := "(assert " + r.family.names.all(append(r.guard[:len(r.guard):len(r.guard)], way...)) + ")"
	result, values, _, err := r.script.Ask(r.ctx, text, r.family.names, smt.Limit{Time: askLimit})
	return result != smt.Unsat, values, err
}

// lazyInput is the input of a packet. Each property is chosen when the program reads it.
type lazyInput struct{ *run }

// Dir implements program.Input.
func (a *lazyInput) Dir() program.Dir {
	if a.path.anyDir {
		var ways [][]atom
		var dirs []int
		for _, dir := range append([]program.Dir{program.NoDir}, a.family.directions()...) {
			if dir == program.NoDir && a.path.vc > 0 {
				continue // created packets are on VC 0
			}
			var came []atom
			if dir != program.NoDir && !a.family.wraps(dir.Dim()) && !a.family.complete() {
				came = a.family.headAtoms(dir, false)
			}
			ways, dirs = append(ways, came), append(dirs, int(dir))
		}
		i, err := a.ask(AskDir, dirs, ways)
		if err != nil {
			return program.NoDir
		}
		a.path.anyDir, a.path.dir = false, program.Dir(dirs[i])
	}
	return a.path.dir
}

// VC implements program.Input.
func (a *lazyInput) VC() int {
	if a.path.vc < 0 {
		if !a.path.anyDir && a.path.dir == program.NoDir || a.family.program.VCs == 1 {
			return 0
		}
		vc, err := a.chooseValue(AskVC, a.family.program.VCs)
		if err != nil {
			return 0
		}
		a.path.vc = vc
	}
	return a.path.vc
}

// Wrap implements program.Input.
func (a *lazyInput) Wrap() bool {
	if !a.family.program.Family.Wrap() {
		return false
	}
	dir := a.Dir()
	if dir == program.NoDir || !a.family.wraps(dir.Dim()) {
		return false
	}
	i, _ := a.choose([][]atom{a.family.headAtoms(dir, false), a.family.headAtoms(dir, true)})
	return i == 1
}

// near returns a random place, often near one of two places: programs see failures nearby.
func near(random *rand.Rand, sides, a, b []int) []int {
	to := make([]int, len(sides))
	kind := random.IntN(4)
	for d, side := range sides {
		switch kind {
		case 0, 1:
			to[d] = (a[d] + random.IntN(3) - 1 + side) % side
		case 2:
			to[d] = (b[d] + random.IntN(3) - 1 + side) % side
		default:
			to[d] = random.IntN(side)
		}
	}
	return to
}

// maxSamples bounds the points with which the runs start.
const maxSamples = 4000

// samples returns random points of small networks.
func (f *family) samples() (list [][]int64) {
	random := rand.New(rand.NewPCG(1, 2))
	sides := make([]int, f.dims)
	for range maxSamples {
		by := map[string]int{}
		for d, s := range f.shape {
			if s.Name == "" {
				sides[d] = s.Length
				continue
			}
			if _, known := by[s.Name]; !known {
				by[s.Name] = int(f.least[slices.Index(f.sizes, s.Name)]) + random.IntN(6)
			}
			sides[d] = by[s.Name]
		}
		at, to := make([]int, f.dims), make([]int, f.dims)
		for d := range sides {
			at[d], to[d] = random.IntN(sides[d]), random.IntN(sides[d])
			if random.IntN(3) == 0 {
				to[d] = at[d] // otherwise equal coordinates are rare in many dimensions
			}
		}
		setting := slices.Clone(sides)
		for _, dim := range f.faults {
			setting = append(append(setting, dim), near(random, sides, at, to)...)
		}
		if p := f.point(at, to, setting); f.isUndelivered(p) && f.isSize(p) && allHold(f.faultDomain(), p) {
			list = append(list, p)
		}
	}
	return list
}
