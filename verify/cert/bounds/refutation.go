package bounds

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/turns"
)

// This file judges a proof that no set prohibits k turns or fewer, or that no set exists: a list
// of steps, each a clause.
// A literal is twice the number of a turn ("is prohibited"), or one more ("is allowed"). Turns
// are numbered by the VC in, then the VC out, without U-turns. If a set must allow a turn together
// with its reverse, both have the lower number. Three kinds of clauses hold for every set
// in question, which the network shows:
//
//   - cycle: the turns of the clause, all "prohibited", close a cycle;
//   - path: the turns of the clause, all "allowed", cut all paths from one switch with hosts
//     to another;
//   - budget: suppose the turns of the clause, all "allowed", were prohibited. Together with the
//     bound of the packing on the cycles without these turns they would be more than k.
//
// The fourth kind follows from earlier clauses. Assume that the clause is false. Then each clause
// that it names, in order, leaves one literal that must be true, until the last one leaves
// none. The proof ends with the clause without literals, which no set satisfies. (E. Goldberg and
// Y. Novikov, DATE 2003; with hints: L. Cruz-Filipe et al., CADE 2017.)
// Cost: linear in the literals of the named steps; for a path or a budget the size of the
// network or of the packing.

const (
	stepCycle = iota
	stepPath
	stepBudget
	stepDerived
)

// refutation is a proof under judgement.
type refutation struct {
	*turns.Set
	claim    string
	both     bool
	turns    [][2]int32 // by number
	first    []int32    // by VC: its first turn, and one more
	numbered []int32    // by turn: the turn whose number it has
	steps    []clauseAt
	list     cert.Ints

	scale, limit int64       // the denominator, and k times it
	cycles       []cert.Ints // of the packing: the numbered turns of each cycle
	weights      cert.Ints   // of the packing
	marked       []int32     // by turn: 1 + the step that marked it
	value        []int8      // by literal: 1 true, -1 false
	reached      []int32     // by VC: 1 + the step that reached it
}

// clauseAt is where the literals of a step are.
type clauseAt struct {
	from, to int
	named    bool
}

func refute(t *turns.Set, claim *cert.Claim, both bool) error {
	if claim.Packing == nil { // the claim is that no set exists
		if t.VCs != 1 {
			return cert.Reject(claim.Claim, "%d VCs per channel; want 1", t.VCs)
		}
		r := &refutation{Set: t, claim: claim.Claim, list: *claim.Steps}
		if err := r.number(); err != nil {
			return err
		}
		return r.judge()
	}
	sum, err := checkPacking(t, claim, both)
	if err != nil {
		return err
	}
	r := &refutation{Set: t, claim: claim.Claim, both: both, list: *claim.Steps, scale: int64(claim.Packing.Denominator), weights: claim.Packing.Weights}
	per := int64(1)
	if both {
		per = 2
	}
	// No network here has more turns than mostTurns, so limit below fits in 45 bits.
	if *claim.Bound < per || *claim.Bound%per != 0 || *claim.Bound > mostTurns {
		return cert.Reject(claim.Claim, "a bound of %d", *claim.Bound)
	}
	if r.limit = (*claim.Bound/per - 1) * r.scale; sum > r.limit {
		return cert.Reject(claim.Claim, "the packing alone shows a bound of %d", *claim.Bound)
	}
	if err := r.number(); err != nil {
		return err
	}
	r.addCycles(claim.Packing)
	return r.judge()
}

// mostTurns bounds the turns of the network, since each needs memory.
const mostTurns = 1 << 24

// number numbers the turns.
func (r *refutation) number() error {
	n := int32(r.LinkVCs())
	count := 0
	for v := range n {
		if count += r.Outs[r.Enters[v]] - 1; count > mostTurns {
			return cert.Reject(r.claim, "more than %d turns", mostTurns)
		}
	}
	out := make([][]int32, r.Switches)
	for v := range n {
		out[r.Tail[v]] = append(out[r.Tail[v]], v)
	}
	for v := range n {
		r.first = append(r.first, int32(len(r.turns)))
		for _, w := range out[r.Enters[v]] {
			if w != v^1 {
				r.turns = append(r.turns, [2]int32{v, w})
			}
		}
	}
	r.first = append(r.first, int32(len(r.turns)))
	r.numbered = make([]int32, len(r.turns))
	for i, t := range r.turns {
		r.numbered[i] = int32(i)
		if r.both {
			r.numbered[i] = min(r.numbered[i], r.find(t[1]^1, t[0]^1))
		}
	}
	r.marked, r.value, r.reached = make([]int32, len(r.turns)), make([]int8, 2*len(r.turns)), make([]int32, n)
	return nil
}

// find returns the number of a turn.
func (r *refutation) find(in, out int32) int32 {
	for i := r.first[in]; i < r.first[in+1]; i++ {
		if r.turns[i][1] == out {
			return i
		}
	}
	return -1 // impossible for the turns of a packing that was judged
}

// addCycles records the turns of each cycle of the packing.
func (r *refutation) addCycles(p *cert.Packing) {
	for rest := p.Cycles; len(rest) > 0; rest = rest[1+rest[0]:] {
		cycle := rest[1 : 1+rest[0]]
		turns := make(cert.Ints, len(cycle))
		for k, in := range cycle {
			turns[k] = r.numbered[r.find(in, cycle[(k+1)%len(cycle)])]
		}
		r.cycles = append(r.cycles, turns)
	}
}

// judge judges the steps in order.
func (r *refutation) judge() error {
	at := 0
	take := func() (x int32, ok bool) {
		if at >= len(r.list) {
			return 0, false
		}
		at++
		return r.list[at-1], true
	}
	for at < len(r.list) {
		step := len(r.steps)
		kind, _ := take()
		size, ok := take()
		if !ok || size < 0 || int(size) > len(r.list)-at {
			return cert.Reject(r.claim, "step %d: wrong size", step)
		}
		lits := r.list[at : at+int(size)]
		r.steps = append(r.steps, clauseAt{from: at, to: at + int(size)})
		at += int(size)
		if err := r.literals(step, kind, lits); err != nil {
			return err
		}
		var err error
		switch kind {
		case stepCycle:
			err = r.cycleOf(step, lits)
		case stepPath:
			from, _ := take()
			to, ok := take()
			if !ok {
				return cert.Reject(r.claim, "step %d: switches are missing", step)
			}
			err = r.path(step, lits, from, to)
		case stepBudget:
			err = r.budget(step, lits)
		case stepDerived:
			hints, ok := take()
			if !ok || hints < 1 || int(hints) > len(r.list)-at {
				return cert.Reject(r.claim, "step %d: wrong hints", step)
			}
			err = r.derived(step, lits, r.list[at:at+int(hints)])
			at += int(hints)
		default:
			err = cert.Reject(r.claim, "step %d: kind %d", step, kind)
		}
		if err != nil {
			return err
		}
	}
	last := len(r.steps) - 1
	if last < 0 || r.steps[last].from != r.steps[last].to {
		return cert.Reject(r.claim, "the last step is not a clause without literals")
	}
	for i, s := range r.steps[:last] {
		if !s.named {
			return cert.Reject(r.claim, "step %d: no later step names it", i)
		}
	}
	return nil
}

// literals judges that the literals of a step are ascending, of numbered turns, and of the side that
// the kind requires.
func (r *refutation) literals(step int, kind int32, lits cert.Ints) error {
	for i, l := range lits {
		if l < 0 || int(l) >= 2*len(r.turns) || i > 0 && lits[i-1] >= l || r.numbered[l/2] != l/2 {
			return cert.Reject(r.claim, "step %d: literal %d", step, l)
		}
		if kind == stepCycle && l%2 == 1 || (kind == stepPath || kind == stepBudget) && l%2 == 0 {
			return cert.Reject(r.claim, "step %d: literal %d has the wrong side", step, l)
		}
	}
	return nil
}

// mark marks the turns of a step.
func (r *refutation) mark(step int, lits cert.Ints) {
	for _, l := range lits {
		r.marked[l/2] = int32(step + 1)
	}
}

func (r *refutation) isMarked(step int, turn int32) bool {
	return r.marked[r.numbered[turn]] == int32(step+1)
}

// cycleOf judges that the turns of a clause close a cycle. It removes turns that no turn leads to
// until nothing changes; a cycle is left.
func (r *refutation) cycleOf(step int, lits cert.Ints) error {
	r.mark(step, lits)
	var left []int32
	for _, l := range lits {
		left = append(left, l/2)
		if r.both {
			t := r.turns[l/2]
			left = append(left, r.find(t[1]^1, t[0]^1))
		}
	}
	for again := true; again; {
		again = false
		for i := 0; i < len(left); i++ {
			in := r.turns[left[i]][0]
			led := slices.ContainsFunc(left, func(t int32) bool { return r.turns[t][1] == in })
			if !led {
				left = slices.Delete(left, i, i+1)
				i, again = i-1, true
			}
		}
	}
	if len(left) == 0 {
		return cert.Reject(r.claim, "step %d: its turns close no cycle", step)
	}
	return nil
}

// path judges that without the turns of a clause no path leads from one switch to another.
func (r *refutation) path(step int, lits cert.Ints, from, to int32) error {
	if from < 0 || to < 0 || int(from) >= r.Switches || int(to) >= r.Switches || from == to || r.HostsAt[from] == 0 || r.HostsAt[to] == 0 {
		return cert.Reject(r.claim, "step %d: switches %d and %d", step, from, to)
	}
	r.mark(step, lits)
	var queue []int32
	reach := func(v int32) {
		if r.reached[v] != int32(step+1) {
			r.reached[v] = int32(step + 1)
			queue = append(queue, v)
		}
	}
	for v := range int32(r.LinkVCs()) {
		if r.Tail[v] == from && !r.Closed[v] {
			reach(v)
		}
	}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		if r.Enters[v] == to {
			return cert.Reject(r.claim, "step %d: a path leads from switch %d to switch %d", step, from, to)
		}
		for i := r.first[v]; i < r.first[v+1]; i++ {
			if !r.isMarked(step, i) && !r.Closed[r.turns[i][1]] {
				reach(r.turns[i][1])
			}
		}
	}
	return nil
}

// budget judges that the turns of a clause exceed the budget.
func (r *refutation) budget(step int, lits cert.Ints) error {
	if r.scale == 0 {
		return cert.Reject(r.claim, "step %d: a budget without a claimed bound", step)
	}
	r.mark(step, lits)
	sum := int64(len(lits)) * r.scale
	for i, cycle := range r.cycles {
		if !slices.ContainsFunc(cycle, func(t int32) bool { return r.isMarked(step, t) }) {
			sum += int64(r.weights[i])
		}
	}
	if sum <= r.limit {
		return cert.Reject(r.claim, "step %d: its turns do not exceed the budget", step)
	}
	return nil
}

// derived judges that a clause follows from the clauses that hints names, each by its number of
// steps back.
func (r *refutation) derived(step int, lits, hints cert.Ints) error {
	var set []int32
	assign := func(l int32) {
		r.value[l], r.value[l^1] = 1, -1
		set = append(set, l)
	}
	defer func() {
		for _, l := range set {
			r.value[l], r.value[l^1] = 0, 0
		}
	}()
	for _, l := range lits {
		if r.value[l] == 0 { // else the clause has both literals of a turn, so it is always true
			assign(l ^ 1)
		}
	}
	for i, back := range hints {
		if back < 1 || int(back) > step {
			return cert.Reject(r.claim, "step %d: hint %d", step, back)
		}
		c := &r.steps[step-int(back)]
		c.named = true
		open := int32(-1)
		for _, l := range r.list[c.from:c.to] {
			if r.value[l] < 0 {
				continue
			}
			if r.value[l] > 0 || open >= 0 {
				return cert.Reject(r.claim, "step %d: the clause %d steps back does not leave one literal", step, back)
			}
			open = l
		}
		if open < 0 != (i == len(hints)-1) {
			return cert.Reject(r.claim, "step %d: the contradiction is not at the last hint", step)
		}
		if open >= 0 {
			assign(open)
		}
	}
	return nil
}
