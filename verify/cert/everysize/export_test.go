package everysize

import "slices"

// Evaluation is the paths of a program, for tests.
type Evaluation struct{ t *theorem }

// Evaluate returns the paths of a program.
func Evaluate(text string, dims int, solver Solver) (*Evaluation, error) {
	p, err := read(text, dims)
	if err != nil {
		return nil, err
	}
	t := &theorem{family: newFamily(p), solver: solver}
	return &Evaluation{t}, t.run()
}

// Starts returns the header states of created packets.
func (e *Evaluation) Starts() []int { return e.t.starts }

// At returns what the paths say about a packet: for each path that it takes, the outputs. dir is -1 for a created packet.
func (e *Evaluation) At(point []int64, dir, vc, state int) (list []Outcome) {
	for i := range e.t.paths {
		p := &e.t.paths[i]
		if (p.anyDir || int(p.dir) == dir) && (p.vc < 0 || p.vc == vc) && (p.state < 0 || p.state == state) && p.guard.Holds(point) {
			o := Outcome{Ejects: p.ejects, Failed: p.failed != nil}
			for _, x := range p.outputs {
				if e.t.complete() {
					o.Hops = append(o.Hops, e.hops(x, point)...)
				} else {
					o.Outputs = append(o.Outputs, [3]int{int(x.dir), x.vc, x.state})
				}
			}
			slices.SortFunc(o.Hops, func(a, b [4]int) int { return slices.Compare(a[:], b[:]) })
			o.Hops = slices.Compact(o.Hops)
			list = append(list, o)
		}
	}
	return list
}

// hops returns the hops of an output of a program for HyperX networks at a point: dimension, value, VC and header state. The dimension of
// an output that no hop belongs to is -1.
func (e *Evaluation) hops(o output, point []int64) (list [][4]int) {
	if e.t.missing(o).Holds(point) {
		return [][4]int{{-1, 0, o.vc, o.state}}
	}
	at := slices.Clone(point)
	for v := range e.t.side(o.dir.dim()).at(point) {
		at[e.t.firstHop()+1] = v
		if e.t.reaches(o).Holds(at) {
			list = append(list, [4]int{o.dir.dim(), int(v), o.vc, o.state})
		}
	}
	if (len(list) == 0) != e.t.barren(o).Holds(point) {
		return [][4]int{{-2}}
	}
	return list
}

// Outcome is the end of a path: outputs with direction, VC and header state.
type Outcome struct {
	Outputs [][3]int
	Hops    [][4]int // of programs for HyperX networks
	Ejects  bool
	Failed  bool
}

// Allows reports whether packets exist at a point.
func (e *Evaluation) Allows(point []int64) bool { return e.t.domain().Holds(point) }
