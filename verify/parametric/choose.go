package parametric

import "github.com/turnproof/turnproof/verify/smt"

// This file chooses among the alternatives of a run (paths.go).

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
