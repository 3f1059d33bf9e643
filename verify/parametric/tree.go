package parametric

import (
	"context"
	"errors"
	"slices"

	"github.com/turnproof/turnproof/model/program"
)

// This file makes the decisions of a program available to other packages, as a tree. Z3 is not needed.

// Condition is an inequality Form >= 0 or, if Mod is at least 2, the divisibility of Form by Mod. Form has a coefficient for each
// variable of the tree, then the constant.
type Condition struct {
	Form []int64
	Mod  int64
}

// Decision is a node of a tree. It is a leaf if it has no answers.
type Decision struct {
	Asks    Question
	Answers []Answer         // of which exactly one applies
	Outputs []program.Output // of a leaf
	Err     error            // of a leaf: the error with which the program ends
}

// Answer is a branch of a decision.
type Answer struct {
	All   []Condition // AskCondition: the conditions of this branch
	Value int         // otherwise: the direction (program.NoDir at the source), VC or state
	Then  *Decision
}

// Tree has the decisions of a program on all networks of its family with some number of dimensions. Conditions of one branch can
// contradict each other: no packet takes it. Unless the program delivers packets itself (program.EJECT), the tree is for packets
// that are not at their destination.
type Tree struct {
	// Names are the variables: coordinates of the place and of the destination, then sizes. The ghosts between have no
	// coefficient.
	Names []string
	Dims  int
	Sizes []string  // names of the sizes in the program, the last variables
	Sides [][]int64 // by dimension: the length as a form
	Least int       // the tree holds for sizes from this on
	Where []string  // further conditions on sizes under which the tree holds
	Root  *Decision
}

// Decisions returns the tree of a program. It fails if the program has too many paths.
func Decisions(ctx context.Context, p *program.Program, dims int) (*Tree, error) {
	f, err := newFamily(p, dims)
	if err != nil {
		return nil, err
	}
	if f.complete() {
		return nil, errors.New("a program for hyperx has no tree: its outputs name values")
	}
	r := &run{family: f, ctx: ctx, first: f.samples()}
	r.execute = r.route
	t := &Tree{Names: f.names, Dims: dims, Sizes: f.sizes, Least: int(slices.Max(append([]int64{0}, f.least...))), Root: &Decision{}}
	for _, c := range p.Family.Where {
		t.Where = append(t.Where, c.Text)
	}
	for _, side := range f.sides {
		t.Sides = append(t.Sides, side)
	}
	err = r.forEachPath(func() {
		if r.failed = ctx.Err(); r.failed == nil {
			leaf := t.Root.follow(r.decisions[:r.depth])
			leaf.Outputs, leaf.Err = r.path.outputs, r.path.err
			if r.path.ejects {
				leaf.Outputs = append(leaf.Outputs, program.Output{Dir: program.Eject})
			}
		}
	})
	return t, err
}

// follow returns the node at the end of a run, and adds the nodes that are missing.
func (d *Decision) follow(run []decision) *Decision {
	for i := range run {
		step := &run[i]
		if len(step.alternatives) == 1 { // a forced choice
			continue
		}
		if d.Answers == nil {
			d.Asks, d.Answers = step.asks, make([]Answer, len(step.alternatives))
			for k, way := range step.alternatives {
				a := &d.Answers[k]
				if a.Then = (&Decision{}); step.asks != AskCondition {
					a.Value = step.values[step.at[k]]
					continue
				}
				for _, x := range way {
					a.All = append(a.All, Condition{x.form, x.mod})
				}
			}
		}
		d = d.Answers[step.current].Then
	}
	return d
}

// FirstError returns the error of the first leaf that has one, or nil. A call of fail is none: the program says that no packet
// is there.
func (t *Tree) FirstError() error { return t.Root.firstError() }

func (d *Decision) firstError() error {
	var failed *program.Error
	if d.Err != nil && !(errors.As(d.Err, &failed) && failed.IsFail()) {
		return d.Err
	}
	for _, a := range d.Answers {
		if err := a.Then.firstError(); err != nil {
			return err
		}
	}
	return nil
}

// Text returns a condition for readers: x + 1 <= dx.
func (t *Tree) Text(c Condition) string {
	return names(t.Names).conditionText(atom{form: c.Form, mod: c.Mod})
}

// EqualText returns the condition that a form is 0 for readers: x = dx.
func (t *Tree) EqualText(f []int64) string {
	plus, minus := form(f).sides()
	return names(t.Names).text(plus) + " = " + names(t.Names).text(minus)
}
