package recipes

import (
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
	judge "github.com/turnproof/turnproof/verify/cert/recipes"
)

// graph is the dependency graph of a recipe.
type graph struct {
	*Set
	users [][]int32 // by dependency: the pairs that have it, by their places
	list  []int32   // the dependencies with users
	of    [][]int32 // by pair: its dependencies
	count []int32   // by dependency: users that are not left out
	out   [][]int32 // by VC: dependencies with users
}

func (s *Set) graph(pairs []Pair) (*graph, error) {
	g := &graph{Set: s}
	for _, p := range pairs {
		list, err := s.dependencies(p)
		if err != nil {
			return nil, err
		}
		g.of = append(g.of, list)
	}
	g.users, g.count = make([][]int32, len(s.ends)), make([]int32, len(s.ends))
	for i, list := range g.of {
		for _, e := range list {
			if g.count[e]++; g.users[e] == nil {
				g.list = append(g.list, e)
			}
			g.users[e] = append(g.users[e], int32(i))
		}
	}
	slices.Sort(g.list)
	g.out = make([][]int32, s.n.NumLinkVCs())
	for _, e := range g.list {
		v := s.ends[e][0]
		g.out[v] = append(g.out[v], e)
	}
	return g, nil
}

// leaveOut leaves a pair out, or takes it back.
func (g *graph) leaveOut(pair int, back bool) {
	for _, e := range g.of[pair] {
		if back {
			g.count[e]++
		} else {
			g.count[e]--
		}
	}
}

// components returns by VC the number of its strong component. Components that a component leads to have smaller numbers. Source: R.
// Tarjan, SIAM Journal on Computing 1(2), 1972, without recursion.
func (g *graph) components() (of []int32, count int) {
	n := len(g.out)
	of = make([]int32, n)
	index, low, at := make([]int32, n), make([]int32, n), make([]int32, n)
	var stack, path []int32
	clock := int32(0)
	for v := range of {
		of[v] = -1
	}
	for root := range int32(n) {
		if index[root] != 0 || len(g.out[root]) == 0 {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if index[v] == 0 {
				clock++
				index[v], low[v] = clock, clock
				stack = append(stack, v)
			}
			deeper := false
			for int(at[v]) < len(g.out[v]) {
				e := g.out[v][at[v]]
				at[v]++
				w := g.ends[e][1]
				switch {
				case g.count[e] == 0 || of[w] >= 0:
				case index[w] == 0:
					path, deeper = append(path, w), true
				default:
					low[v] = min(low[v], index[w])
				}
				if deeper {
					break
				}
			}
			if deeper {
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				low[path[len(path)-1]] = min(low[path[len(path)-1]], low[v])
			}
			if low[v] == index[v] {
				for {
					w := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					of[w] = int32(count)
					if w == v {
						break
					}
				}
				count++
			}
		}
	}
	return of, count
}

// harmful returns the dependencies within strong components that are no moves in rings.
func (g *graph) harmful(of []int32) (list []int32) {
	for _, e := range g.list {
		v, w := g.ends[e][0], g.ends[e][1]
		if g.count[e] > 0 && of[v] >= 0 && of[v] == of[w] && !g.isMove(e) {
			list = append(list, e)
		}
	}
	return list
}

// cycleThrough returns a shortest cycle through dependency e within its component of less than limit VCs, as dependencies, or nil.
func (g *graph) cycleThrough(e int32, of []int32, limit int, from, depth []int32) []int32 {
	start, end := g.ends[e][1], g.ends[e][0]
	queue := []int32{start}
	for v := range depth {
		depth[v] = 0
	}
	depth[start], from[start] = 1, e
	for k := 0; k < len(queue); k++ {
		v := queue[k]
		if v == end {
			cycle := make([]int32, depth[v])
			for i := len(cycle) - 1; i >= 0; i-- {
				cycle[i] = from[v]
				v = g.ends[from[v]][0]
			}
			return cycle
		}
		if int(depth[v]) >= limit-1 {
			continue
		}
		for _, x := range g.out[v] {
			if w := g.ends[x][1]; g.count[x] > 0 && of[w] == of[v] && depth[w] == 0 {
				depth[w], from[w] = depth[v]+1, x
				queue = append(queue, w)
			}
		}
	}
	return nil
}

// shortest returns a shortest harmful cycle from its lowest VC on, or nil.
func (g *graph) shortest() []model.VCID {
	of, _ := g.components()
	var best []int32
	limit := math.MaxInt
	from, depth := make([]int32, len(g.out)), make([]int32, len(g.out))
	for _, e := range g.harmful(of) {
		if c := g.cycleThrough(e, of, limit, from, depth); c != nil {
			best, limit = c, len(c)
		}
	}
	if best == nil {
		return nil
	}
	cycle := make([]model.VCID, len(best))
	for i, e := range best {
		cycle[i] = model.VCID(g.ends[e][0])
	}
	k := slices.Index(cycle, slices.Min(cycle))
	return slices.Concat(cycle[k:], cycle[:k])
}

// judge lets the judge decide that no harmful cycle is left without the pairs that are left out.
func (g *graph) judge(r *judge.Recipe, out []int32) error {
	of, count := g.components()
	ranks := make([]int32, len(g.out))
	for v := range ranks {
		if of[v] >= 0 {
			ranks[v] = int32(count) - 1 - of[v]
		} else {
			ranks[v] = int32(count)
		}
	}
	if err := judge.Judge(r, &judge.Answer{Dropped: out, Ranks: ranks}); err != nil {
		return fmt.Errorf("internal error: %w", err)
	}
	return nil
}
