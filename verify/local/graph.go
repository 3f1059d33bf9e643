package local

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// graph is a connected graph: links of pairs of switches.
type graph struct {
	n     int
	links [][2]int
}

// graphs returns the connected graphs of n switches, one of each form.
func graphs(n int) (list []graph) {
	if n == 1 {
		return []graph{{1, nil}}
	}
	seen := map[uint32]bool{}
	perms := permutations(n)
	for _, g := range graphs(n - 1) {
		for with := 1; with < 1<<(n-1); with++ {
			h := graph{n, slices.Clone(g.links)}
			for u := range n - 1 {
				if with>>u&1 == 1 {
					h.links = append(h.links, [2]int{u, n - 1})
				}
			}
			if key := h.form(perms); !seen[key] {
				seen[key] = true
				list = append(list, h)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b graph) int { return len(a.links) - len(b.links) })
	return list
}

// form returns the same number for the same graphs with other numbers of switches.
func (g graph) form(perms [][]int) uint32 {
	least := ^uint32(0)
	for _, p := range perms {
		bits := uint32(0)
		for _, l := range g.links {
			a, b := p[l[0]], p[l[1]]
			if a > b {
				a, b = b, a
			}
			bits |= 1 << (b*(b-1)/2 + a)
		}
		least = min(least, bits)
	}
	return least
}

// rooted returns the graph with each switch as number 0, which is the root of the spanning tree, or only the graph.
func (g graph) rooted(roots bool) []graph {
	list := []graph{g}
	for root := 1; root < g.n && roots; root++ {
		h := graph{n: g.n}
		for _, l := range g.links {
			var ends [2]int
			for i, u := range l {
				if ends[i] = u; u == root {
					ends[i] = 0
				} else if u == 0 {
					ends[i] = root
				}
			}
			h.links = append(h.links, ends)
		}
		list = append(list, h)
	}
	return list
}

func permutations(n int) (list [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for i := range n {
			list = append(list, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return list
}

// name describes a network.
func (g graph) name(names []string, n *model.Network) string {
	var links []string
	for _, l := range g.links {
		links = append(links, fmt.Sprintf("%d-%d", l[0], l[1]))
	}
	text := fmt.Sprintf("%d switches, links %s", g.n, strings.Join(links, " "))
	for _, a := range names {
		text += fmt.Sprintf(", %s %s", a, strings.Trim(fmt.Sprint(n.Attribute(a)), "[]"))
	}
	return text
}
