package family

import (
	"fmt"

	"github.com/turnproof/turnproof/internal/linear"
	"github.com/turnproof/turnproof/model/space"
)

// This file finds ranks, or a component of places without ranks.
//
// Method: compute the strongly connected components of the graph of steps, and give each a constant,
// ascending along steps. In a component find a functional that no move decreases and some
// move increases. Steps onto places whose moves increase it are settled. Repeat with
// the other steps until no component has steps. If a component has no functional,
// the moves of its places sum to zero in some proportion. Straight moves are always
// allowed, so some walk closes.
//
// For meshes, tori and H/V graphs on any tree, if there is a functional, some coordinate or
// its negative is one: a component moves both ways, one way, or not at all along a
// coordinate. On canonical trees each place has its own functional (canonical.go). For given
// families small coefficients are tried (functional.go).

// Level is a constant and a functional of a place.
type Level struct {
	Constant   int
	Functional []int // by coordinate of the switch at the head of a channel
}

// Verdict is the verdict on a set of class turns.
type Verdict struct {
	Set space.Set
	// Acyclic says that no network of the family has a cycle of allowed turns. Then Ranks
	// holds the ranks by place. Otherwise Component holds the places of walks that close. If
	// Undecided is not empty, it says why the set is neither.
	Acyclic   bool
	Ranks     [][]Level
	Component []int
	Undecided string
}

// Decider decides sets of one space. It is not safe for concurrent use.
type Decider struct {
	space     *space.Space
	moves     []move
	forms     []functional
	canonical *canonical
}

// functional is a linear form. By place: whether moves never decrease it, and whether they
// increase it.
type functional struct {
	coeffs        []int
	keeps, raises []bool
}

// move describes the channels of a place.
type move struct {
	rows []linear.Row // over the coordinates of the tail, then of the head
	dims int
	sign []axis // by coordinate: how the move changes it
}

// axis says whether a move never decreases, never increases, or strictly changes a coordinate.
type axis struct{ up, down, change bool }

// New returns a Decider for a space.
func New(s *space.Space) *Decider {
	d := &Decider{space: s}
	for _, p := range s.Places {
		d.moves = append(d.moves, newMove(p.Move, len(s.Coords)))
	}
	if s.Kind == space.HV && s.Tree == space.CanonicalTree {
		d.canonical = newCanonical(d)
	}
	if s.Kind == space.Given {
		d.forms = d.smallForms()
		return d
	}
	for i := range s.Coords {
		for _, sign := range []int{1, -1} {
			f := functional{coeffs: make([]int, len(s.Coords))}
			f.coeffs[i] = sign
			for _, m := range d.moves {
				a := m.sign[i]
				keeps := sign > 0 && a.up || sign < 0 && a.down
				f.keeps, f.raises = append(f.keeps, keeps), append(f.raises, keeps && a.change)
			}
			d.forms = append(d.forms, f)
		}
	}
	return d
}

func newMove(list []space.Constraint, dims int) move {
	m := move{dims: dims}
	for _, c := range list {
		m.rows = append(m.rows, linear.Row{Coeffs: append(append([]int{}, c.Tail...), c.Head...), Least: c.Least})
	}
	for i := range dims {
		f := make([]int, dims)
		f[i] = 1
		up := m.least(f, f)
		f[i] = -1
		down := m.least(f, f)
		m.sign = append(m.sign, axis{up.Bounded && up.Value.Sign() >= 0, down.Bounded && down.Value.Sign() >= 0,
			up.Bounded && up.Value.Sign() > 0 || down.Bounded && down.Value.Sign() > 0})
	}
	return m
}

// least returns the least increase of a rank from before, at the tail, to after, at the head.
func (m *move) least(before, after []int) linear.Answer {
	form := make([]int, 2*m.dims)
	for i := range m.dims {
		form[i], form[m.dims+i] = -before[i], after[i]
	}
	return linear.Minimum(m.rows, form)
}

// Decide decides a set.
func (d *Decider) Decide(set space.Set) (*Verdict, error) {
	v := &Verdict{Set: set, Ranks: make([][]Level, len(d.space.Places))}
	left := d.space.Steps(set)
	for len(left) > 0 {
		comp := components(len(d.space.Places), left)
		inside := make([][]space.Step, len(comp.members))
		for _, e := range left {
			if c := comp.of[e.From]; c == comp.of[e.To] {
				inside[c] = append(inside[c], e)
			}
		}
		left = nil
		functionals := make([][]int, len(d.space.Places))
		for c, steps := range inside {
			if len(steps) == 0 {
				continue
			}
			rest := d.settle(comp.members[c], steps, functionals)
			if len(rest) == len(steps) {
				v.Ranks, v.Component = nil, comp.members[c]
				if d.canonical != nil || d.space.Kind == space.Given {
					v.Undecided = "no rank of the tried forms increases"
				}
				return v, nil
			}
			left = append(left, rest...)
		}
		for p := range v.Ranks {
			f := functionals[p]
			if f == nil {
				f = make([]int, len(d.space.Coords))
			}
			v.Ranks[p] = append(v.Ranks[p], Level{comp.of[p], f})
		}
	}
	v.Acyclic = true
	return v, nil
}

// settle finds functionals for the places of a component. It returns the steps on which they
// do not increase: all steps if it finds none.
func (d *Decider) settle(places []int, steps []space.Step, functionals [][]int) []space.Step {
	if d.canonical != nil {
		return d.canonical.settle(places, steps, functionals)
	}
	f, raised := d.bestForm(places)
	if f == nil {
		return steps
	}
	for _, p := range places {
		functionals[p] = f
	}
	rest := []space.Step{}
	for _, e := range steps {
		if !raised[e.To] {
			rest = append(rest, e)
		}
	}
	return rest
}

// bestForm returns the known functional that no move of the places decreases and most increase.
func (d *Decider) bestForm(places []int) (best []int, raised map[int]bool) {
	for _, f := range d.forms {
		now, ok := map[int]bool{}, true
		for _, p := range places {
			if ok = ok && f.keeps[p]; ok && f.raises[p] {
				now[p] = true
			}
		}
		if ok && len(now) > len(raised) {
			best, raised = f.coeffs, now
		}
	}
	return best, raised
}

// String returns a rank as in a paper, such as (2, -x), without zeros at the end.
func (d *Decider) String(levels []Level) string {
	text, last := "", 0
	for i, l := range levels {
		if l.Constant != 0 || !zero(l.Functional) {
			last = i + 1
		}
	}
	for _, l := range levels[:last] {
		text += fmt.Sprintf(", %d", l.Constant)
		if !zero(l.Functional) {
			text += ", " + form(l.Functional, d.space.Coords)
		}
	}
	if text == "" {
		return "(0)"
	}
	return "(" + text[2:] + ")"
}

func zero(f []int) bool {
	for _, x := range f {
		if x != 0 {
			return false
		}
	}
	return true
}

// form returns a linear form as text.
func form(f []int, names []string) (text string) {
	for i, x := range f {
		switch {
		case x == 0:
			continue
		case x < 0:
			text += "-"
		case text != "":
			text += "+"
		}
		if x = max(x, -x); x > 1 {
			text += fmt.Sprint(x)
		}
		text += names[i]
	}
	return text
}
