package cert

// This file propagates units: a clause whose literals are all false except one makes this one true.
//
// Each clause of at least two literals watches two of them, at the start of its list. Only when a watched literal becomes false is the clause
// looked at.

// clauses is a set of clauses with the literals that follow from it by unit propagation.
type clauses struct {
	watch  [][]int32 // by place of a literal: the clauses that watch it
	list   [][]int32 // by clause: its literals
	value  []int8    // by variable: 1 true, -1 false, 0 open
	trail  []int32   // literals that are true
	done   int       // literals of the trail that are propagated
	absurd bool      // some clause is false
}

func newClauses(variables int) *clauses {
	return &clauses{watch: make([][]int32, 2*variables+2), value: make([]int8, variables+1)}
}

func (c *clauses) variables() int { return len(c.value) - 1 }

// placeOf returns the place of a literal in watch.
func placeOf(l int32) int32 {
	if l > 0 {
		return 2 * l
	}
	return -2*l + 1
}

func (c *clauses) isTrue(l int32) bool {
	return l > 0 && c.value[l] == 1 || l < 0 && c.value[-l] == -1
}

// set makes a literal true.
func (c *clauses) set(l int32) {
	if l > 0 {
		c.value[l] = 1
	} else {
		c.value[-l] = -1
	}
	c.trail = append(c.trail, l)
}

// add adds a clause, and propagates.
func (c *clauses) add(clause []int32) {
	own := append([]int32(nil), clause...)
	free := 0 // literals that are not false come first
	for i, l := range own {
		if !c.isTrue(-l) {
			own[free], own[i] = own[i], own[free]
			free++
		}
	}
	switch {
	case c.absurd:
	case free == 0:
		c.absurd = true
	case free == 1:
		if !c.isTrue(own[0]) {
			c.set(own[0])
			c.absurd = !c.propagate()
		}
	default:
		n := int32(len(c.list))
		c.list = append(c.list, own)
		for _, l := range own[:2] {
			c.watch[placeOf(l)] = append(c.watch[placeOf(l)], n)
		}
	}
}

// derives reports whether a clause follows by unit propagation: its literals cannot all be false.
func (c *clauses) derives(clause []int32) bool {
	if c.absurd {
		return true
	}
	begin := len(c.trail)
	conflict := false
	for _, l := range clause {
		if c.isTrue(l) {
			conflict = true
			break
		}
		if !c.isTrue(-l) {
			c.set(-l)
		}
	}
	conflict = conflict || !c.propagate()
	for _, l := range c.trail[begin:] {
		c.value[max(l, -l)] = 0
	}
	c.trail, c.done = c.trail[:begin], begin
	return conflict
}

// propagate makes literals true until nothing changes. If a clause is false, it returns false.
func (c *clauses) propagate() bool {
	for ; c.done < len(c.trail); c.done++ {
		gone := -c.trail[c.done]
		list := c.watch[placeOf(gone)]
		kept := 0
		for k, n := range list {
			clause := c.list[n]
			if clause[0] == gone {
				clause[0], clause[1] = clause[1], clause[0]
			}
			if c.isTrue(clause[0]) || !c.rewatch(n) {
				list[kept] = n
				kept++
			} else {
				continue
			}
			if c.isTrue(clause[0]) {
				continue
			}
			if c.isTrue(-clause[0]) {
				kept += copy(list[kept:], list[k+1:])
				c.watch[placeOf(gone)] = list[:kept]
				return false
			}
			c.set(clause[0])
		}
		c.watch[placeOf(gone)] = list[:kept]
	}
	return true
}

// rewatch makes clause n watch a literal that is not false in place of its second one. If there is none, it
// returns false.
func (c *clauses) rewatch(n int32) bool {
	clause := c.list[n]
	for i := 2; i < len(clause); i++ {
		if l := clause[i]; !c.isTrue(-l) {
			clause[1], clause[i] = l, clause[1]
			c.watch[placeOf(l)] = append(c.watch[placeOf(l)], n)
			return true
		}
	}
	return false
}
