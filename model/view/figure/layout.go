package figure

// This file computes a position for every node. If all nodes have positions, they are used at any
// size. Otherwise Graphviz is run (see layoutrun) with boxes and lines only. Text, arrowheads and
// colours are drawn by this package.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/view/figure/layoutrun"
)

// Sizes above which a layout takes minutes or exhausts the 32-bit memory of WebAssembly, measured
// with BenchmarkRender.
const (
	maxLayoutNodes = 2500
	maxLayoutEdges = 12000
)

// ErrTooLarge is returned, wrapped, for a graph that is too large for a layout.
var ErrTooLarge = errors.New("too large to lay out")

// ErrNoLayout is returned, wrapped, if the program turnproof-layout is missing.
var ErrNoLayout = layoutrun.ErrMissing

// LayoutFunc lays out DOT text with a program of Graphviz, such as neato, and returns
// Graphviz's plain format.
type LayoutFunc func(ctx context.Context, dot, program string) ([]byte, error)

// layOut is the current LayoutFunc.
var layOut LayoutFunc = layoutrun.Layout

// LayOutWith replaces turnproof-layout, for example with graphviz.Layout, which needs no
// second program. Call it before the first Render.
func LayOutWith(f LayoutFunc) { layOut = f }

func (g *Graph) place(ctx context.Context) (*placement, error) {
	if g.base != nil && !g.anyPinned() {
		p, err := g.base.place(ctx)
		if err != nil {
			return nil, err
		}
		alike := *g
		alike.pinLike(g.base, p)
		g = &alike
	}
	if g.anyPinned() {
		seated := *g
		seated.seat()
		g = &seated
	}
	p := &placement{at: make([]point, len(g.Nodes)), half: make([]point, len(g.Nodes)), splines: make(map[int]curve), scale: point{1, 1}}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		p.at[i], p.half[i] = point{n.X * 72, -n.Y * 72}, n.half()
	}
	if g.pinned() || len(g.Nodes) == 0 {
		return p, nil
	}
	if v, e := len(g.Nodes), len(g.Edges); v > maxLayoutNodes || e > maxLayoutEdges {
		return nil, fmt.Errorf("%d nodes and %d lines are %w (limits %d and %d); ask for format dot and lay it out with sfdp",
			v, e, ErrTooLarge, maxLayoutNodes, maxLayoutEdges)
	}
	plain, err := layOut(ctx, g.boxes(p.half), g.program())
	if err != nil {
		return nil, fmt.Errorf("graphviz %s: %w", g.program(), err)
	}
	if err := g.readPlain(plain, p); err != nil {
		return nil, err
	}
	if g.Layout == Spread {
		g.separate(p)
	}
	return p, nil
}

// separate moves overlapping or nearly overlapping nodes apart, each time along the axis on which
// they overlap less, and by the smallest distance. Nodes with a given position do not move. The
// methods of Graphviz enlarge the drawing too much or lose its shape.
func (g *Graph) separate(p *placement) {
	const rounds = 400
	space := 16 + g.air
	for round := range rounds {
		moved := false
		for i := range p.at {
			for j := range i {
				d := p.at[i].sub(p.at[j])
				x := p.half[i].x + p.half[j].x + space - math.Abs(d.x)
				y := p.half[i].y + p.half[j].y + space - math.Abs(d.y)
				if x <= 0.01 || y <= 0.01 || g.Nodes[i].Pinned && g.Nodes[j].Pinned {
					continue
				}
				moved = true
				push := point{math.Copysign(x, d.x), 0}
				// Sometimes use the other axis, for nodes between two fixed ones.
				if y < x != (round > 50 && round%9 == 0) {
					push = point{0, math.Copysign(y, d.y)}
				}
				switch {
				case g.Nodes[i].Pinned:
					p.at[j] = p.at[j].sub(push)
				case g.Nodes[j].Pinned:
					p.at[i] = p.at[i].add(push)
				default:
					p.at[i], p.at[j] = p.at[i].add(push.times(0.5)), p.at[j].sub(push.times(0.5))
				}
			}
		}
		if !moved {
			return
		}
	}
}

// boxes returns the DOT text from which Graphviz computes positions.
func (g *Graph) boxes(half []point) string {
	var b strings.Builder
	a := g.layoutAttrs()
	fmt.Fprintf(&b, "digraph {\n  graph %s;\n  node [shape=box fixedsize=true label=\"\"];\n  edge [dir=none];\n", &a)
	for i := range g.Nodes {
		var a attrs
		a.num("width", half[i].x/36)
		a.num("height", half[i].y/36)
		g.pos(&a, i)
		fmt.Fprintf(&b, "  n%d %s;\n", i, &a)
	}
	b.WriteString(g.sameRanks("n"))
	joined := make(map[[2]int]bool)
	for i := range g.Edges {
		e := &g.Edges[i]
		pair := [2]int{min(e.From, e.To), max(e.From, e.To)}
		if g.Layout != Flow && joined[pair] {
			continue
		}
		joined[pair] = true
		a := g.pull(e)
		fmt.Fprintf(&b, "  n%d -> n%d %s;\n", e.From, e.To, &a)
	}
	b.WriteString("}\n")
	return b.String()
}

// readPlain reads Graphviz's plain format: a line for each node and edge, lengths in inches, y
// upwards.
func (g *Graph) readPlain(plain []byte, p *placement) error {
	lines := make(map[[2]int][]int) // edges by their ends, in order
	for i, e := range g.Edges {
		lines[[2]int{e.From, e.To}] = append(lines[[2]int{e.From, e.To}], i)
	}
	found := 0
	for line := range strings.Lines(string(plain)) {
		f := strings.Fields(line)
		switch {
		case len(f) > 4 && f[0] == "node":
			at, err := plainPoints(f[2:4])
			i, bad := strconv.Atoi(strings.TrimPrefix(f[1], "n"))
			if err != nil || bad != nil || i < 0 || i >= len(p.at) {
				return fmt.Errorf("graphviz: line %.60q is not understood", line)
			}
			p.at[i] = at[0]
			found++
		case len(f) > 4 && f[0] == "edge" && g.Layout == Flow:
			from, _ := strconv.Atoi(strings.TrimPrefix(f[1], "n"))
			to, _ := strconv.Atoi(strings.TrimPrefix(f[2], "n"))
			k, _ := strconv.Atoi(f[3])
			pair := [2]int{from, to}
			if k < 4 || k%3 != 1 || len(f) < 4+2*k || len(lines[pair]) == 0 {
				return fmt.Errorf("graphviz: line %.60q is not understood", line)
			}
			c, err := plainPoints(f[4 : 4+2*k])
			if err != nil {
				return fmt.Errorf("graphviz: %w", err)
			}
			p.splines[lines[pair][0]] = c
			lines[pair] = lines[pair][1:]
		}
	}
	if found < len(p.at) {
		return fmt.Errorf("graphviz: %d of %d nodes were given a place", found, len(p.at))
	}
	return nil
}

func plainPoints(f []string) (curve, error) {
	v, err := numbers(strings.Join(f, " "))
	if err != nil {
		return nil, err
	}
	c := make(curve, len(v)/2)
	for i := range c {
		c[i] = point{v[2*i] * 72, -v[2*i+1] * 72}
	}
	return c, nil
}

// numbers parses numbers separated by blanks or commas.
func numbers(s string) ([]float64, error) {
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' })
	at := make([]float64, len(fields))
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, err
		}
		at[i] = v
	}
	return at, nil
}
