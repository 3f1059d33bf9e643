package figure

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/view/figure/graphviz"
)

// TestHVPlaces: every switch is at its coordinates and shows them, every link has the directions
// of table 1 at its ends, and cross links are dashed.
func TestHVPlaces(t *testing.T) {
	for _, n := range []*model.Network{irregular(9, 4, 1, 7), irregular(16, 4, 1, 2), ring(8, 0, 1), ring(3, 0, 1), parallel(), irregular(40, 4, 1, 5)} {
		h := mustHV(n, 1)
		g := HV(h, Options{})
		root := g.Nodes[1]
		x, y := math.NaN(), math.NaN() // size of a step
		for u := range n.NumSwitches() {
			x, y = stepOf(x, g.Nodes[u].X-root.X, h.Spread[u]), stepOf(y, root.Y-g.Nodes[u].Y, h.Depth[u])
		}
		for u, v := range g.Nodes {
			if math.Abs(v.X-root.X-x*float64(h.Spread[u])) > 1e-9 || math.Abs(root.Y-v.Y-y*float64(h.Depth[u])) > 1e-9 {
				t.Errorf("%s is not at (%d,%d)", v.Name, h.Spread[u], h.Depth[u])
			}
			if want := fmt.Sprintf("(%d,%d)", h.Spread[u], h.Depth[u]); v.Lines[1] != want {
				t.Errorf("%s says %s, want %s", v.Name, v.Lines[1], want)
			}
		}
		for l, e := range g.Edges {
			c := model.ChannelID(2 * l)
			if e.From != int(n.Tail(c)) || (e.Style == Solid) != h.Has(c) {
				t.Errorf("link %d is drawn from %d as %v", l, e.From, e.Style)
			}
			if n.NumLinks() <= maxDirLinks && (e.AtFrom != h.Dir(c).String() || e.AtTo != h.Dir(c^1).String()) {
				t.Errorf("link %d: %s and %s, want %s and %s", l, e.AtFrom, e.AtTo, h.Dir(c), h.Dir(c^1))
			}
		}
	}
}

// stepOf returns known if it is a number, else the size of a step: d divided by steps.
func stepOf(known, d float64, steps int32) float64 {
	if math.IsNaN(known) && steps > 0 {
		return d / float64(steps)
	}
	return known
}

// TestProhibitedTurns: the arcs are exactly the prohibited turns, with one arc for two opposite
// ones.
func TestProhibitedTurns(t *testing.T) {
	for _, n := range []*model.Network{irregular(9, 4, 1, 7), irregular(16, 4, 1, 2), ring(5, 1, 1), grid(8, 8, true), parallelLess()} {
		h := mustHV(n, 0)
		for name, s := range map[string]*model.TurnSet{"P1": ofClasses(h, p1|p1more), "up*/down*": downUp(h), "none": model.NewTurnSet(n),
			"all": model.NewTurnSet(n).Complement()} {
			for _, on := range []*hv.Graph{h, nil} {
				g := ProhibitedTurns(s, on, Options{})
				got := model.NewTurnSet(n)
				for _, a := range g.Arcs {
					got.Add(arcTurn(n, a.In, a.Out, a.At))
					if a.Both {
						got.Add(arcTurn(n, a.Out, a.In, a.At))
					}
				}
				if !slices.Equal(slices.Collect(got.All()), slices.Collect(s.All())) {
					t.Errorf("%s on %d switches: %d turns drawn, want %d", name, n.NumSwitches(), got.Len(), s.Len())
				}
				if note := fmt.Sprintf("%d of ", s.Len()); !strings.HasPrefix(g.Notes[0], note) {
					t.Errorf("%s: note %q", name, g.Notes[0])
				}
			}
		}
	}
}

// arcTurn returns the turn between two links; edges have the numbers of links.
func arcTurn(n *model.Network, in, out, at int) model.Turn {
	a, b := model.ChannelID(2*in), model.ChannelID(2*out)
	if int(n.Head(a)) != at {
		a = n.Reverse(a)
	}
	if int(n.Tail(b)) != at {
		b = n.Reverse(b)
	}
	return model.Turn{In: n.VC(a, 0), Out: n.VC(b, 0)}
}

func parallelLess() *model.Network {
	w := wire(2)
	w.link(0, 1)
	return w.build(1, 2, 1)
}

// TestArcPlaces: an arc goes around its node without touching any node, and begins and ends at its
// lines.
func TestArcPlaces(t *testing.T) {
	for _, d := range small() {
		if len(d.g.Arcs) == 0 {
			continue
		}
		p, err := d.g.place(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		s := newSheet(d.g, p)
		s.lines()
		s.bends()
		for i, a := range d.g.Arcs {
			c := s.arc[i].c
			for _, q := range c.samples(40) {
				for k := range d.g.Nodes {
					if x := q.sub(p.at[k]); d.g.Nodes[k].Shape != Plain && math.Abs(x.x) < p.half[k].x && math.Abs(x.y) < p.half[k].y {
						t.Errorf("%s: arc %s runs over %s", d.name, a.Tooltip, d.g.Nodes[k].Name)
					}
				}
			}
			for end, line := range map[point]int{c[0]: a.In, c[len(c)-1]: a.Out} {
				near := math.Inf(1)
				for _, q := range s.runs[line].c.samples(400) {
					near = min(near, q.sub(end).len())
				}
				if near > 6 {
					t.Errorf("%s: arc %s ends %.1f points off its line", d.name, a.Tooltip, near)
				}
			}
		}
	}
}

// star returns a switch with the given number of neighbours, which form a ring.
func star(leaves, vcs int) *model.Network {
	w := wire(leaves + 1)
	for i := range leaves {
		w.link(0, i+1)
		w.link(i+1, (i+1)%leaves+1)
	}
	return w.build(1, leaves, vcs)
}

// TestTooManyArcs: if arcs would not be legible, numbers are shown instead.
func TestTooManyArcs(t *testing.T) {
	n := star(12, 1)
	g := ProhibitedTurns(model.NewTurnSet(n).Complement(), nil, Options{})
	for _, a := range g.Arcs {
		if a.At == 0 {
			t.Error("an arc at the switch with 132 prohibited turns")
		}
	}
	if len(g.Arcs) != 12*3 || !slices.Contains(g.Nodes[0].Lines, "132 turns") {
		t.Errorf("%d arcs, label %q", len(g.Arcs), g.Nodes[0].Lines)
	}
	n = irregular(80, 4, 1, 3)
	s := downUp(mustHV(n, 0))
	g = ProhibitedTurns(s, nil, Options{})
	sum := 0
	for _, x := range g.Nodes {
		k := 0
		if _, err := fmt.Sscan(x.Lines[1], &k); err != nil {
			t.Errorf("%s has no number: %q", x.Name, x.Lines)
		}
		sum += k
	}
	if len(g.Arcs) > 0 || sum != s.Len() || !strings.Contains(strings.Join(g.Notes, " "), "too many for arcs") {
		t.Errorf("%d arcs, %d turns counted, want %d; %q", len(g.Arcs), sum, s.Len(), g.Notes)
	}
}

// TestOddTurns: a turn that is prohibited for some VCs only is dashed. U-turns and turns between
// cables drawn as one line are counted.
func TestOddTurns(t *testing.T) {
	n := ring(4, 1, 2)
	s := model.NewTurnSet(n)
	s.Add(model.Turn{In: vcAt(n, 0, 1), Out: vcAt(n, 1, 2) + 1})
	s.Add(model.Turn{In: vcAt(n, 0, 1), Out: vcAt(n, 1, 0)})
	g := ProhibitedTurns(s, nil, Options{})
	if len(g.Arcs) != 1 || g.Arcs[0].Style != Dashed || !strings.Contains(g.Arcs[0].Tooltip, "1 of 4 pairs of VCs") {
		t.Errorf("%+v", g.Arcs)
	}
	if notes := strings.Join(g.Notes, " "); !strings.Contains(notes, "1 U-turn prohibited") || !strings.HasPrefix(notes, "1 of ") {
		t.Error(notes)
	}
	p := parallel()
	g = ProhibitedTurns(model.NewTurnSet(p).Complement(), nil, Options{})
	if notes := strings.Join(g.Notes, " "); !strings.Contains(notes, "between cables that are one line") {
		t.Error(notes)
	}
	render(t, g, "png")
}

// TestClassTurnPictures: there are twelve pictures, and prohibited turns are crossed.
func TestClassTurnPictures(t *testing.T) {
	g := ClassTurns(p1, p1more|p1, Options{})
	count := make(map[Shape]int)
	var names []string
	for _, n := range g.Nodes {
		count[n.Shape]++
		if n.Shape == Plain {
			names = append(names, strings.Join(n.Lines, " "))
		}
	}
	if count[Cross] != 3 || count[Dot] != 9 || len(names) != 12 {
		t.Errorf("%d crosses, %d others, %d names", count[Cross], count[Dot], len(names))
	}
	for _, turn := range hv.AllClassTurns().List() {
		want := turn.String()
		if is := standingOf(turn, p1, p1more|p1); is != allowed {
			want += " " + standings[is].word
		}
		if !slices.Contains(names, want) {
			t.Errorf("no picture says %q", want)
		}
	}
}

// TestClassTurnArrows: the arrows of each picture have the directions of the turn's name.
func TestClassTurnArrows(t *testing.T) {
	g := ClassTurns(0, 0, Options{})
	for i := 0; i < len(g.Edges); i += 2 {
		var dirs []string
		for _, e := range g.Edges[i : i+2] {
			a, b := g.Nodes[e.From], g.Nodes[e.To]
			dirs = append(dirs, hv.DirBetween(int32(1e6*a.X), int32(-1e6*a.Y), int32(1e6*b.X), int32(-1e6*b.Y)).String())
		}
		if got := strings.Join(dirs, ">"); !strings.HasPrefix(g.Edges[i].Tooltip, got+",") {
			t.Errorf("arrows %s for %s", got, g.Edges[i].Tooltip)
		}
	}
}

// TestCycleShapes: the picture of each basic cycle has the cycle's turns in order.
func TestCycleShapes(t *testing.T) {
	for _, b := range hv.BasicCycles() {
		shape := cycleShapes[b.Name]
		k := len(shape)
		var turns []hv.ClassTurn
		for i, s := range shape {
			a, c := shape[(i+k-1)%k], shape[(i+1)%k]
			turn := hv.ClassTurn{In: hv.DirBetween(a.h, a.d, s.h, s.d), Out: hv.DirBetween(s.h, s.d, c.h, c.d)}
			if (turn.In == turn.Out) != s.straight {
				t.Errorf("%s: corner %d makes %s", b.Name, i, turn)
			}
			if !s.straight {
				turns = append(turns, turn)
			}
		}
		if !slices.Equal(turns, b.Turns) {
			t.Errorf("%s makes %v, want %v", b.Name, turns, b.Turns)
		}
	}
}

// TestBasicCycles: a note says if a policy does not break a cycle.
func TestBasicCycles(t *testing.T) {
	if g := BasicCycles(p1, p1more, Options{}); strings.Contains(strings.Join(g.Notes, " "), "NOT") || len(g.Legend.Rows) != 7 {
		t.Errorf("%q, %d rows", g.Notes, len(g.Legend.Rows))
	}
	if g := BasicCycles(p1, 0, Options{}); !strings.Contains(strings.Join(g.Notes, " "), "NOT broken by any of these turns: L4, L5, L6, L7.") {
		t.Error(g.Notes)
	}
}

// TestTurnDependencies: the graph of figure 8 of the paper has 6 turns, each
// followed by two, and the cycles L4 to L7.
func TestTurnDependencies(t *testing.T) {
	for _, c := range []struct {
		name         string
		turns        hv.ClassTurns
		dependencies int
		cycles       string
	}{
		{"Q1'", hv.AllClassTurns() &^ p1 &^ classTurns("LU>LD", "LU>RU", "LU>RD"), 12, "L4 L5 L6 L7"},
		{"all", hv.AllClassTurns(), 36, "L1 L2 L3 L4 L5 L6 L7"},
		{"L-turn", hv.AllClassTurns() &^ p1 &^ p1more, 8, ""},
		{"none", 0, 0, ""},
	} {
		g := TurnDependencies(c.turns, Options{})
		pairs := make(map[[2]int]bool)
		for _, e := range g.Edges {
			pairs[[2]int{e.From, e.To}] = true
			if from, to := g.Nodes[e.From].Name, g.Nodes[e.To].Name; from[3:] != to[:2] {
				t.Errorf("%s: %s → %s", c.name, from, to)
			}
		}
		var cycles []string
		for _, r := range g.Legend.Rows {
			cycles = append(cycles, r.Mark)
		}
		if got := strings.Join(cycles, " "); len(pairs) != c.dependencies || got != c.cycles || len(g.Nodes) != len(c.turns.List()) {
			t.Errorf("%s: %d turns, %d dependencies, cycles %s", c.name, len(g.Nodes), len(pairs), got)
		}
		render(t, g, "svg")
	}
}

// TestDetectedCycle: the channels are numbered in order. The arc is at the switch of the turn,
// even if the turn is not between channels of the cycle.
func TestDetectedCycle(t *testing.T) {
	n := irregular(16, 4, 1, 2)
	h := mustHV(n, 3)
	cycle, _ := cycleOf(n, 1)
	for turn := range model.Turns(n, false) {
		g := DetectedCycle(h, cycle, turn, nil, Options{})
		in, _ := n.Channel(turn.In)
		if len(g.Arcs) != 1 || g.Arcs[0].At != int(n.Head(in)) {
			t.Fatalf("%d arcs", len(g.Arcs))
		}
		for _, k := range []int{g.Arcs[0].In, g.Arcs[0].Out} {
			if e := g.Edges[k]; e.From != g.Arcs[0].At && e.To != g.Arcs[0].At {
				t.Errorf("turn %v: edge %d is not at the switch", turn, k)
			}
		}
		if rows := g.Legend.Rows; len(rows) != len(cycle) || rows[len(rows)-1].Mark != fmt.Sprint(len(cycle)) {
			t.Errorf("%d rows", len(rows))
		}
	}
	big := irregular(120, 4, 1, 3)
	cycle, turn := cycleOf(big, 5)
	if g := DetectedCycle(mustHV(big, 0), cycle, turn, nil, Options{}); len(g.Nodes) > len(cycle) || !strings.Contains(strings.Join(g.Notes, " "), "left out") {
		t.Errorf("%d switches for %d channels, %q", len(g.Nodes), len(cycle), g.Notes)
	}
}

// TestSideBySide: both panels have the same switches at the same positions, and names of nodes are
// unique, for all sources of positions.
func TestSideBySide(t *testing.T) {
	split := wire(4)
	split.link(0, 1)
	split.link(2, 3)
	i16 := irregular(16, 4, 1, 2)
	for name, c := range map[string]struct {
		n *model.Network
		g *hv.Graph
		o Options
	}{
		"on an H/V graph": {i16, mustHV(i16, 3), Options{}},
		"nowhere":         {i16, nil, Options{}},
		"disconnected":    {split.build(1, 4, 1), nil, Options{}},
		"placed":          {grid(4, 4, true), nil, Options{Position: gridPosition(4)}},
		"layered":         {fatTree(4), nil, Options{}},
		"below":           {irregular(60, 4, 1, 3), nil, Options{}},
	} {
		p := shortestPaths(c.n, 0, 1, model.NewTurnSet(c.n))
		g := PathsSideBySide(c.n, 0, 1, Ways{"first", p}, Ways{"second", p[:1]}, c.g, c.o)
		if !g.pinned() {
			t.Errorf("%s: not all nodes have a place", name)
		}
		at := make(map[string]Node)
		for _, n := range g.Nodes {
			if _, twice := at[n.Name]; twice {
				t.Errorf("%s: two nodes are called %s", name, n.Name)
			}
			at[n.Name] = n
		}
		dx, dy := at["bs0"].X-at["as0"].X, at["bs0"].Y-at["as0"].Y
		if below := name == "below"; (dy < 0) != below || (dx > 0) == below {
			t.Errorf("%s: the second drawing is at (%g,%g)", name, dx, dy)
		}
		for u := range c.n.NumSwitches() {
			a, b := at[fmt.Sprint("as", u)], at[fmt.Sprint("bs", u)]
			if math.Abs(b.X-a.X-dx) > 1e-9 || math.Abs(b.Y-a.Y-dy) > 1e-9 {
				t.Errorf("%s: switch %d at (%g,%g) and (%g,%g)", name, u, a.X, a.Y, b.X, b.Y)
			}
		}
		texts, _, _ := content(t, render(t, g, "svg"))
		if !slices.Contains(texts, "first") || !slices.Contains(texts, "second") || len(g.Legend.Rows) != len(p) {
			t.Errorf("%s: %d rows for %d paths, texts %q", name, len(g.Legend.Rows), len(p), texts)
		}
	}
}

// TestLoad: every channel is an arrow, which is thicker for a higher load. A channel without a
// valid load is dotted.
func TestLoad(t *testing.T) {
	n := ring(4, 1, 1)
	g := Load(n, []float64{0.1, 0.9, math.NaN(), -1, math.Inf(1), 0, 0.5}, Options{})
	if len(g.Edges) != 8 {
		t.Fatalf("%d arrows", len(g.Edges))
	}
	for c, want := range []Style{Solid, Solid, Dotted, Dotted, Dotted, Solid, Solid, Dotted} {
		if g.Edges[c].Style != want {
			t.Errorf("channel %d has style %d", c, g.Edges[c].Style)
		}
	}
	if w := g.Edges; w[5].Width >= w[0].Width || w[0].Width >= w[6].Width || w[6].Width >= w[1].Width {
		t.Errorf("widths %g %g %g %g", w[5].Width, w[0].Width, w[6].Width, w[1].Width)
	}
	if notes := strings.Join(g.Notes, " "); !strings.Contains(notes, "Of 4 channels the load is not known") || !strings.Contains(notes, "Highest load: 0.9") {
		t.Error(notes)
	}
	for _, load := range [][]float64{nil, {1e-300}, {math.MaxFloat64, math.MaxFloat64}, {1e9, 1}} {
		render(t, Load(n, load, Options{}), "svg")
	}
}

// TestClasses: every amount is in the class whose text contains it.
func TestClasses(t *testing.T) {
	for _, top := range []float64{1e-9, 0.0371, 0.9, 1, 6, 7, 12, 13, 100, 12345.6, 3e18} {
		for _, whole := range []bool{false, top == math.Trunc(top)} {
			k := newClasses(top, whole)
			if k.of(top) != k.len()-1 || k.len() > len(scale) || k.of(0) != -1 || k.of(math.NaN()) != -1 {
				t.Errorf("top %g: class %d of %d", top, k.of(top), k.len())
			}
			last := -1
			for i := range 200 {
				v := top * float64(i) / 199
				c := k.of(v)
				if c < last || c >= 0 && (v > k.step*float64(c+1)*(1+1e-6) || v < k.step*float64(c)*(1-1e-6)) {
					t.Errorf("top %g: %g is in class %d, %s", top, v, c, k.words(c))
				}
				last = c
			}
			if k.len() > 1 && k.color(k.len()-1) != scale[len(scale)-1] {
				t.Errorf("top %g: the highest class is %s", top, k.color(k.len()-1))
			}
		}
	}
}

// TestHostileTurnFigures: names with any content stay text in these drawings, too.
func TestHostileTurnFigures(t *testing.T) {
	n := hostileNetwork()
	h := mustHV(n, 0)
	o := Options{Title: `</svg><script>`, VC: `<script>`}
	cycle, turn := cycleOf(n, 1)
	paths := Ways{`<script>`, []Path{arriving(n, 2, route(n, 0, 0, 1, 2))}}
	for i, g := range []*Graph{HV(h, o), ProhibitedTurns(downUp(h), h, o), ProhibitedTurns(downUp(h), nil, o), ClassTurns(p1, p1more, o),
		BasicCycles(p1, p1more, o),
		TurnDependencies(p1, o), DetectedCycle(h, cycle, turn, nil, o), PathsSideBySide(n, 0, 2, paths, paths, h, o), Load(n, someLoad(n), o)} {
		if _, _, elements := content(t, render(t, g, "svg")); elements["script"] > 0 {
			t.Errorf("drawing %d: a script element", i)
		}
		if _, err := graphviz.Layout(t.Context(), g.DOT(), "nop"); err != nil {
			t.Errorf("drawing %d: %v", i, err)
		}
	}
}

// TestLone: a network with one switch is drawn.
func TestLone(t *testing.T) {
	n := wire(1).build(2, 1, 1)
	h := mustHV(n, 0)

	for _, g := range []*Graph{HV(h, Options{}), ProhibitedTurns(model.NewTurnSet(n), h, Options{}), Load(n, nil, Options{}),
		PathsSideBySide(n, 0, 1, Ways{"a", []Path{arriving(n, 1, route(n, 0, 0))}}, Ways{}, h, Options{})} {
		render(t, g, "png")
	}
}
