package minimum

import "slices"

// This file propagates: at most k turns are prohibited.
//
// Let P be the turns that are prohibited so far. Each cycle of the packing that none of P
// breaks wants a further one, and no turn can serve cycles of more than 1 in sum; so
// |P| + the weights of the cycles that P leaves whole is not above k. That is the sum of the
// reduced costs of linear programming, and what a clause of budget says: the turns of P are
// not all prohibited. A turn that would lift the sum above k is allowed.
// Cost: for a prohibited turn, the turns of the cycles that it breaks.

type budget struct {
	scale   int64     // 1
	weight  []int64   // by cycle
	members [][]int32 // by cycle: variables
	of      [][]int32 // by variable: cycles
	hits    []int32   // by cycle: prohibited turns
	sum     int64     // |P| and the cycles left whole
	gain    []int64   // by variable: what it would add to sum
	limit   int64     // k
	done    []int32   // variables counted, in order
	marks   []int     // trail places of these
	hit     []int32   // scratch: hits of a reason
}

func (b *budget) init(d *decider, pack *Packing) {
	b.scale = int64(pack.Denominator)
	b.limit = int64(d.most) * b.scale
	n := len(d.of)
	b.of, b.gain = make([][]int32, n), make([]int64, n)
	for v := range b.gain {
		b.gain[v] = b.scale
	}
	number := make(map[turn]int32, len(d.turns))
	for t, pair := range d.turns {
		number[pair] = int32(t)
	}
	for i, cycle := range pack.Cycles {
		c := int32(len(b.weight))
		b.weight = append(b.weight, int64(pack.Weights[i]))
		b.sum += int64(pack.Weights[i])
		var vars []int32
		for k, in := range cycle {
			v := d.row[number[turn{in, cycle[(k+1)%len(cycle)]}]]
			if !slices.Contains(vars, v) {
				vars = append(vars, v)
				b.of[v] = append(b.of[v], c)
				b.gain[v] -= b.weight[c]
			}
		}
		b.members = append(b.members, vars)
	}
	b.hits, b.hit = make([]int32, len(b.weight)), make([]int32, len(b.weight))
}

// share is how much of the packing lies on a variable.
func (b *budget) share(v int) float64 { return 1 - float64(b.gain[v])/float64(b.scale) }

// count counts what is prohibited on the trail from a place on.
func (b *budget) count(d *decider, from int) (more bool) {
	for i := from; i < len(d.trail); i++ {
		l := d.trail[i]
		if l&1 == 1 {
			continue
		}
		v := l >> 1
		b.sum += b.gain[v]
		b.done, b.marks = append(b.done, v), append(b.marks, i)
		for _, c := range b.of[v] {
			if b.hits[c]++; b.hits[c] == 1 {
				for _, u := range b.members[c] {
					b.gain[u] += b.weight[c]
				}
			}
		}
		more = true
	}
	return more
}

// afford draws the conclusions of what is counted.
func (b *budget) afford(d *decider) bool {
	if b.sum > b.limit {
		lits, n := b.cause(d, -1, len(d.trail))
		return d.fails(lits, n)
	}
	room := b.limit - b.sum
	for v, g := range b.gain {
		if g > room && d.value[2*v] == 0 {
			d.assign(int32(2*v+1), byBudget)
		}
	}
	return true
}

// back takes back what was counted from a place in the trail on.
func (b *budget) back(d *decider, from int) {
	for n := len(b.marks) - 1; n >= 0 && b.marks[n] >= from; n-- {
		v := b.done[n]
		for _, c := range b.of[v] {
			if b.hits[c]--; b.hits[c] == 0 {
				for _, u := range b.members[c] {
					b.gain[u] -= b.weight[c]
				}
			}
		}
		b.sum -= b.gain[v]
		b.done, b.marks = b.done[:n], b.marks[:n]
	}
}

// why names a clause for which a variable is allowed.
func (b *budget) why(d *decider, v int32) ([]literal, int32) { return b.cause(d, v, d.at[v]) }

// cause names prohibited turns on the trail before until that, with v, are too many, as few
// as it finds.
func (b *budget) cause(d *decider, v int32, until int) ([]literal, int32) {
	clear(b.hit)
	var set []int32
	sum := int64(0)
	for _, w := range b.weight {
		sum += w
	}
	count := func(u int32) {
		sum += b.scale
		for _, c := range b.of[u] {
			if b.hit[c]++; b.hit[c] == 1 {
				sum -= b.weight[c]
			}
		}
	}
	if v >= 0 {
		count(v)
	}
	for i, u := range b.done {
		if b.marks[i] >= until {
			break
		}
		count(u)
		set = append(set, u)
	}
	spare := sum - b.limit - 1
	if spare < 0 {
		panic("minimum: a budget is not exceeded")
	}
	set = b.drop(set, 0)
	set = b.drop(set, spare)
	lits := []literal{}
	if v >= 0 {
		lits = append(lits, 2*v+1)
	}
	for _, u := range set {
		lits = append(lits, 2*u+1)
	}
	return lits, d.proof.axiom(kindBudget, lits)
}

// drop leaves out of a set what costs no more than is to spare, counted in hit. The last go
// first, so that more is learnt of what came before.
func (b *budget) drop(set []int32, spare int64) []int32 {
	left := len(set)
	for i := len(set) - 1; i >= 0; i-- {
		cost := b.scale
		for _, c := range b.of[set[i]] {
			if b.hit[c] == 1 {
				cost -= b.weight[c]
			}
		}
		if cost > spare {
			left--
			set[left] = set[i]
			continue
		}
		spare -= cost
		for _, c := range b.of[set[i]] {
			b.hit[c]--
		}
	}
	return set[left:]
}
