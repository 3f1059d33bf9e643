package family

import (
	"slices"

	"github.com/turnproof/turnproof/model/space"
)

// This file finds ranks on canonical trees. Each place has its own functional: h, d and e
// with coefficients -1, 0 and 1.
//
// Cost: 27 functionals for each of four places, 531,441 combinations in all, with a
// table of the least increase of each pair.

type canonical struct {
	d      *Decider
	forms  [][]int
	least  [][][]int8 // by place, form before, form after: -1 may fall, 0 never falls, 1 always rises
	tried  []int      // by place: the form that is tried now
	steps  []space.Step
	best   []int
	raised int
}

func newCanonical(d *Decider) *canonical {
	k := &canonical{d: d}
	for i := range 27 {
		k.forms = append(k.forms, []int{i%3 - 1, i/3%3 - 1, i/9 - 1})
	}
	slices.SortStableFunc(k.forms, func(a, b []int) int { return weight(a) - weight(b) }) // the simplest first
	for p := range d.moves {
		table := make([][]int8, len(k.forms))
		for a := range table {
			table[a] = make([]int8, len(k.forms))
			for b := range table[a] {
				switch m := d.moves[p].least(k.forms[a], k.forms[b]); {
				case !m.Bounded || m.Value.Sign() < 0:
					table[a][b] = -1
				case m.Value.Sign() > 0:
					table[a][b] = 1
				}
			}
		}
		k.least = append(k.least, table)
	}
	return k
}

// weight returns the sum of the squared coefficients.
func weight(f []int) (k int) {
	for _, x := range f {
		k += x * x
	}
	return k
}

// settle chooses the forms that increase on most steps and decrease on none. It sets
// functionals, and returns the steps on which the rank does not increase.
func (k *canonical) settle(places []int, steps []space.Step, functionals [][]int) (rest []space.Step) {
	k.steps, k.tried, k.best, k.raised = steps, make([]int, len(k.d.moves)), nil, 0
	for p := range k.tried {
		k.tried[p] = -1
	}
	k.try(places, 0)
	if k.best == nil {
		return steps
	}
	for _, p := range places {
		functionals[p] = k.forms[k.best[p]]
	}
	for _, e := range steps {
		if k.least[e.To][k.best[e.From]][k.best[e.To]] <= 0 {
			rest = append(rest, e)
		}
	}
	return rest
}

// try assigns forms to the remaining places, as long as no step decreases.
func (k *canonical) try(places []int, raised int) {
	if len(places) == 0 {
		if raised > k.raised {
			k.raised, k.best = raised, append([]int(nil), k.tried...)
		}
		return
	}
	p := places[0]
	for f := range k.forms {
		k.tried[p] = f
		now, ok := raised, true
		for _, e := range k.steps {
			if (e.From == p || e.To == p) && k.tried[e.From] >= 0 && k.tried[e.To] >= 0 {
				switch k.least[e.To][k.tried[e.From]][k.tried[e.To]] {
				case -1:
					ok = false
				case 1:
					now++
				}
			}
		}
		if ok {
			k.try(places[1:], now)
		}
	}
	k.tried[p] = -1
}
