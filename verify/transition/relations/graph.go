package relations

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file has the dependencies of a mixture, and cycles of them.

// graph is dependencies between VCs.
type graph struct {
	out [][]model.VCID // by VC between switches, ascending
}

func newGraph(n *model.Network) *graph { return &graph{make([][]model.VCID, n.NumLinkVCs())} }

func (g *graph) add(from, to model.VCID) {
	if i, ok := slices.BinarySearch(g.out[from], to); !ok {
		g.out[from] = slices.Insert(g.out[from], i, to)
	}
}

// count returns how many VCs have a dependency, and how many dependencies there are.
func (g *graph) count() (vcs, dependencies int) {
	used := make([]bool, len(g.out))
	for v, list := range g.out {
		for _, to := range list {
			used[v], used[to] = true, true
		}
		dependencies += len(list)
	}
	for _, u := range used {
		if u {
			vcs++
		}
	}
	return vcs, dependencies
}

// acyclic removes VCs on which no remaining VC depends.
func (g *graph) acyclic() bool {
	into := make([]int, len(g.out))
	for _, list := range g.out {
		for _, to := range list {
			into[to]++
		}
	}
	var todo []model.VCID
	for v, k := range into {
		if k == 0 {
			todo = append(todo, model.VCID(v))
		}
	}
	for i := 0; i < len(todo); i++ {
		for _, to := range g.out[todo[i]] {
			if into[to]--; into[to] == 0 {
				todo = append(todo, to)
			}
		}
	}
	return len(todo) == len(g.out)
}

// shortest returns a shortest cycle that begins with its smallest VC, or nil.
func (g *graph) shortest() (best []model.VCID) {
	from := make([]model.VCID, len(g.out))
	for root := range model.VCID(len(g.out)) {
		for v := range from {
			from[v] = model.NoVC
		}
		queue := []model.VCID{root}
		for i := 0; i < len(queue); i++ {
			v := queue[i]
			if slices.Contains(g.out[v], root) {
				if path := pathTo(from, root, v); best == nil || len(path) < len(best) {
					best = path
				}
				break
			}
			for _, to := range g.out[v] {
				if to > root && from[to] == model.NoVC { // the smallest VC of a cycle is its root
					from[to] = v
					queue = append(queue, to)
				}
			}
		}
	}
	return best
}

// pathTo returns the path from root to v by predecessors.
func pathTo(from []model.VCID, root, v model.VCID) (path []model.VCID) {
	for ; v != root; v = from[v] {
		path = append(path, v)
	}
	path = append(path, root)
	slices.Reverse(path)
	return path
}

// node is a state, and whether the packet has met a new entry, in a view where that matters.
type node struct {
	state int32
	late  bool
}

// eachHop calls visit for each entry that a packet of a node can meet, by side.
func (c *Change) eachSide(at node, d model.DestID, v view, visit func(side int, list []model.VCID, next []int32)) {
	set := v.meets(d, c.at(at.state))
	for side := range c.hops {
		if set>>side&1 != 0 && !(v.late && at.late && side == before) {
			list, next := c.hops[side].of(at.state)
			visit(side, list, next)
		}
	}
}

// eachNode visits the nodes that packets to d can reach.
func (c *Change) eachNode(d model.DestID, v view, visit func(at node)) {
	links := model.VCID(c.net.NumLinkVCs())
	lo := c.first[d]
	seen := make([]bool, 2*(c.first[d+1]-lo))
	var queue []node
	reach := func(n node) {
		i := 2 * (n.state - lo)
		if n.late {
			i++
		}
		if !seen[i] {
			seen[i] = true
			queue = append(queue, n)
		}
	}
	for i := c.first[d+1] - 1; i >= lo && c.states[i].vc >= links; i-- {
		reach(node{i, false})
	}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		visit(at)
		c.eachSide(at, d, v, func(side int, _ []model.VCID, next []int32) {
			for _, to := range next {
				if to >= 0 {
					reach(node{to, v.late && side == after})
				}
			}
		})
	}
}

// graphOf returns the dependencies of a view.
func (c *Change) graphOf(v view) *graph { return c.dependencies(v, false) }

// waitsOf returns the dependencies of packets that wait for one VC.
func (c *Change) waitsOf(v view) *graph { return c.dependencies(v, true) }

func (c *Change) dependencies(v view, forced bool) *graph {
	g, links := newGraph(c.net), model.VCID(c.net.NumLinkVCs())
	for d := range model.DestID(c.NumDestinations()) {
		c.eachNode(d, v, func(at node) {
			from := c.states[at.state].vc
			if from >= links {
				return
			}
			c.eachSide(at, d, v, func(_ int, list []model.VCID, next []int32) {
				if len(list) == 0 && !c.drops {
					g.add(from, from)
				}
				for i, to := range list {
					if next[i] >= 0 && (!forced || c.waitsFor(list)) {
						g.add(from, to)
					}
				}
			})
		})
	}
	return g
}

// waitsFor reports whether a packet with these next hops can wait for just one of them.
func (c *Change) waitsFor(list []model.VCID) bool { return c.one || len(list) == 1 }

// entriesOf converts a side to the entries of package transition.
func entriesOf(side int) transition.Entries { return transition.OldEntry << side }
