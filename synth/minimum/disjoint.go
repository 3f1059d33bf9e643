package minimum

import "context"

// This file packs cycles greedily, the shortest first, so that no two share a turn. Their number
// is a lower bound for networks that are too large for linear programming. On complete graphs the
// bound is the optimum. Cost: for each channel and length, the turns within that distance.

// longestDisjoint is the length of the longest cycles that disjoint looks for.
const longestDisjoint = 8

func (x *instance) disjoint(ctx context.Context) *Packing {
	row, of := x.decisions()
	used := make([]bool, len(of))
	pack := &Packing{Denominator: 1}
	by, depth := make([]int32, x.channels()), make([]int, x.channels())
	for c := range depth {
		depth[c] = -1
	}
	for length := 2; length <= longestDisjoint && ctx.Err() == nil; length++ {
		for s := range int32(x.channels()) {
			for x.shortCycle(s, length, row, used, by, depth, pack) {
				if ctx.Err() != nil {
					return pack
				}
			}
		}
	}
	return pack
}

// shortCycle packs a cycle of the given length through channel s that uses no used turn. It
// returns false if its search finds none.
func (x *instance) shortCycle(s int32, length int, row []int32, used []bool, by []int32, depth []int, pack *Packing) bool {
	queue := []int32{s}
	depth[s] = 0
	last := int32(-1) // the turn that closes a cycle
	for i := 0; i < len(queue) && last < 0 && depth[queue[i]] < length; i++ {
		for _, t := range x.out[queue[i]] {
			b := x.turns[t].out
			if used[row[t]] {
				continue
			}
			if b == s && depth[queue[i]]+1 == length {
				last = t
				break
			}
			if depth[b] < 0 {
				depth[b], by[b] = depth[queue[i]]+1, t
				queue = append(queue, b)
			}
		}
	}
	for _, c := range queue {
		depth[c] = -1
	}
	if last < 0 {
		return false
	}
	cycle := make([]int32, length)
	for i, t := length-1, last; i >= 0; i-- {
		used[row[t]] = true
		cycle[i] = x.turns[t].in
		t = by[x.turns[t].in]
	}
	pack.Weights, pack.Cycles = append(pack.Weights, 1), append(pack.Cycles, cycle)
	return true
}
