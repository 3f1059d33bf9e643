package vlans

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file computes a lower bound of the number of VLANs by counting: a tree has few paths of two
// or three links.
//
// Let a tree span n switches, and let d(v) be the number of its links at switch v. The sum of
// d(v)-1 over all v is n-2. A path of two links has a middle switch v, and consists of two of the
// d(v) links at v. A path of three links has a middle link. If the tree is rooted at any switch,
// the middle link leads from a switch c to its parent, and c has d(c)-1 other links. Both numbers
// of paths are therefore sums over switches of a function of d(v)-1. Distributing n-2 over the
// switches such that the sum is largest bounds them (a knapsack problem, solved exactly). Only
// paths that some demand needs count, each once for every such demand. A forest has no more such
// paths than a tree. The bound is the number of trees that can hold all demands of two links, or
// all of three.

// mostForCounting is the largest number of switches for this bound; the time for the knapsack is
// quadratic in them.
const mostForCounting = 3000

// counting returns the bound, the number of demands that prove it, and the length of their paths
// in links.
func (p *Paths) counting() (bound, demands, links int) {
	n := p.Net.NumSwitches()
	if n > mostForCounting {
		return 0, 0, 0
	}
	for length, share := range map[int]func(int) [][]int{2: p.middles, 3: p.parents} {
		total := 0
		for i := range p.Demands {
			if p.Demands[i].lengthIs(length) {
				total++
			}
		}
		most := knapsack(share(length), max(0, n-2))
		if total == 0 || most == 0 {
			continue
		}
		if k := (total + most - 1) / most; k > bound || k == bound && length < links {
			bound, demands, links = k, total, length
		}
	}
	return bound, demands, links
}

// lengthIs reports whether all paths of the demand have k links.
func (d *Demand) lengthIs(k int) bool {
	return !d.More && !slices.ContainsFunc(d.Ways, func(way []model.LinkID) bool { return len(way) != k })
}

// knapsack returns the largest sum over v of worth[v][x(v)], for x with a sum of at most size.
func knapsack(worth [][]int, size int) int {
	best := make([]int, size+1)
	next := make([]int, size+1)
	for _, w := range worth {
		if len(w) == 0 {
			continue
		}
		for s := range best {
			next[s] = 0
			for x := range min(s+1, len(w)) {
				next[s] = max(next[s], best[s-x]+w[x])
			}
		}
		best, next = next, best
	}
	return best[size]
}

// middles returns, by switch v and x = d(v)-1, an upper bound of the number of demanded paths of
// two links with v in the middle. It is the smaller of two bounds: half the number of paths on the
// x+1 busiest links, and the number of paths on the x(x+1)/2 busiest pairs of links.
func (p *Paths) middles(length int) [][]int {
	type pair struct{ a, b model.LinkID }
	at := make([]map[pair]int, p.Net.NumSwitches())
	for way := range p.ways(length) {
		v := p.shared(way[0], way[1])
		if at[v] == nil {
			at[v] = map[pair]int{}
		}
		at[v][pair{way[0], way[1]}]++
	}
	worth := make([][]int, p.Net.NumSwitches())
	for v, pairs := range at {
		byLink := map[model.LinkID]int{}
		var heavy []int
		for q, k := range pairs {
			byLink[q.a] += k
			byLink[q.b] += k
			heavy = append(heavy, k)
		}
		ends := descending(byLink)
		slices.SortFunc(heavy, func(a, b int) int { return cmp.Compare(b, a) })
		worth[v] = []int{0}
		for x := 1; x < len(ends); x++ {
			worth[v] = append(worth[v], min(sum(ends[:x+1])/2, sum(heavy[:min(len(heavy), x*(x+1)/2)])))
		}
	}
	return worth
}

// parents returns, by switch c and d(c)-1, an upper bound of the number of demanded paths of three
// links whose middle link leads from c to its parent, for any choice of the parent.
func (p *Paths) parents(length int) [][]int {
	ends := map[model.ChannelID]map[model.LinkID]int{} // by middle link, as a channel out of c, and by the other link at c: number of paths
	for way := range p.ways(length) {
		middle := p.middleOf(way)
		k := p.Net.Link(middle)
		for _, l := range way {
			if l == middle {
				continue
			}
			c := model.ChannelID(2 * middle)
			if e := p.Net.Link(l); e.A != k.A && e.B != k.A {
				c++
			}
			if ends[c] == nil {
				ends[c] = map[model.LinkID]int{}
			}
			ends[c][l]++
		}
	}
	worth := make([][]int, p.Net.NumSwitches())
	for c, byLink := range ends {
		list := descending(byLink)
		w := &worth[p.Net.Tail(c)]
		for x := range len(list) + 1 {
			if x == len(*w) {
				*w = append(*w, 0)
			}
			(*w)[x] = max((*w)[x], sum(list[:x]))
		}
	}
	for _, w := range worth {
		for x := 1; x < len(w); x++ {
			w[x] = max(w[x], w[x-1])
		}
	}
	return worth
}

// ways returns an iterator over the paths of all demands whose paths all have the given length.
func (p *Paths) ways(length int) func(func([]model.LinkID) bool) {
	return func(yield func([]model.LinkID) bool) {
		for i := range p.Demands {
			if !p.Demands[i].lengthIs(length) {
				continue
			}
			for _, way := range p.Demands[i].Ways {
				if !yield(way) {
					return
				}
			}
		}
	}
}

// shared returns the switch that two adjacent links have in common.
func (p *Paths) shared(a, b model.LinkID) model.SwitchID {
	k, m := p.Net.Link(a), p.Net.Link(b)
	if k.A == m.A || k.A == m.B {
		return k.A
	}
	return k.B
}

// middleOf returns the middle link of a path of three links.
func (p *Paths) middleOf(way []model.LinkID) model.LinkID {
	touch := func(a, b model.LinkID) bool {
		k, m := p.Net.Link(a), p.Net.Link(b)
		return k.A == m.A || k.A == m.B || k.B == m.A || k.B == m.B
	}
	for i, l := range way {
		if touch(l, way[(i+1)%3]) && touch(l, way[(i+2)%3]) {
			return l
		}
	}
	panic("vlans: a way whose links do not follow each other")
}

func descending(m map[model.LinkID]int) []int {
	var list []int
	for _, k := range m {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(b, a) })
	return list
}

func sum(list []int) (k int) {
	for _, x := range list {
		k += x
	}
	return k
}
