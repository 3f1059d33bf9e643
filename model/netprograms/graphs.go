package netprograms

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
)

// Graph is a connected graph of switches.
type Graph struct {
	Switches int
	Links    [][2]int
}

// Graphs returns the connected graphs of n switches, one of each form. n is at most 6.
func Graphs(n int) (list []Graph) {
	var pairs [][2]int
	for v := range n {
		for u := range v {
			pairs = append(pairs, [2]int{u, v})
		}
	}
	seen := make([]bool, 1<<len(pairs))
	for bits := range seen {
		if seen[bits] {
			continue
		}
		g := Graph{Switches: n}
		for i, p := range pairs {
			if bits>>i&1 == 1 {
				g.Links = append(g.Links, p)
			}
		}
		orders(n, func(order []int) { seen[g.bits(order)] = true })
		if g.connected() {
			list = append(list, g)
		}
	}
	return list
}

// bits numbers the graph after renumbering its switches.
func (g Graph) bits(order []int) (sum int) {
	for _, l := range g.Links {
		u, v := order[l[0]], order[l[1]]
		sum |= 1 << (max(u, v)*(max(u, v)-1)/2 + min(u, v))
	}
	return sum
}

// orders calls yield for all orders of the numbers below n.
func orders(n int, yield func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var visit func(k int)
	visit = func(k int) {
		if k == n {
			yield(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			visit(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	visit(0)
}

func (g Graph) connected() bool {
	reached := 1
	for range g.Switches {
		for _, l := range g.Links {
			if reached>>l[0]&1 == 1 || reached>>l[1]&1 == 1 {
				reached |= 1<<l[0] | 1<<l[1]
			}
		}
	}
	return reached == 1<<g.Switches-1
}

// RandomGraph returns a connected graph of n switches.
func RandomGraph(r *rand.Rand, n int) Graph {
	g := Graph{Switches: n}
	has := map[[2]int]bool{}
	join := func(u, v int) {
		l := [2]int{min(u, v), max(u, v)}
		if u != v && !has[l] {
			has[l] = true
			g.Links = append(g.Links, l)
		}
	}
	for v := 1; v < n; v++ {
		join(r.IntN(v), v)
	}
	for range r.IntN(2 * n) {
		join(r.IntN(n), r.IntN(n))
	}
	return g
}

// Renumbered returns the graph with its switches and links in a random order.
func (g Graph) Renumbered(r *rand.Rand) Graph {
	order := r.Perm(g.Switches)
	h := Graph{Switches: g.Switches}
	for _, l := range g.Links {
		h.Links = append(h.Links, [2]int{order[l[0]], order[l[1]]})
	}
	r.Shuffle(len(h.Links), func(i, j int) { h.Links[i], h.Links[j] = h.Links[j], h.Links[i] })
	return h
}

// Network returns the graph as a network with a host at each switch.
func (g Graph) Network(vcs int) (*model.Network, error) {
	b := model.NewBuilder()
	port := make([]model.Port, g.Switches)
	for u := range port {
		b.AddSwitch(model.Switch{})
		port[u] = 1
	}
	for _, l := range g.Links {
		b.AddLink(model.SwitchID(l[0]), port[l[0]], model.SwitchID(l[1]), port[l[1]])
		port[l[0]]++
		port[l[1]]++
	}
	for u := range port {
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: port[u]})
	}
	b.SetVCs(vcs)
	return b.Build()
}
