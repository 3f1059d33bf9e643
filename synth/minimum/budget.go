package minimum

import "slices"

// This file is the propagator for the limit: at most k turns are prohibited.
//
// Let P be the set of turns prohibited at present. Each cycle of the packing without a turn of P
// needs a further prohibited turn. A turn lies on cycles with a total weight of at most 1. So if
// the set can be completed, |P| plus the weights of the cycles without a turn of P is at most k.
// If this sum exceeds k, the clause is: not all turns of P are prohibited. A turn that would raise
// the sum above k is allowed. These are the reduced costs of linear programming.
//
// Cost: for a prohibited turn, the turns of the cycles that the turn breaks.

type budget struct {
	scale   int64     // denominator of the packing: the weight of one turn
	weight  []int64   // by cycle
	members [][]int32 // by cycle: its variables
	of      [][]int32 // by variable: its cycles
	hits    []int32   // by cycle: number of its prohibited variables
	sum     int64     // |P| plus the weights of the unbroken cycles
	gain    []int64   // by variable: increase of sum if it is prohibited
	limit   int64     // k
	done    []int32   // the counted variables, in order
	marks   []int     // positions of the counted variables on the trail
	hit     []int32   // scratch: hits of the variables of a reason
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

// share returns the total weight of the cycles through variable v, as a fraction of 1.
func (b *budget) share(v int) float64 { return 1 - float64(b.gain[v])/float64(b.scale) }

// count adds the variables prohibited on the trail at or after position from. It reports whether
// there were any.
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

// afford propagates the limit: it allows each turn that would exceed it. It returns false if the
// sum already exceeds the limit.
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

// back undoes count for the trail at or after position from.
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

// why returns a clause that implies that variable v is allowed, and its number in the proof.
func (b *budget) why(d *decider, v int32) ([]literal, int32) { return b.cause(d, v, d.at[v]) }

// cause returns a clause over variables prohibited on the trail before position until. Together
// with v, if v is not negative, they exceed the limit. The clause is made small by a greedy
// reduction.
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

// drop removes variables from a set as long as their total cost is at most spare. It uses and
// updates b.hit. It tries the latest variables first, so that the clause names early decisions.
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
