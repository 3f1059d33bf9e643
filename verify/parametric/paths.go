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

// This file runs a program on symbols: once for each path that it can take.
//
// A run remembers its choices. The next run makes the same ones again up to the last
// that has another way, and takes that: depth first, until none is left. A way is
// taken only if some network, place and destination agree with all choices so far: a
// known point shows that at once, else Z3 is asked, and its answer is a new point. A
// choice with one possible way adds no condition.
//
// How the packet came (inp) is a choice, too, but only where the program asks for it:
// programs that do not would repeat all their paths for every channel.
//
// What is taken for impossible here is proved once more as an obligation: the paths
// cover all places and destinations (obligations.go).

// path is one way through a program.
type path struct {
	guard   []atom // over place, destination and sizes
	dir     program.Dir
	anyDir  bool // the program did not ask for the direction; dir means nothing
	vc      int  // -1: it did not ask
	state   int  // -1: it has no such parameter
	starts  bool // packets may be created in state
	outputs []program.Output
	ejects  bool             // the packet may be delivered
	escape  []program.Output // that the program names, nil: none
	err     error            // the run ended with it
}

// from reports whether packets of a class can take the path.
func (p *path) from(c class) bool {
	state := p.state < 0 || p.state == c.state
	if c == injected {
		state = p.starts
	}
	return (p.anyDir || p.dir == c.dir) && (p.vc < 0 || p.vc == c.vc) && state
}

// maxPaths bounds the paths of a program.
const maxPaths = 20_000

// maxClasses bounds the outputs that a program names: each is a class of channels, and every
// pair of them a question.
const maxClasses = 1024

// askLimit bounds one question whether a way is possible. Without an answer it counts
// as possible, which costs work and proves nothing wrong.
const askLimit = 2 * time.Second

type decision struct {
	ways [][]atom // those possible
	at   []int    // their numbers
	now  int
	left [][][]int64 // by way: the points that agree with all choices so far
}

type run struct {
	family    *family
	ctx       context.Context
	script    *smt.Script
	decisions []decision
	depth     int // of the run at hand
	guard     []atom
	points    [][]int64 // that agree with the guard
	first     [][]int64 // all points
	failed    error     // machinery: ends everything
	dead      bool      // nothing agrees with the choices: not a path
	path      path
	once      func() // runs the program along the choices
}

// explore returns all paths of route. The script must know the domain.
func (f *family) explore(ctx context.Context, script *smt.Script) (paths []path, err error) {
	r := &run{family: f, ctx: ctx, script: script, first: f.samples()}
	if err := r.findStarts(); err != nil {
		return nil, err
	}
	r.once = r.route
	outputs := map[program.Output]bool{}
	err = r.all(func() {
		r.path.guard = r.guard
		paths = append(paths, r.path)
		for _, o := range r.path.outputs {
			outputs[o] = true
		}
		if len(outputs) > maxClasses {
			r.failed = fmt.Errorf("parametric: %s names more than %d outputs (directions, VCs and states)", f.program.Name, maxClasses)
		}
	})
	return paths, err
}

// all calls once for each way through the choices, and then found.
func (r *run) all(found func()) error {
	for count := 0; ; {
		r.depth, r.guard, r.points, r.dead = 0, nil, r.first, false
		r.path = path{anyDir: true, vc: -1, state: -1}
		r.once()
		if r.failed != nil {
			return r.failed
		}
		if !r.dead {
			found()
			if r.failed != nil {
				return r.failed
			}
			if count++; count > maxPaths {
				return fmt.Errorf("parametric: %s has more than %d paths", r.family.program.Name, maxPaths)
			}
		}
		if !r.next() {
			return nil
		}
	}
}

// next goes on to the last choice that has another way.
func (r *run) next() bool {
	for r.decisions = r.decisions[:r.depth]; len(r.decisions) > 0; r.decisions = r.decisions[:len(r.decisions)-1] {
		if d := &r.decisions[len(r.decisions)-1]; d.now+1 < len(d.ways) {
			d.now++
			return true
		}
	}
	return false
}

// values makes values of forms.
func (r *run) values(at func(d int) form) []starlark.Value {
	list := make([]starlark.Value, r.family.dims)
	for d := range list {
		list[d], _ = r.made(append(form(nil), at(d)...), 1)
	}
	return list
}

// sides are the lengths of the dimensions.
func (r *run) sides() []starlark.Value {
	return r.values(func(d int) form { return r.family.sides[d] })
}

// route runs the program once.
func (r *run) route() {
	f := r.family
	instance, err := f.program.On(r.sides())
	if err != nil {
		r.path.err = err
		return
	}
	state := 0
	if f.program.ReadsState && f.program.States > 1 {
		if state, err = r.choose(make([][]atom, f.program.States)); err != nil {
			return
		}
		r.path.state = state
	}
	r.path.starts = slices.Contains(f.starts, state)
	r.path.escape = instance.Escape()
	outputs, err := instance.Route(r.values(f.here), r.values(f.there), &asked{r}, state)
	r.path.ejects = slices.ContainsFunc(outputs, isEjection)
	r.path.outputs, r.path.err = slices.DeleteFunc(outputs, isEjection), err
}

func isEjection(o program.Output) bool { return o.Dir == program.Eject }

var errDead = errors.New("nothing agrees with the choices")

// choose returns the number of the way that this run takes.
func (r *run) choose(ways [][]atom) (int, error) {
	if r.failed != nil || r.dead {
		return 0, errDead
	}
	if r.depth == len(r.decisions) {
		d, err := r.decide(ways)
		if err != nil {
			r.failed = err
			return 0, err
		}
		if len(d.ways) == 0 {
			r.dead = true
			return 0, errDead
		}
		r.decisions = append(r.decisions, d)
	}
	d := &r.decisions[r.depth]
	r.depth++
	if len(d.ways) > 1 { // else it was forced and says nothing new
		r.guard = append(r.guard[:len(r.guard):len(r.guard)], d.ways[d.now]...)
	}
	r.points = d.left[d.now]
	return d.at[d.now], nil
}

// decide finds the ways that are possible.
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
		d.ways, d.at, d.left = append(d.ways, way), append(d.at, i), append(d.left, left)
	}
	return d, nil
}

// possible asks Z3; the point may be nil.
func (r *run) possible(way []atom) (bool, []int64, error) {
	for _, a := range way {
		if _, never := a.known(); never {
			return false, nil, nil
		}
	}
	text := "(assert " + r.family.names.all(append(r.guard[:len(r.guard):len(r.guard)], way...)) + ")"
	result, values, _, err := r.script.Ask(r.ctx, text, r.family.names, smt.Limit{Time: askLimit})
	return result != smt.Unsat, values, err
}

// asked is how the packet came, decided as far as the program asks.
type asked struct{ *run }

// Dir implements program.Input.
func (a *asked) Dir() program.Dir {
	if a.path.anyDir {
		var ways [][]atom
		var dirs []program.Dir
		for dir := program.NoDir; int(dir) < 2*a.family.dims; dir++ {
			if dir == program.NoDir && a.path.vc > 0 {
				continue // created packets are on VC 0
			}
			var came []atom
			if dir != program.NoDir && !a.family.program.Family.Wrap() {
				came = a.family.came(dir, false)
			}
			ways, dirs = append(ways, came), append(dirs, dir)
		}
		i, err := a.choose(ways)
		if err != nil {
			return program.NoDir
		}
		a.path.anyDir, a.path.dir = false, dirs[i]
	}
	return a.path.dir
}

// VC implements program.Input.
func (a *asked) VC() int {
	if a.path.vc < 0 {
		if !a.path.anyDir && a.path.dir == program.NoDir || a.family.program.VCs == 1 {
			return 0
		}
		vc, err := a.choose(make([][]atom, a.family.program.VCs))
		if err != nil {
			return 0
		}
		a.path.vc = vc
	}
	return a.path.vc
}

// Wrap implements program.Input.
func (a *asked) Wrap() bool {
	if !a.family.program.Family.Wrap() {
		return false
	}
	dir := a.Dir()
	if dir == program.NoDir {
		return false
	}
	i, _ := a.choose([][]atom{a.family.came(dir, false), a.family.came(dir, true)})
	return i == 1
}

// maxSamples bounds the points that a run begins with.
const maxSamples = 4000

// samples are points of small networks: all of the smallest, then drawn ones.
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
				by[s.Name] = int(f.least) + random.IntN(6)
			}
			sides[d] = by[s.Name]
		}
		at, to := make([]int, f.dims), make([]int, f.dims)
		for d := range sides {
			at[d], to[d] = random.IntN(sides[d]), random.IntN(sides[d])
			if random.IntN(3) == 0 {
				to[d] = at[d] // else equal coordinates are rare in many dimensions
			}
		}
		if p := f.point(at, to, sides); f.isElsewhere(p) {
			list = append(list, p)
		}
	}
	return list
}
