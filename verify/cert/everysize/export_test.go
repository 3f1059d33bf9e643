package everysize

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
				o.Outputs = append(o.Outputs, [3]int{int(x.dir), x.vc, x.state})
			}
			list = append(list, o)
		}
	}
	return list
}

// Outcome is the end of a path: outputs with direction, VC and header state.
type Outcome struct {
	Outputs [][3]int
	Ejects  bool
	Failed  bool
}

// Allows reports whether packets exist at a point.
func (e *Evaluation) Allows(point []int64) bool { return e.t.domain().Holds(point) }
