package minimum

import "context"

// This file decides whether a set with at most k prohibited turns exists. If none exists, it
// produces a proof.
//
// There is one variable for each turn, true if the turn is prohibited. With Options.Both, a turn
// and its reverse share a variable. The clauses are generated lazily. Three propagators derive
// values from the present assignment and give clauses as reasons:
//
//   - cycles.go: each dependency cycle has a prohibited turn;
//   - ways.go: of the turns that leave the set of channels reached by a switch, one is allowed;
//   - budget.go: at most k turns are prohibited, counted with the packing of cycles.
//
// Each conflict yields a learned clause (GRASP: J. P. Marques-Silva and K. A. Sakallah, IEEE
// Trans. Computers 48(5), 1999). Watched literals and activities follow Chaff (DAC 2001). The
// propagators follow lazy clause generation (O. Ohrimenko, P. J. Stuckey and M. Codish,
// Constraints 14(3), 2009). Each step of the proof names the clauses that imply it, so the checker
// needs no search (LRAT: L. Cruz-Filipe et al., CADE 2017).

// literal 2v says that the turn of variable v is prohibited; literal 2v+1 says that it is allowed.
type literal = int32

// Reasons of a literal other than a learned clause.
const (
	byDecision = -1 - iota
	byCycle
	byBudget
)

// decider is the state of the search for a set with at most most prohibited turns.
type decider struct {
	*instance
	most  int     // k, the limit of prohibited turns
	row   []int32 // by turn: its variable
	of    [][]int32
	joins bool // whether all pairs must be joined

	value  []int8 // by literal: 1 true, -1 false, 0 unassigned
	trail  []literal
	starts []int // by level from 1: its first position on the trail
	at     []int // by variable: its position on the trail
	level  []int32
	reason []int32     // by variable: index of a clause, or one of the constants above
	named  [][]literal // by variable: the clause that a propagator gave. If nil, none was requested.
	namedN []int32     // by variable: number of that clause in the proof
	unit   []int32     // by variable assigned at level 0: number of its unit clause in the proof

	arena    []literal
	clauses  []clause
	watchers [][]watcher // by literal: clauses to visit when it becomes false
	seenAt   int         // length of the trail that watch has processed
	cyclesAt int         // the same for each propagator
	budgetAt int
	waysAt   int
	settled  int // number of literals at level 0 that have unit clauses

	activity []float64
	step     float64
	queue    []int32 // heap of variables by activity
	place    []int32 // by variable: its position in queue, or -1
	phase    []bool  // by variable: whether its last value was true
	mark     []uint8 // scratch of learn

	closure closure
	budget  budget
	ways    ways
	proof   *proof

	conflicts int64
	confl     []literal // the clause that is false after a conflict
	conflN    int32     // its number in the proof
}

// answer is the result of decide.
type answer int

const (
	undecided answer = iota
	found
	refuted
)

// newDecider returns a decider for sets of at most most prohibited turns. The search first tries
// to prohibit the turns for which prohibited returns true.
func (x *instance) newDecider(most int, pack *Packing, joins bool, prohibited func(t int32) bool) *decider {
	d := &decider{instance: x, most: most, joins: joins, step: 1}
	d.row, d.of = x.decisions()
	n := len(d.of)
	d.value = make([]int8, 2*n)
	d.at, d.level, d.reason, d.unit = make([]int, n), make([]int32, n), make([]int32, n), make([]int32, n)
	d.named, d.namedN = make([][]literal, n), make([]int32, n)
	d.watchers = make([][]watcher, 2*n)
	d.activity, d.place, d.phase, d.mark = make([]float64, n), make([]int32, n), make([]bool, n), make([]uint8, n)
	for v := range n {
		d.phase[v] = prohibited(d.of[v][0])
		d.place[v] = -1
	}
	d.waysAt = -1 // the paths are checked once before the first decision
	d.proof = newProof()
	d.closure.init(d)
	d.budget.init(d, pack)
	d.ways.init(d)
	for v := range n {
		d.activity[v] = 1e-3 * d.budget.share(v)
		d.enqueue(int32(v))
	}
	return d
}

// decisions numbers the variables: one for each turn or, with x.both, for each turn and its
// reverse. row is the variable of each turn, and of the turns of each variable.
func (x *instance) decisions() (row []int32, of [][]int32) {
	row = make([]int32, len(x.turns))
	for t := range int32(len(x.turns)) {
		if back := x.reverse[t]; x.both && back < t {
			row[t] = row[back]
		} else {
			row[t] = int32(len(of))
			of = append(of, nil)
		}
		of[row[t]] = append(of[row[t]], t)
	}
	return row, of
}

// decide searches until it has an answer, ctx ends, over returns true, or the proof is too long.
func (d *decider) decide(ctx context.Context, over func() bool) answer {
	next, round, reduceAt := d.conflicts+100, int64(1), d.conflicts+4000
	for first := true; ; first = false {
		if first && !d.budget.afford(d) || !d.propagate() {
			d.conflicts++
			if !d.learn() {
				return refuted
			}
			d.step /= 0.95
			if d.conflicts%256 == 0 && (ctx.Err() != nil || over() || d.proof.full()) {
				return undecided
			}
			continue
		}
		if len(d.starts) == 0 {
			d.settle()
		}
		if d.conflicts >= next {
			round++
			next = d.conflicts + 100*luby(round)
			if d.back(0); d.conflicts >= reduceAt {
				d.reduce()
				reduceAt = d.conflicts + 4000 + d.conflicts/20
			}
			continue
		}
		v := d.choose()
		if v < 0 {
			return found
		}
		lit := 2 * v
		if !d.phase[v] {
			lit++
		}
		d.starts = append(d.starts, len(d.trail))
		d.assign(lit, byDecision)
	}
}

// luby returns element i of the sequence 1 1 2 1 1 2 4 ... of M. Luby, A. Sinclair and D.
// Zuckerman (1993).
func luby(i int64) int64 {
	for {
		k := int64(1)
		for k <= i {
			k *= 2
		}
		if k == i+1 {
			return k / 2
		}
		i -= k/2 - 1
	}
}

// assign makes a literal true.
func (d *decider) assign(l literal, reason int32) {
	v := l >> 1
	d.value[l], d.value[l^1] = 1, -1
	d.at[v], d.level[v], d.reason[v] = len(d.trail), int32(len(d.starts)), reason
	d.named[v] = nil
	d.trail = append(d.trail, l)
}

// back undoes all assignments above a level.
func (d *decider) back(level int) {
	if len(d.starts) <= level {
		return
	}
	from := d.starts[level]
	d.closure.back(d, from)
	d.budget.back(d, from)
	for i := len(d.trail) - 1; i >= from; i-- {
		l := d.trail[i]
		v := l >> 1
		d.value[l], d.value[l^1] = 0, 0
		d.phase[v] = l&1 == 0
		if d.place[v] < 0 {
			d.enqueue(v)
		}
	}
	d.trail, d.starts = d.trail[:from], d.starts[:level]
	d.seenAt, d.cyclesAt, d.budgetAt = min(d.seenAt, from), min(d.cyclesAt, from), min(d.budgetAt, from)
	d.waysAt = min(d.waysAt, from)
}

// propagate derives all implied values. It returns false if a clause is false.
func (d *decider) propagate() bool {
	for {
		switch {
		case d.seenAt < len(d.trail):
			if !d.watch(d.trail[d.seenAt]) {
				return false
			}
			d.seenAt++
		case d.cyclesAt < len(d.trail):
			l := d.trail[d.cyclesAt]
			if l&1 == 1 && !d.closure.allow(d, l>>1) {
				return false
			}
			d.cyclesAt++
		case d.budgetAt < len(d.trail):
			from := d.budgetAt
			d.budgetAt = len(d.trail)
			if d.budget.count(d, from) && !d.budget.afford(d) {
				return false
			}
		case d.waysAt < len(d.trail):
			at := len(d.trail)
			if d.joins && !d.ways.prohibit(d) {
				return false
			}
			d.waysAt = at
		default:
			return true
		}
	}
}

// fails records a false clause of a propagator, and returns false.
func (d *decider) fails(clause []literal, number int32) bool {
	d.confl, d.conflN = clause, number
	return false
}

// because returns the clause that implied the value of variable v, and its number in the proof. A
// clause of a propagator is kept until the variable is unassigned.
func (d *decider) because(v int32) ([]literal, int32) {
	r := d.reason[v]
	if r >= 0 {
		c := &d.clauses[r]
		return d.arena[c.at : c.at+c.n], c.number
	}
	if d.named[v] == nil {
		switch r {
		case byCycle:
			d.named[v], d.namedN[v] = d.closure.why(d, v)
		case byBudget:
			d.named[v], d.namedN[v] = d.budget.why(d, v)
		default:
			panic("minimum: a decision has no reason")
		}
	}
	return d.named[v], d.namedN[v]
}

// ranks returns ranks of the channels by which all allowed turns rise.
func (d *decider) ranks() []int32 {
	rank, waits := make([]int32, d.channels()), make([]int, d.channels())
	allowed := func(t int32) bool { return d.value[2*d.row[t]] < 0 }
	var queue []int32
	for c := range d.in {
		for _, t := range d.in[c] {
			if allowed(t) {
				waits[c]++
			}
		}
		if waits[c] == 0 {
			queue = append(queue, int32(c))
		}
	}
	for i := 0; i < len(queue); i++ {
		rank[queue[i]] = int32(i)
		for _, t := range d.out[queue[i]] {
			if c := d.turns[t].out; allowed(t) {
				if waits[c]--; waits[c] == 0 {
					queue = append(queue, c)
				}
			}
		}
	}
	if len(queue) < len(rank) {
		panic("minimum: a set with a cycle was found")
	}
	return rank
}
