package vlans

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file shows that fewer VLANs are not enough by counting: a tree has few
// paths of two or three links.
//
// Let a tree span n switches, and let d(v) be how many of its links are at v.
// The sum of d(v)-1 is n-2. Paths of two links have one switch v in the middle, and
// two of its d(v) links. Paths of three have a link in the middle; with the tree
// rooted anywhere that is from a switch c to its parent, and c has d(c)-1 other
// links. So both numbers are sums over switches of what d(v)-1 permits, and the
// best way to share out n-2 bounds them (a knapsack, solved exactly). Only paths
// that are ways count, each as many times as demands have it. A forest has no more.
// As many trees are needed as it takes to hold all demands of two, or three, links.

// mostForCounting bounds the switches: the knapsack is quadratic in them.
const mostForCounting = 3000

// counting returns the bound, and by how many demands of how many links.
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

// lengthIs reports whether all ways have so many links.
func (d *Demand) lengthIs(k int) bool {
	return !d.More && !slices.ContainsFunc(d.Ways, func(way []model.LinkID) bool { return len(way) != k })
}

// knapsack returns the largest sum of worth[v][x(v)], the sum of x(v) at most size.
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

// middles bounds, by switch v and d(v)-1, the ways of two links with v in the middle:
// half of what the links with most ways are in, and no more than all pairs have.
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

// parents bounds, by switch c and d(c)-1, the ways of three links whose middle one
// leads from c to its parent, whichever that is.
func (p *Paths) parents(length int) [][]int {
	ends := map[model.ChannelID]map[model.LinkID]int{} // by the middle as a channel out of c: by c's other link
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

// ways visits the ways of so many links of all demands that have no others.
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

// shared is the switch that two links of a way have in common.
func (p *Paths) shared(a, b model.LinkID) model.SwitchID {
	k, m := p.Net.Link(a), p.Net.Link(b)
	if k.A == m.A || k.A == m.B {
		return k.A
	}
	return k.B
}

// middleOf is the link of a way of three that touches both others.
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
