package everysize

import "slices"

// This file defines questions: a formula, and facts of all networks that may help to refute it.

// Place returns the place in the program that the question is about.
func (q *Question) Place() Place { return q.at }

// question returns the question whether a formula is possible. Watched formulas are no part of it.
func (t *netTheorem) question(f *Formula, base []term, watched ...*Formula) *Question {
	return &Question{at: t.at, vocabulary: t.vocabulary, formula: f, watched: watched, levels: t.levels(base),
		towards: treeLevel(base) - 2, tree: treeLevel(base),
		factsOf: func(level int) ([]*Formula, *vocabulary) { return t.facts(level, f, base) }}
}

// Levels returns the levels of facts in the order in which a search tries them: those with all facts last.
func (q *Question) Levels() []int {
	return append(slices.DeleteFunc(slices.Clone(q.levels), func(k int) bool { return k == numLevels-1 }), numLevels-1)
}

// Towards returns the level of facts about each switch of the hop with the destination. ok is false if there is none.
func (q *Question) Towards() (level int, ok bool) {
	return q.towards, slices.Contains(q.levels, q.towards)
}

// Children returns the level of children of the spanning tree towards the destination. ok is false if there is none.
func (q *Question) Children() (level int, ok bool) { return q.tree, slices.Contains(q.levels, q.tree) }

// Level chooses the facts of a level.
func (q *Question) Level(level int) { q.facts, q.vocabulary = q.factsOf(level) }

// Facts returns the number of facts.
func (q *Question) Facts() int { return len(q.facts) }

// Formula returns the formula of the question, in the variables of its points.
func (q *Question) Formula() *Formula { return q.formula }

// Fact returns a fact of the level, in the variables of points.
func (q *Question) Fact(i int) *Formula { return q.facts[i] }

// numbers returns the variables of the formula, of watched formulas and of some facts, sorted.
func (q *Question) numbers(chosen []int) []int {
	used := map[int]bool{}
	variablesOf(q.formula, used)
	for _, i := range chosen {
		variablesOf(q.facts[i], used)
	}
	for _, w := range q.watched {
		variablesOf(w, used)
	}
	return sorted(used)
}

// With returns the formula together with some facts, as an obligation. Its variables are those that occur.
func (q *Question) With(chosen []int) *Obligation {
	numbers := q.numbers(chosen)
	by := make([]Form, len(q.vocabulary.apps))
	for i, v := range numbers {
		by[v] = variable(i)
	}
	all := []*Formula{q.formula.move(by)}
	for _, i := range chosen {
		all = append(all, q.facts[i].move(by))
	}
	return &Obligation{Formula: and(all...), Variables: len(numbers)}
}

// Point completes values of some variables to a point. Variables without a value get usual ones.
func (q *Question) Point(model map[int]int64) []int64 {
	point := make([]int64, len(q.vocabulary.apps))
	for v, a := range q.vocabulary.apps {
		switch a.fn {
		case "id":
			point[v] = 1<<20 + int64(a.args[0])
		case "distance":
			point[v] = 1
		}
	}
	for v, x := range model {
		point[v] = x
	}
	return point
}

// Violated returns the facts that a point violates, those with the fewest cases first.
func (q *Question) Violated(point []int64) (facts []int) {
	cases := func(i int) int {
		if q.facts[i].Op == Or {
			return len(q.facts[i].Args)
		}
		return 1
	}
	for i, f := range q.facts {
		if !f.Holds(point) {
			facts = append(facts, i)
		}
	}
	slices.SortStableFunc(facts, func(a, b int) int { return cases(a) - cases(b) })
	return facts
}

// Watched reports which watched formulas hold at a point.
func (q *Question) Watched(point []int64) (holds []bool) {
	for _, w := range q.watched {
		holds = append(holds, w.Holds(point))
	}
	return holds
}

// Settled returns the values of a point for the variables that the formula and the facts are about, up to the first most variables.
func (q *Question) Settled(point []int64, most int) map[int]int64 {
	used := map[int]bool{}
	variablesOf(q.formula, used)
	for _, f := range q.facts {
		variablesOf(f, used)
	}
	values := map[int]int64{}
	for v := range used {
		if v < most {
			values[v] = point[v]
		}
	}
	return values
}

// Satisfied reports whether values satisfy the formula. It is false if a variable of the formula has no value.
func (q *Question) Satisfied(values map[int]int64) bool {
	used := map[int]bool{}
	variablesOf(q.formula, used)
	point := make([]int64, len(q.vocabulary.apps))
	for v := range used {
		x, ok := values[v]
		if !ok {
			return false
		}
		point[v] = x
	}
	return q.formula.Holds(point)
}

// Variables returns the number of variables.
func (q *Question) Variables() int { return len(q.vocabulary.apps) }
