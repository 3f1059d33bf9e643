package floonoc

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/route"
)

// This file makes the routing of a floogen file.

// routed returns the network with its routing and the pairs that talk.
func (f *nocNetwork) routed() (*format.Routed, error) {
	r := &format.Routed{Network: f.net, Routing: f.algo + " of " + textfile.Base(f.src.Name), Flows: f.flows()}
	networks := "req and rsp"
	if f.kind == "narrow-wide" {
		networks = "req, rsp and wide"
	}
	note := "the physical networks " + networks + " have no common buffers and the same routing: the claims hold for each of them"
	var err error
	switch f.algo {
	case "XY", "YX":
		r.Relation, err = f.dimensionOrder(f.algo == "YX")
	case "ID":
		var lost []string
		r.Relation, lost, err = f.tables()
		if len(lost) > 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s: floogen writes no table entry for managers that are no subordinates, so the routers "+
				"have none for answers to %s", textfile.Base(f.src.Name), textfile.Capped(lost, len(lost))))
		}
	case "SRC":
		r.Relation, err = f.paths()
	default:
		note = "the physical networks " + networks + " have no common buffers: VC 0 stands for those of requests, VC 1 for those of responses"
		var lost []string
		if r.Relation, lost, err = f.mirrored(f.algo == "YX_MIRRORED"); len(lost) > 0 {
			r.Warnings = append(r.Warnings, textfile.Base(f.src.Name)+": no path for "+textfile.Capped(lost, len(lost)))
		}
	}
	if err != nil {
		return nil, err
	}
	r.Network = r.Relation.Network()
	r.Notes = append(r.Notes, textfile.Base(f.src.Name)+": "+note)
	return r, nil
}

// flows returns the pairs that talk.
func (f *nocNetwork) flows() []model.Flow {
	list := []model.Flow{}
	for a, i := range f.faces {
		for b, k := range f.faces {
			x, y := &f.nodes[f.nodes[i].twin], &f.nodes[f.nodes[k].twin]
			if a != b && (x.manages && y.serves || x.serves && y.manages) {
				list = append(list, model.Flow{Source: model.HostID(a), Dest: model.HostID(b), Amount: 1})
			}
		}
	}
	if n := len(f.faces); len(list) == n*(n-1) {
		return nil
	}
	return list
}

// steps are the steps in x and y that the ports with a direction make.
var steps = [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {0, 0}}

// locate sets the coordinates of routers and interfaces: those of a router are its index and its offset, those of an
// interface the ones of its router, a step in the direction of its port, and its offset (compile_ids).
func (f *nocNetwork) locate() error {
	f.coords = map[int32][2]int{}
	for _, i := range f.routers {
		n := &f.nodes[i]
		if len(n.index) != 2 {
			return f.src.ErrorAt(n.line, "router %s has no coordinates, which %s routing needs: want an array of two dimensions", n.name, f.algo)
		}
		x, y, err := n.of.offset()
		if err != nil {
			return err
		}
		f.coords[i] = [2]int{n.index[0] + x, n.index[1] + y}
	}
	taken := map[[2]int]int32{}
	for _, i := range f.faces {
		n := &f.nodes[f.nodes[i].twin]
		router, err := f.home(i)
		if err != nil {
			return err
		}
		dir, line := noDirection, n.line
		for _, e := range f.out[router] {
			if e.to == i {
				dir, line = e.dir, e.line
			}
		}
		if dir == noDirection || dir >= len(steps) {
			return f.src.ErrorAt(line, "the connection of %s needs a direction at router %s (North, East, South, West, Eject), because %s routing uses "+
				"coordinates", n.name, f.nodes[router].name, f.algo)
		}
		x, y, err := n.of.offset()
		if err != nil {
			return err
		}
		at := [2]int{f.coords[router][0] + steps[dir][0] + x, f.coords[router][1] + steps[dir][1] + y}
		if other, twice := taken[at]; twice {
			return f.src.ErrorAt(line, "%s and %s have the same coordinates, (%d, %d)", f.nodes[f.nodes[other].twin].name, n.name, at[0], at[1])
		}
		taken[at], f.coords[i] = i, at
	}
	return nil
}

// slotTo returns the port that a router takes for a packet, by coordinates: East and West before North and South, or after.
func slotTo(at, to [2]int, yFirst bool) int {
	dx, dy := to[0]-at[0], to[1]-at[1]
	if dx != 0 && (dy == 0 || !yFirst) {
		if dx < 0 {
			return 3
		}
		return 1
	}
	switch {
	case dy < 0:
		return 2
	case dy > 0:
		return 0
	}
	return 4
}

// dimensionOrder returns the table of XY or YX routing. A router without a link in the direction of a packet has no entry.
func (f *nocNetwork) dimensionOrder(yFirst bool) (*model.Table, error) {
	if err := f.locate(); err != nil {
		return nil, err
	}
	t := model.NewTable(f.net, model.AllAddresses(f.net))
	for d, face := range f.faces {
		for u, router := range f.routers {
			if slot := slotTo(f.coords[router], f.coords[face], yFirst); slot < len(f.slots[u]) && f.slots[u][slot] >= 0 {
				t.SetPort(model.SwitchID(u), model.DestID(d), f.ports[u][slot])
			}
		}
	}
	return t, nil
}

// tables returns the tables of all routers, and the endpoints that manage only, which have no entries.
func (f *nocNetwork) tables() (t *model.Table, lost []string, err error) {
	t = model.NewTable(f.net, model.AllAddresses(f.net))
	s := newSearch(f.connections)
	for d, face := range f.faces {
		if !f.nodes[f.nodes[face].twin].serves {
			lost = append(lost, f.nodes[f.nodes[face].twin].name)
			continue
		}
		for u, router := range f.routers {
			path := s.path(router, face)
			if path == nil {
				return nil, nil, f.unreached(router, face)
			}
			t.SetPort(model.SwitchID(u), model.DestID(d), f.port(router, path[1]))
		}
	}
	return t, lost, nil
}

func (f *nocNetwork) unreached(from, to int32) error {
	return f.src.FileError("no path from %s to %s", strings.Replace(f.nodes[from].name, "_ni", "", 1), f.nodes[f.nodes[to].twin].name)
}

// paths returns the relation of source routing.
func (f *nocNetwork) paths() (model.Relation, error) {
	var list []route.Path
	s := newSearch(f.connections)
	for a, from := range f.faces {
		for b, to := range f.faces {
			x, y := &f.nodes[f.nodes[from].twin], &f.nodes[f.nodes[to].twin]
			if a == b || x.manages && y.manages && !x.serves && !y.serves || x.serves && y.serves && !x.manages && !y.manages {
				continue
			}
			path := s.path(from, to)
			if path == nil {
				return nil, f.unreached(from, to)
			}
			p := route.Path{Source: model.HostID(a), Dest: model.HostID(b)}
			for i := 1; i+2 < len(path); i++ {
				c := f.net.OutAt(model.SwitchID(f.id[path[i]]), f.port(path[i], path[i+1]))
				p.VCs = append(p.VCs, f.net.VC(c, 0))
			}
			list = append(list, p)
		}
	}
	return f.relation(f.net, list)
}

func (f *nocNetwork) relation(n *model.Network, list []route.Path) (model.Relation, error) {
	r, err := route.Paths(n, list)
	if err != nil {
		return nil, f.src.FileError("%s", strings.TrimPrefix(err.Error(), "route: "))
	}
	return r, nil
}

// mirrored returns the relation of requests on VC 0 and responses on VC 1, and the packets that do not arrive.
func (f *nocNetwork) mirrored(yFirst bool) (r model.Relation, lost []string, err error) {
	n := f.net.WithVCs(2)
	var list []route.Path
	for vc := range 2 { // VC 0 has the requests
		t, err := f.dimensionOrder(yFirst == (vc == 0))
		if err != nil {
			return nil, nil, err
		}
		for a, from := range f.faces {
			for b, to := range f.faces {
				x, y := &f.nodes[f.nodes[from].twin], &f.nodes[f.nodes[to].twin]
				if vc == 1 {
					x, y = y, x
				}
				if a == b || !x.manages || !y.serves {
					continue
				}
				p, ok := follow(n, t, model.HostID(a), model.HostID(b), vc)
				if !ok {
					what := []string{"requests", "responses"}[vc]
					lost = append(lost, fmt.Sprintf("%s from %s to %s", what, n.HostLabel(p.Source), n.HostLabel(p.Dest)))
					continue
				}
				list = append(list, p)
			}
		}
	}
	r, err = f.relation(n, list)
	return r, lost, err
}

// follow returns the path of a table from one host to another on one VC of n, or false if it does not arrive.
func follow(n *model.Network, t *model.Table, a, b model.HostID, vc int) (p route.Path, ok bool) {
	p = route.Path{Source: a, Dest: b}
	for u := n.Host(a).Switch; len(p.VCs) <= n.NumSwitches(); {
		c := t.Row(model.DestID(b))[u]
		switch {
		case c < 0:
			return p, false
		case n.Kind(c) == model.Eject:
			return p, n.HostOf(c) == b
		}
		p.VCs, u = append(p.VCs, n.VC(c, vc)), n.Head(c)
	}
	return p, false
}

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
