package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"turnproof/model"
)

// Dependencies draws a channel dependency graph: a vertex for each VC, an
// arrow for each dependency, the cycle (nil: none) in colour around a circle.
//
// Of a graph with more than Options.MaxVertices vertices only a part is drawn,
// and the figure says how much was left out: the cycle and its neighbours,
// those first that lie on a way from the cycle back to it; without a cycle,
// the vertices of lowest number.
func Dependencies(n *model.Network, deps []model.Turn, cycle []model.VCID, o Options) *Graph {
	d := newDepGraph(deps, cycle)
	shown := d.choose(orDefault(o.MaxVertices, 40))
	g := &Graph{Title: o.Title, Layout: Flow, Length: 1.5}
	if len(cycle) > 0 {
		g.Layout = Spread
	}
	node := make(map[model.VCID]int, len(shown))
	for _, v := range shown {
		node[v] = g.add(vcNode(n, &o, v))
	}
	radius := max(1.3, 1.75*float64(len(cycle))/(2*math.Pi))
	for i, v := range cycle {
		x := &g.Nodes[node[v]]
		color, _ := seriesAt(0)
		x.Fill, x.Stroke, x.Strong = white, color, true
		a := math.Pi/2 - 2*math.Pi*float64(i)/float64(len(cycle)) // clockwise from the top
		x.Pinned, x.X, x.Y = true, radius*math.Cos(a), radius*math.Sin(a)
	}
	drawn := 0
	for _, t := range d.deps {
		if from, to, ok := d.visible(t, node); ok {
			drawn++
			g.join(Edge{From: from, To: to, Color: midGrey, Arrow: true, Tooltip: depText(n, &o, t)})
		}
	}
	for i, v := range cycle {
		next := cycle[(i+1)%len(cycle)]
		color, _ := seriesAt(0)
		drawn++
		g.join(Edge{From: node[v], To: node[next], Label: strconv.Itoa(i + 1), Badge: true, Color: color, Width: 3, Arrow: true,
			Tooltip: depText(n, &o, model.Turn{In: v, Out: next})})
	}
	g.Notes = d.notes(n, &o, len(shown), drawn)
	return g
}

// depGraph is a dependency graph with its cycle set apart.
type depGraph struct {
	vertices []model.VCID // ascending
	deps     []model.Turn // ascending, unique, those of the cycle left out
	total    int          // dependencies, those of the cycle included
	cycle    []model.VCID
	on       map[model.VCID]bool
	partial  bool // choose left out part of what hangs together with the cycle
}

func newDepGraph(deps []model.Turn, cycle []model.VCID) *depGraph {
	d := &depGraph{cycle: cycle, on: make(map[model.VCID]bool)}
	own := make(map[model.Turn]bool)
	for i, v := range cycle {
		d.on[v] = true
		own[model.Turn{In: v, Out: cycle[(i+1)%len(cycle)]}] = true
		d.vertices = append(d.vertices, v)
	}
	for _, t := range deps {
		if !own[t] {
			d.deps = append(d.deps, t)
		}
		d.vertices = append(d.vertices, t.In, t.Out)
	}
	slices.SortFunc(d.deps, compareTurns)
	d.deps = slices.Compact(d.deps)
	slices.Sort(d.vertices)
	d.vertices = slices.Compact(d.vertices)
	d.total = len(d.deps) + len(own)
	return d
}

func compareTurns(a, b model.Turn) int {
	if a.In != b.In {
		return int(a.In) - int(b.In)
	}
	return int(a.Out) - int(b.Out)
}

// choose returns the vertices to draw, ascending.
func (d *depGraph) choose(limit int) []model.VCID {
	if len(d.cycle) == 0 {
		return d.vertices[:min(len(d.vertices), limit)]
	}
	if near := d.connected(); len(near) <= limit {
		return near
	}
	d.partial = true
	from, to := make(map[model.VCID]bool), make(map[model.VCID]bool)
	for _, t := range d.deps {
		if d.on[t.In] && !d.on[t.Out] {
			from[t.Out] = true
		}
		if d.on[t.Out] && !d.on[t.In] {
			to[t.In] = true
		}
	}
	shown := slices.Compact(slices.Sorted(slices.Values(d.cycle)))
	pick := func(want func(model.VCID) bool) {
		for _, v := range d.vertices {
			if len(shown) < limit && !d.on[v] && want(v) {
				shown = append(shown, v)
			}
		}
	}
	pick(func(v model.VCID) bool { return from[v] && to[v] })
	pick(func(v model.VCID) bool { return from[v] && !to[v] })
	pick(func(v model.VCID) bool { return to[v] && !from[v] })
	slices.Sort(shown)
	return shown
}

// connected returns the vertices that hang together with the cycle, ascending:
// the rest of the graph has nothing to do with it.
func (d *depGraph) connected() []model.VCID {
	next := make(map[model.VCID][]model.VCID)
	for _, t := range d.deps {
		next[t.In] = append(next[t.In], t.Out)
		next[t.Out] = append(next[t.Out], t.In)
	}
	seen := make(map[model.VCID]bool)
	var found []model.VCID
	for queue := slices.Clone(d.cycle); len(queue) > 0; queue = queue[1:] {
		if v := queue[0]; !seen[v] {
			seen[v] = true
			found = append(found, v)
			queue = append(queue, next[v]...)
		}
	}
	slices.Sort(found)
	return found
}

// visible returns the nodes of a dependency that is drawn. Next to a cycle in
// a larger graph, dependencies among the neighbours only hide it.
func (d *depGraph) visible(t model.Turn, node map[model.VCID]int) (from, to int, ok bool) {
	from, in := node[t.In]
	to, out := node[t.Out]
	return from, to, in && out && (!d.partial || d.on[t.In] || d.on[t.Out])
}

func (d *depGraph) notes(n *model.Network, o *Options, shown, drawn int) []string {
	notes := []string{fmt.Sprintf("%s, %s. pN: output port N.",
		pluralOf(len(d.vertices), "vertex", "vertices"), pluralOf(d.total, "dependency", "dependencies"))}
	if len(d.cycle) > 0 {
		notes = append(notes, fmt.Sprintf("Thick, numbered: a cycle of %s.", pluralOf(len(d.cycle), "dependency", "dependencies")))
	}
	if shown < len(d.vertices) || drawn < d.total {
		what := "the vertices of lowest number"
		if d.partial {
			what = "the cycle and vertices next to it"
		} else if len(d.cycle) > 0 {
			what = "what hangs together with the cycle"
		}
		notes = append(notes, fmt.Sprintf("Drawn: %s. Left out: %s and %s.", what,
			pluralOf(len(d.vertices)-shown, "vertex", "vertices"), pluralOf(d.total-drawn, "dependency", "dependencies")))
	}
	return notes
}

// vcNode is a vertex: "S1 p3 → S7", and the VC where a channel has several.
func vcNode(n *model.Network, o *Options, v model.VCID) Node {
	ch, i := n.Channel(v)
	end := func(u model.SwitchID) string {
		if u == model.NoSwitch {
			return n.HostLabel(n.HostOf(ch))
		}
		return n.SwitchLabel(u)
	}
	from := end(n.Tail(ch))
	if n.Tail(ch) != model.NoSwitch {
		from = fmt.Sprintf("%s p%d", from, n.TailPort(ch))
	}
	x := Node{Name: "v" + strconv.Itoa(int(v)), Lines: []string{from + " → " + end(n.Head(ch))}, Fill: paleGrey, Tooltip: vcText(n, o, v)}
	if o.showVC(n) {
		x.Lines = append(x.Lines, fmt.Sprintf("(%s %d)", o.vc(), i))
	}
	return x
}

func depText(n *model.Network, o *Options, t model.Turn) string {
	return fmt.Sprintf("a packet on %s may ask for %s", vcText(n, o, t.In), vcText(n, o, t.Out))
}
