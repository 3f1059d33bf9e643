package cert

// This file judges the steps of a proof by clauses, in order.
//
// Each step has its kind, the number of its literals, and the literals. The last step is an empty clause.

// stepDerived is the kind of a step that follows from the clauses before it by unit propagation. Each proof has further
// kinds.
const stepDerived = 0

// judgeSteps adds the clause of each step to c, if it follows by unit propagation or shown judges its kind to be shown.
func judgeSteps(claim string, c *clauses, steps []int32, shown func(kind int32, literals []int32) bool) error {
	for n := 0; ; n++ {
		if len(steps) < 2 || steps[1] < 0 || int64(steps[1]) > int64(len(steps)-2) {
			return Reject(claim, "step %d is cut off", n)
		}
		kind, literals := steps[0], steps[2:2+steps[1]]
		steps = steps[2+len(literals):]
		if err := checkLiterals(claim, c, n, literals); err != nil {
			return err
		}
		if kind == stepDerived && !c.derives(literals) || kind != stepDerived && !shown(kind, literals) {
			return Reject(claim, "step %d, a clause of %d literals of kind %d, is not shown", n, len(literals), kind)
		}
		if len(literals) > 0 {
			c.add(literals)
			continue
		}
		if len(steps) > 0 {
			return Reject(claim, "%d numbers after the empty clause, step %d", len(steps), n)
		}
		return nil
	}
}

// JudgeClauses judges steps after given clauses of different variables, from 1 to variables.
func JudgeClauses(claim string, variables int, given [][]int32, steps []int32, shown func(kind int32, literals []int32) bool) error {
	c := newClauses(variables)
	for _, clause := range given {
		c.add(clause)
	}
	return judgeSteps(claim, c, steps, shown)
}

// checkLiterals judges that a clause has different variables that exist.
func checkLiterals(claim string, c *clauses, n int, literals []int32) error {
	seen := make(map[int32]bool, len(literals))
	for _, l := range literals {
		v := max(l, -l)
		if v < 1 || int(v) > c.variables() || seen[v] {
			return Reject(claim, "step %d: literal %d, of %d variables, or a variable twice", n, l, c.variables())
		}
		seen[v] = true
	}
	return nil
}
