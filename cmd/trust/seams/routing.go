package seams

import (
	"fmt"
	"slices"
	"strings"
)

// This file draws routings: names, tables, programs and sets of turns.

// routings are the kinds of routings.
var routings = []weighted[func(r drawer, l *Line, n *network)]{
	{40, namedRouting},
	{35, tableRouting},
	{20, programRouting},
	{5, turnRouting},
}

// routingOf draws the routing of a line.
func routingOf(r drawer, l *Line, n *network) {
	switch {
	case slices.Contains(r.focus, "table"):
		tableRouting(r, l, n)
	case slices.Contains(r.focus, "escape") && r.chance(80):
		namedRouting(r, l, n)
	default:
		choose(r, routings)(r, l, n)
	}
}

// names are routings by the family that they fit, "" for any, and the fewest VCs.
var names = []struct {
	family string
	vcs    int
	names  string
}{
	{"", 1, "minimal updown lturn-alpha lturn-beta rturn-beta tp turn-addition segments nue minimum,seconds=0.2"},
	{"", 2, "positive-hop negative-hop escape,adaptive=minimal,on=updown escape,adaptive=minimal,on=updown,return=false"},
	{"", 4, "valiant"},
	{"grid", 1, "dor dor dor dor"},
	{"torus", 1, "dor,vc-rule=plain nf"},
	{"torus", 2, "dor,vc-rule=position dor,vc-rule=entry dor-booksim nf+1"},
	{"torus", 3, "duato duato duato,stay-on-escape=true duato-nonminimal cross-line simple-adaptive duato,escape-vcs=2"},
	{"mesh", 1, "west-first negative-first odd-even north-last lbdr,turns=xy dor,order=yx"},
	{"mesh", 2, "duato duato duato,stay-on-escape=true duato-nonminimal cross-line simple-adaptive fully-adaptive fully-adaptive duato,order=yx " +
		"o1turn romm linder-harden"},
	{"mesh", 3, "planar-adaptive"},
	{"line", 2, "duato fully-adaptive"},
	{"hypercube", 1, "e-cube"},
	{"hypercube", 2, "duato fully-adaptive"},
}

// namedRouting draws a routing by name, mostly one that fits the network.
func namedRouting(r drawer, l *Line, n *network) {
	var list []string
	for _, group := range names {
		fits := group.family == "" || group.family == n.family || group.family == "grid" && n.sides != nil || group.family == "torus" && n.family == "ring"
		if fits = fits && n.vcs >= group.vcs; fits || r.chance(2) {
			list = append(list, strings.Fields(group.names)...)
		}
		if fits && group.family != "" { // those of a family more often
			list = append(list, strings.Fields(group.names)...)
		}
	}
	if escapes := slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !hasEscape(name) }); len(escapes) > 0 && r.may("escape", 10) {
		list = escapes
	}
	l.Kind = append(l.Kind, "routing by name")
	l.add("routing", pick(r, list...))
	if r.chance(5) {
		l.add("paths", pick(r, "all", "any", "drawn", "table", "shortest-table", "balanced", "greedy", "destination", "first"))
	}
}

// hasEscape reports whether a routing is adaptive and has an escape.
func hasEscape(name string) bool {
	return slices.ContainsFunc([]string{"duato", "adaptive", "escape", "cross-line"}, func(word string) bool { return strings.Contains(name, word) })
}

// programRouting draws a program.
func programRouting(r drawer, l *Line, n *network) {
	family := "network()"
	switch {
	case n.family == "ring" || n.family == "line":
		family = n.family + "(n)"
	case n.family == "mesh" || n.family == "torus":
		family = n.family + "(n, m)"
	}
	vcs := r.between(1, max(n.vcs, 1))
	var b strings.Builder
	fmt.Fprintf(&b, "family = %s\nvcs = %d\n", family, vcs)
	b.WriteString("def route(cur, dst, inp):\n")
	p := programText{drawer: r, vcs: vcs, grid: family != "network()", dims: len(n.sides)}
	for range r.IntN(3) {
		fmt.Fprintf(&b, "    if %s:\n        return %s\n", p.condition(), p.outputs())
	}
	fmt.Fprintf(&b, "    return %s\n", p.outputs())
	l.Files["route.star"] = b.String()
	l.Kind = append(l.Kind, "routing by program")
	l.add("routing", folderMark+"route.star")
}

// programText draws the expressions of a program.
type programText struct {
	drawer
	vcs  int
	grid bool
	dims int
}

// direction draws a direction of a grid.
func (p programText) direction() string {
	if p.dims == 1 {
		return pick(p.drawer, "E", "E", "W")
	}
	return pick(p.drawer, "E", "W", "N", "S")
}

// vc draws an expression for a VC.
func (p programText) vc() string {
	if p.vcs == 1 {
		return "0"
	}
	last := p.vcs - 1
	list := []string{"0", fmt.Sprint(last), "inp.vc", fmt.Sprintf("min(inp.vc + 1, %d)", last), fmt.Sprintf("(inp.vc + 1) %% %d", p.vcs)}
	if p.grid {
		list = append(list, fmt.Sprintf("(%d if inp.wrap else inp.vc)", last), fmt.Sprintf("(%d if dst.x > cur.x else 0)", last),
			fmt.Sprintf("(%d if dst.x < cur.x else 0)", last))
	}
	return pick(p.drawer, list...)
}

// condition draws a condition.
func (p programText) condition() string {
	if !p.grid {
		return pick(p.drawer, "dst in neighbours(cur)", "distance(cur, dst) > 1", fmt.Sprintf("inp.vc == %d", p.vcs-1))
	}
	list := []string{"dst.x > cur.x", "dst.x < cur.x", "dst.x != cur.x", "cur.x == 0", "distance(cur, dst) > 1", "inp.dir == None"}
	if p.dims > 1 {
		list = append(list, "dst.y > cur.y", "dst.y < cur.y", "cur.x % 2 == 0")
	}
	return pick(p.drawer, list...)
}

// outputs draws a list of outputs.
func (p programText) outputs() string {
	productive := fmt.Sprintf("[(a, %s) for a in productive(cur, dst)]", p.vc())
	list := []string{"productive(cur, dst)", productive, productive, productive + " + " + fmt.Sprintf("[(a, %s) for a in productive(cur, dst)]", p.vc()),
		fmt.Sprintf("[(productive(cur, dst)[0], %s)]", p.vc()), fmt.Sprintf("%s + [(productive(cur, dst)[0], %s)]", productive, p.vc())}
	if p.grid {
		list = append(list, fmt.Sprintf("[(%s, %s)]", p.direction(), p.vc()), fmt.Sprintf("[(%s, %s)]", p.direction(), p.vc()), "["+p.direction()+"]")
	} else {
		list = append(list, "neighbours(cur)", fmt.Sprintf("[(a, %s) for a in neighbours(cur)]", p.vc()))
	}
	return pick(p.drawer, list...)
}

// turnRouting draws a set of turns: that of a method, without some of its prohibited turns.
func turnRouting(r drawer, l *Line, n *network) {
	l.Kind = append(l.Kind, "set of turns")
	l.turns = pick(r, "updown", "updown", "lturn-alpha", "lturn-beta", "rturn-alpha", "rturn-beta", "tp", "turn-addition")
	l.add("routing", folderMark+turnsFile)
	if r.chance(50) {
		l.add("paths", pick(r, "all", "any", "table", "balanced", "first"))
	}
}

// tableRouting draws a table of next hops.
func tableRouting(r drawer, l *Line, n *network) {
	t := tableDrawer{drawer: r, network: n, isMinimal: r.chance(55), choices: pick(r, 0, 0, 30, 60), turnsBack: pick(r, 0, 10, 40), vcRule: r.IntN(4)}
	form := pick(r, "node", "from", "full", "full")
	l.Files["table.csv"] = t.text(form)
	kind := "table"
	if t.isAdaptive {
		kind = "adaptive table"
	}
	l.Kind = append(l.Kind, kind)
	l.add("routing", folderMark+"table.csv")
}

// tableDrawer draws the rows of a table.
type tableDrawer struct {
	drawer
	*network
	isMinimal  bool
	choices    int // per cent for a second and third next hop
	turnsBack  int // per cent for a hop back
	vcRule     int // 0: VC 0, 1: the same VC, 2: the next VC, 3: any
	isAdaptive bool
}

// at is where a packet is: the switch, the switch before, -1 at its source, and the VC.
type at struct{ node, from, vc int }

// text returns a table in one of the forms of columns.
func (t *tableDrawer) text(form string) string {
	columns := map[string]string{"node": "node,destination,next", "from": "node,from,destination,next", "full": "node,from,in_vc,destination,next,out_vc"}
	rows := []string{columns[form]}
	for d := range t.switches {
		if slices.Contains(t.hosts, d) {
			rows = append(rows, t.rowsTo(d, form)...)
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

// rowsTo returns the rows to a switch, for every state that packets reach.
func (t *tableDrawer) rowsTo(d int, form string) (rows []string) {
	distance := t.distances(d)
	var queue []at
	for u := range t.switches {
		if u != d && slices.Contains(t.hosts, u) || form == "node" && u != d {
			queue = append(queue, at{u, -1, 0})
		}
	}
	seen := map[at]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		x := queue[0]
		if form == "node" {
			x.from = -1
		}
		if form != "full" {
			x.vc = 0
		}
		if seen[x] || x.node == d {
			continue
		}
		seen[x] = true
		for _, y := range t.next(x, distance) {
			rows = append(rows, t.row(form, x, d, y))
			queue = append(queue, y)
		}
	}
	return rows
}

// row returns a row of a table.
func (t *tableDrawer) row(form string, x at, d int, y at) string {
	from, vc := "", ""
	if x.from >= 0 {
		from, vc = t.switchName(x.from), fmt.Sprint(x.vc)
	}
	node, dest, next := t.switchName(x.node), t.switchName(d), t.switchName(y.node)
	switch form {
	case "node":
		return strings.Join([]string{node, dest, next}, ",")
	case "from":
		return strings.Join([]string{node, from, dest, next}, ",")
	}
	return strings.Join([]string{node, from, vc, dest, next, fmt.Sprint(y.vc)}, ",")
}

// next draws the next hops of a state.
func (t *tableDrawer) next(x at, distance []int) (list []at) {
	var nearer, others []int
	for _, v := range t.neighbours(x.node) {
		switch {
		case distance[v] < distance[x.node]:
			nearer = append(nearer, v)
		case v != x.from || t.chance(t.turnsBack):
			others = append(others, v)
		}
	}
	hop := func() at {
		v := pick(t.drawer, nearer...)
		if len(others) > 0 && !t.isMinimal && t.chance(35) {
			v = pick(t.drawer, others...)
		}
		return at{v, x.node, t.nextVC(x)}
	}
	list = append(list, hop())
	for t.chance(t.choices) && len(list) < 4 {
		if y := hop(); !slices.Contains(list, y) {
			list = append(list, y)
			t.isAdaptive = true
		}
	}
	return list
}

// nextVC draws the VC of a hop.
func (t *tableDrawer) nextVC(x at) int {
	switch t.vcRule {
	case 0:
		return 0
	case 1:
		return min(x.vc, t.vcs-1)
	case 2:
		if t.chance(50) {
			return min(x.vc+1, t.vcs-1)
		}
		return x.vc
	}
	return t.IntN(t.vcs)
}
