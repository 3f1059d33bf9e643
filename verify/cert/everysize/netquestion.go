package everysize

// This file defines questions: a formula, and facts of all networks that may help to refute it.

// Question is a formula that must contradict the facts of networks.
type Question struct {
	vocabulary *vocabulary
	formula    *Formula
	watched    []*Formula
	factsOf    func(level int) ([]*Formula, *vocabulary)
	levels     int
	facts      []*Formula // of the level
}

// question returns the question whether a formula is possible. Watched formulas are no part of it.
func (t *netTheorem) question(f *Formula, base []term, watched ...*Formula) *Question {
	return &Question{vocabulary: t.vocabulary, formula: f, watched: watched, levels: t.levels(base),
		factsOf: func(level int) ([]*Formula, *vocabulary) { return t.facts(level, f, base) }}
}

// Levels returns the levels of facts in the order in which a search tries them: those with all facts last.
func (q *Question) Levels() (list []int) {
	for level := range q.levels {
		if level != numLevels-1 {
			list = append(list, level)
		}
	}
	return append(list, numLevels-1)
}

// Towards returns the level of facts about each switch of the hop with the destination. ok is false if there is none.
func (q *Question) Towards() (level int, ok bool) { return q.levels - 2, q.levels > numLevels }

// Level chooses the facts of a level.
func (q *Question) Level(level int) { q.facts, q.vocabulary = q.factsOf(level) }

// Facts returns the number of facts.
func (q *Question) Facts() int { return len(q.facts) }

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

// Point completes a solution of With(chosen) to all variables. Variables that do not occur get usual values.
func (q *Question) Point(chosen []int, model []int64) []int64 {
	point := make([]int64, len(q.vocabulary.apps))
	for v, a := range q.vocabulary.apps {
		switch a.fn {
		case "id":
			point[v] = 1<<20 + int64(a.args[0])
		case "distance":
			point[v] = 1
		}
	}
	for i, v := range q.numbers(chosen) {
		if i < len(model) {
			point[v] = model[i]
		}
	}
	return point
}

// Violated returns the facts that a point violates, and the number of cases of each.
func (q *Question) Violated(point []int64) (facts, cases []int) {
	for i, f := range q.facts {
		if !f.Holds(point) {
			facts = append(facts, i)
			k := 1
			if f.Op == Or {
				k = len(f.Args)
			}
			cases = append(cases, k)
		}
	}
	return facts, cases
}

// Watched reports which watched formulas hold at a point.
func (q *Question) Watched(point []int64) (holds []bool) {
	for _, w := range q.watched {
		holds = append(holds, w.Holds(point))
	}
	return holds
}
