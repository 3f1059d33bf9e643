package figure

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// Dependencies draws a channel dependency graph with a vertex for each VC and an arrow for each
// dependency. The cycle, if not nil, is drawn in colour around a circle. A graph without a cycle
// is drawn in levels: each dependency leads to a higher level, which shows that there is no cycle.
//
// If the graph has more than Options.MaxVertices vertices, only a part is drawn, and a note says
// how much is left out. The part is the cycle and its neighbours, first those on a path from the
// cycle back to the cycle. Without a cycle it is a longest chain of dependencies and vertices next
// to it.
func Dependencies(n *model.Network, deps []model.Turn, cycle []model.VCID, o Options) *Graph {
	d := newDepGraph(deps, cycle)
	shown := d.choose(orDefault(o.MaxVertices, 40))
	g := &Graph{Title: o.Title, Layout: Flow, Length: 1}
	if len(cycle) > 0 {
		g.Layout = Spread
	}
	node := make(map[model.VCID]int, len(shown))
	for _, v := range shown {
		x := vcNode(n, &o, v)
		x.Level = d.level[v]
		node[v] = g.add(x)
	}
	radius := ringAround(g, cycle, node)
	if len(cycle) > 0 {
		d.surround(g, node, radius)
	}
	for _, v := range d.chain {
		x := &g.Nodes[node[v]]
		x.Fill, x.Stroke, x.Strong = white, Blue, true
	}
	nameLevels(g)
	drawn := 0
	for _, t := range d.deps {
		if from, to, ok := d.visible(t, node); ok {
			drawn++
			e := Edge{From: from, To: to, Color: midGrey, Arrow: true, Tooltip: depText(n, &o, t)}
			if d.inChain(t) {
				e.Color, e.Width = Blue, 2.4
			}
			g.join(e)
		}
	}
	for i, v := range cycle {
		next := cycle[(i+1)%len(cycle)]
		color, _ := SeriesAt(0)
		drawn++
		g.join(Edge{From: node[v], To: node[next], Label: strconv.Itoa(i + 1), Badge: true, Color: color, Width: 3, Arrow: true,
			Tooltip: depText(n, &o, model.Turn{In: v, Out: next})})
	}
	g.Notes = d.notes(n, &o, len(shown), drawn)
	return g
}

// ringAround places the cycle around a circle, clockwise from the top, and returns the radius in
// inches.
func ringAround(g *Graph, cycle []model.VCID, node map[model.VCID]int) float64 {
	radius := max(1.4, 2.3*float64(len(cycle))/(2*math.Pi))
	for i, v := range cycle {
		x := &g.Nodes[node[v]]
		color, _ := SeriesAt(0)
		x.Fill, x.Stroke, x.Strong = white, color, true
		a := math.Pi/2 - 2*math.Pi*float64(i)/float64(len(cycle))
		x.Pinned, x.X, x.Y = true, radius*math.Cos(a), radius*math.Sin(a)
	}
	return radius
}

// surround places the neighbours of the cycle around it at equal angles, each as close as possible
// to the vertices of the cycle with which it has dependencies. It does nothing if other vertices
// are drawn, because the spring layout then finds better positions.
func (d *depGraph) surround(g *Graph, node map[model.VCID]int, inner float64) {
	sum := make(map[model.VCID]point)
	for _, t := range d.deps {
		for k, pair := range [][2]model.VCID{{t.In, t.Out}, {t.Out, t.In}} {
			if _, ok := node[pair[1]]; ok && d.on[pair[0]] && !d.on[pair[1]] {
				x := &g.Nodes[node[pair[0]]]
				// The weights differ, so that vertices on opposite sides do not cancel out.
				sum[pair[1]] = sum[pair[1]].add(point{x.X, x.Y}.times(1 - 0.1*float64(k)))
			}
		}
	}
	if len(sum)+len(d.cycle) < len(node) {
		return
	}
	// Angles clockwise from just before the top, rounded to thousandths so that equal angles
	// compare equal on every machine.
	turn := func(v model.VCID) int {
		a := math.Mod(math.Pi/2+0.2-math.Atan2(sum[v].y, sum[v].x)+4*math.Pi, 2*math.Pi)
		return int(1000 * a)
	}
	var around []model.VCID
	for _, v := range d.vertices {
		if _, ok := sum[v]; ok {
			around = append(around, v)
		}
	}
	slices.SortStableFunc(around, func(v, w model.VCID) int { return turn(v) - turn(w) })
	off := 0.0 // mean difference between wanted and equally spaced angles
	for k, v := range around {
		off += (float64(turn(v))/1000 - 2*math.Pi*float64(k)/float64(len(around))) / float64(len(around))
	}
	radius := max(inner+1.5, 1.1*float64(len(around))/(2*math.Pi))
	for k, v := range around {
		a := math.Pi/2 + 0.2 - off - 2*math.Pi*float64(k)/float64(len(around))
		x := &g.Nodes[node[v]]
		x.Pinned, x.X, x.Y = true, 1.2*radius*math.Cos(a), radius*math.Sin(a)
	}
}

// nameLevels adds a column with the names of the levels that are drawn.
func nameLevels(g *Graph) {
	top := 0
	for i := range g.Nodes {
		top = max(top, g.Nodes[i].Level)
	}
	used := make([]bool, top+1)
	for i := range g.Nodes {
		used[g.Nodes[i].Level] = true
	}
	last := -1
	for l := 1; l <= top; l++ {
		if !used[l] {
			continue
		}
		i := g.add(Node{Name: fmt.Sprint("level", l), Lines: []string{fmt.Sprint("level ", l)}, Shape: Plain, Level: l})
		if last >= 0 {
			g.join(Edge{From: last, To: i, Style: Hidden})
		}
		last = i
	}
}

// depGraph is a dependency graph; the cycle is stored separately.
type depGraph struct {
	vertices []model.VCID // ascending
	deps     []model.Turn // ascending, unique, without those of the cycle
	total    int          // number of dependencies, including those of the cycle
	cycle    []model.VCID
	on       map[model.VCID]bool
	partial  bool               // whether choose left out vertices that are connected with the cycle
	level    map[model.VCID]int // length of the longest chain that ends at the vertex, from 1; nil if there is a cycle
	chain    []model.VCID       // the longest chain, if the graph is large and has no cycle
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
	if len(cycle) == 0 {
		d.findLevels()
	}
	return d
}

// findLevels computes the levels by topological sorting (Kahn, Communications of the ACM 5(11),
// 1962).
func (d *depGraph) findLevels() {
	next, missing := make(map[model.VCID][]model.VCID), make(map[model.VCID]int)
	for _, t := range d.deps {
		next[t.In] = append(next[t.In], t.Out)
		missing[t.Out]++
	}
	level := make(map[model.VCID]int, len(d.vertices))
	var queue []model.VCID
	for _, v := range d.vertices {
		if missing[v] == 0 {
			level[v] = 1
			queue = append(queue, v)
		}
	}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, w := range next[v] {
			level[w] = max(level[w], level[v]+1)
			if missing[w]--; missing[w] == 0 {
				queue = append(queue, w)
			}
		}
	}
	if len(queue) == len(d.vertices) {
		d.level = level
	}
}

// longest returns a longest chain. Of several vertices that fit a level, it takes the one with the
// lowest number.
func (d *depGraph) longest() []model.VCID {
	before := make(map[model.VCID][]model.VCID)
	for _, t := range d.deps {
		before[t.Out] = append(before[t.Out], t.In)
	}
	end := d.vertices[0]
	for _, v := range d.vertices {
		if d.level[v] > d.level[end] {
			end = v
		}
	}
	chain := []model.VCID{end}
	for v := end; d.level[v] > 1; {
		v = before[v][slices.IndexFunc(before[v], func(u model.VCID) bool { return d.level[u] == d.level[v]-1 })]
		chain = append(chain, v)
	}
	slices.Reverse(chain)
	return chain
}

// inChain reports whether a dependency joins neighbours of the chain.
func (d *depGraph) inChain(t model.Turn) bool {
	i := slices.Index(d.chain, t.In)
	return i >= 0 && i+1 < len(d.chain) && d.chain[i+1] == t.Out
}

func (d *depGraph) notes(n *model.Network, o *Options, shown, drawn int) []string {
	notes := []string{fmt.Sprintf("%s, %s.", pluralOf(len(d.vertices), "vertex", "vertices"), pluralOf(d.total, "dependency", "dependencies"))}
	if !o.Brief {
		notes[0] += " pN: output port N."
	}
	if len(d.cycle) > 0 {
		notes = append(notes, fmt.Sprintf("Thick, numbered: a cycle of %s.", pluralOf(len(d.cycle), "dependency", "dependencies")))
	}
	if d.level != nil && len(d.vertices) > 0 {
		notes = append(notes, "Each dependency leads to a higher level, so that none leads back: there is no cycle.")
	}
	if shown < len(d.vertices) || drawn < d.total {
		what := "what hangs together with the busiest vertex"
		switch {
		case d.partial:
			what = "the cycle and vertices next to it"
		case len(d.cycle) > 0:
			what = "what hangs together with the cycle"
		case len(d.chain) > 0:
			what = "a longest chain of dependencies (thick) and vertices next to it"
			if all := slices.Max(slices.Collect(maps.Values(d.level))); len(d.chain) < all {
				what = fmt.Sprintf("the first %d vertices of a longest chain, which has %d (thick), and vertices next to it", len(d.chain), all)
			}
		}
		notes = append(notes, fmt.Sprintf("Drawn: %s. Left out: %s and %s.", what,
			pluralOf(len(d.vertices)-shown, "vertex", "vertices"), pluralOf(d.total-drawn, "dependency", "dependencies")))
	}
	return notes
}

// vcNode returns the node of a VC with label "S1 p3 → S7", and the VC's number if a channel has
// several.
func vcNode(n *model.Network, o *Options, v model.VCID) Node {
	ch, i := n.Channel(v)
	end := func(u model.SwitchID) string {
		if u == model.NoSwitch {
			return n.HostLabel(n.HostOf(ch))
		}
		return n.SwitchLabel(u)
	}
	from := end(n.Tail(ch))
	if n.Tail(ch) != model.NoSwitch && !o.Brief {
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
