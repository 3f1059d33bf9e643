package floonoc

// This file finds the shortest path that floogen takes. Several paths may have the same length, so the search follows that of
// networkx.shortest_path (_bidirectional_pred_succ, A. Hagberg et al.) step by step: breadth first from both ends, each time
// the end with the smaller fringe, the source first if they are equal. It takes nodes and edges in the order in which
// floogen adds them, and stops at the first node that both ends have seen. Endpoints behind their interfaces are part of the
// graph, since they count in the sizes of the fringes. Checked with networkx 2.8.8; 3.x has the same search.

// search finds paths in a graph. It can be used again.
type search struct {
	g          *connections
	pred, succ []int32 // by node: 0 if it was not seen, 1 for an end, else a node and 2
	seen       []int32 // the nodes of which pred or succ is set
}

func newSearch(g *connections) *search {
	return &search{g: g, pred: make([]int32, len(g.nodes)), succ: make([]int32, len(g.nodes))}
}

// path returns the nodes from one node to another one, or nil if there is no path. Cost: O(nodes + edges).
func (s *search) path(from, to int32) []int32 {
	defer s.clear()
	s.mark(s.pred, from, 1)
	s.mark(s.succ, to, 1)
	ahead, behind := []int32{from}, []int32{to}
	for len(ahead) > 0 && len(behind) > 0 {
		var next []int32
		if len(ahead) <= len(behind) {
			for _, u := range ahead {
				for _, e := range s.g.out[u] {
					if s.pred[e.to] == 0 {
						next = append(next, e.to)
						s.mark(s.pred, e.to, u+2)
					}
					if s.succ[e.to] != 0 {
						return s.joined(e.to)
					}
				}
			}
			ahead = next
			continue
		}
		for _, u := range behind {
			for _, v := range s.g.in[u] {
				if s.succ[v] == 0 {
					next = append(next, v)
					s.mark(s.succ, v, u+2)
				}
				if s.pred[v] != 0 {
					return s.joined(v)
				}
			}
		}
		behind = next
	}
	return nil
}

func (s *search) mark(list []int32, u, value int32) {
	list[u] = value
	s.seen = append(s.seen, u)
}

func (s *search) clear() {
	for _, u := range s.seen {
		s.pred[u], s.succ[u] = 0, 0
	}
	s.seen = s.seen[:0]
}

// joined returns the path through a node that both ends have seen.
func (s *search) joined(u int32) (path []int32) {
	for v := u; ; v = s.pred[v] - 2 {
		path = append(path, v)
		if s.pred[v] == 1 {
			break
		}
	}
	for i, k := 0, len(path)-1; i < k; i, k = i+1, k-1 {
		path[i], path[k] = path[k], path[i]
	}
	for v := u; s.succ[v] != 1; {
		v = s.succ[v] - 2
		path = append(path, v)
	}
	return path
}
