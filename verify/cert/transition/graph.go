package transition

// This file decides whether dependencies have a cycle, while they come and go.

// graph is a multiset of dependencies, of a universe that is known before.
type graph struct {
	number map[turn]int32
	turns  []turn
	count  []int32   // by dependency: how often it is there
	out    [][]int32 // by VC: the dependencies from it
	before []int32   // by VC: memory of acyclic
	stack  []int32
}

func newGraph(vcs int) *graph {
	return &graph{number: map[turn]int32{}, out: make([][]int32, vcs), before: make([]int32, vcs)}
}

// numbers adds dependencies to the universe, and returns their numbers.
func (g *graph) numbers(list []turn) []int32 {
	ids := make([]int32, len(list))
	for i, t := range list {
		id, ok := g.number[t]
		if !ok {
			id = int32(len(g.turns))
			g.number[t] = id
			g.turns, g.count = append(g.turns, t), append(g.count, 0)
			g.out[t.from] = append(g.out[t.from], id)
		}
		ids[i] = id
	}
	return ids
}

// add adds each of the dependencies by times, which may be negative.
func (g *graph) add(times int32, ids []int32) {
	for _, id := range ids {
		g.count[id] += times
	}
}

// acyclic reports whether the dependencies that are there have no cycle: it removes VCs on which no remaining VC depends.
func (g *graph) acyclic() bool {
	clear(g.before)
	for id, t := range g.turns {
		if g.count[id] > 0 {
			g.before[t.to]++
		}
	}
	g.stack = g.stack[:0]
	for v, k := range g.before {
		if k == 0 {
			g.stack = append(g.stack, int32(v))
		}
	}
	removed := 0
	for ; len(g.stack) > 0; removed++ {
		v := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		for _, id := range g.out[v] {
			if g.count[id] == 0 {
				continue
			}
			if to := g.turns[id].to; g.before[to] > 0 {
				if g.before[to]--; g.before[to] == 0 {
					g.stack = append(g.stack, to)
				}
			}
		}
	}
	return removed == len(g.before)
}
