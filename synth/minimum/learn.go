package minimum

import "slices"

// This file learns a clause from a conflict, and records the clauses that imply it.

const (
	inClause = 1 + iota
	implied
	notImplied
)

// learn resolves the false clause until one literal of the last level is left. It backtracks and
// makes that literal true. It returns false if the conflict depends on no decision; then the proof
// is complete.
func (d *decider) learn() bool {
	last := int32(0)
	for _, l := range d.confl {
		last = max(last, d.level[l>>1])
	}
	d.back(int(last))
	if last == 0 {
		d.settle()
		d.close(d.confl, d.conflN)
		return false
	}
	var x lesson
	d.resolve(&x, last)
	// Drop the literals that the others imply.
	kept := x.lits[:1]
	for _, l := range x.lits[1:] {
		if d.reason[l>>1] == byDecision || !d.redundant(l>>1, &x.touched, &x.resolved, 0) {
			kept = append(kept, l)
		}
	}
	x.lits = kept
	number := d.proof.derive(x.lits, d.order(&x))
	for _, v := range x.touched {
		d.mark[v] = 0
	}
	d.assert(x.lits, number)
	return true
}

// lesson is what learn finds out about a conflict.
type lesson struct {
	lits     []literal // of the clause; the first is the literal to make true
	touched  []int32   // variables with marks
	resolved []int32   // variables whose reasons imply that a literal can be dropped
	hints    []int32   // numbers of the resolved clauses, in the order of resolution
}

// resolve resolves the false clause with the reasons of literals of the last level until only one of these is left.
func (d *decider) resolve(x *lesson, last int32) {
	x.lits = []literal{0} // place of the asserting literal
	pending, i := 0, len(d.trail)-1
	part, reason := d.confl, d.conflN
	x.hints = []int32{}
	for {
		x.hints = append(x.hints, reason)
		for _, l := range part {
			v := l >> 1
			if d.mark[v] != 0 || d.value[l] > 0 {
				continue
			}
			d.mark[v] = inClause
			x.touched = append(x.touched, v)
			d.bump(v)
			switch {
			case d.level[v] == last:
				pending++
			case d.level[v] > 0:
				x.lits = append(x.lits, l)
			}
		}
		for d.mark[d.trail[i]>>1] == 0 {
			i--
		}
		uip := d.trail[i]
		i--
		if pending--; pending == 0 {
			x.lits[0] = uip ^ 1
			return
		}
		part, reason = d.because(uip >> 1)
	}
}

// order returns the hints of a proof step: unit clauses, then the reasons of implied literals in the order of the trail, then
// the resolved clauses.
func (d *decider) order(x *lesson) (order []int32) {
	slices.SortFunc(x.resolved, func(a, b int32) int { return d.at[a] - d.at[b] })
	for _, v := range x.touched {
		if d.level[v] == 0 && d.mark[v] != 0 {
			order = append(order, d.unit[v])
		}
	}
	for _, v := range x.resolved {
		_, n := d.because(v)
		order = append(order, n)
	}
	slices.Reverse(x.hints)
	return append(order, x.hints...)
}

// assert backtracks to the level on which all literals but the first are false, and makes the first true. number is that of
// the clause in the proof.
func (d *decider) assert(lits []literal, number int32) {
	level := int32(0)
	levels := map[int32]bool{}
	for k, l := range lits[1:] {
		v := l >> 1
		levels[d.level[v]] = true
		if d.level[v] > level {
			level = d.level[v]
			lits[1], lits[k+1] = lits[k+1], lits[1]
		}
	}
	d.back(int(level))
	if len(lits) == 1 {
		d.assign(lits[0], byDecision)
		d.unit[lits[0]>>1] = number
		return
	}
	d.assign(lits[0], d.add(lits, number, int32(len(levels)+1)))
}

// redundant reports whether the other literals of the clause imply that the literal of v is false.
func (d *decider) redundant(v int32, touched, resolved *[]int32, depth int) bool {
	if depth > 50 {
		return false
	}
	part, _ := d.because(v)
	for _, l := range part {
		u := l >> 1
		if u == v || d.mark[u] == inClause || d.mark[u] == implied {
			continue
		}
		if d.level[u] == 0 {
			d.mark[u] = implied
			*touched = append(*touched, u)
			continue
		}
		if d.mark[u] == notImplied || d.reason[u] == byDecision || !d.redundant(u, touched, resolved, depth+1) {
			if d.mark[u] == 0 {
				d.mark[u] = notImplied
				*touched = append(*touched, u)
			}
			return false
		}
	}
	if d.mark[v] == 0 {
		d.mark[v] = implied
		*touched = append(*touched, v)
	}
	*resolved = append(*resolved, v)
	return true
}

// settle adds a unit clause to the proof for each literal that is true at level 0.
func (d *decider) settle() {
	for ; d.settled < len(d.trail); d.settled++ {
		l := d.trail[d.settled]
		v := l >> 1
		if d.reason[v] == byDecision {
			continue // learned as a unit clause
		}
		part, n := d.because(v)
		var hints []int32
		for _, other := range part {
			if other != l {
				hints = append(hints, d.unit[other>>1])
			}
		}
		d.unit[v] = d.proof.derive([]literal{l}, append(hints, n))
	}
}

// close ends the proof with the empty clause: all literals of the given clause are false at level
// 0.
func (d *decider) close(clause []literal, number int32) {
	var hints []int32
	for _, l := range clause {
		hints = append(hints, d.unit[l>>1])
	}
	d.proof.derive(nil, append(hints, number))
}
