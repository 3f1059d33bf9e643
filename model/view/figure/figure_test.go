package figure

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure/graphviz"
)

// Tests run Graphviz in this process, which is faster than building turnproof-layout.
func init() { LayOutWith(graphviz.Layout) }

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGoldenDOT(t *testing.T) {
	for _, d := range small() {
		t.Run(d.name, func(t *testing.T) {
			golden(t, d.name+".dot", []byte(d.g.DOT()))
		})
	}
}

// TestGoldenSVG compares drawings whose positions this package computes with golden files.
// Drawings laid out by Graphviz have no golden files, as they depend on its version.
func TestGoldenSVG(t *testing.T) {
	for _, d := range small() {
		if !slices.Contains([]string{"paths-lost", "cycle-two", "configuration-mesh3x3", "configuration-worms", "ranks-torus4x4", "network-joined",
			"hv-irregular9", "prohibited-torus4x4", "class-turns", "basic-cycles", "tdg-q1", "detected-irregular16", "load-torus4x4", "network-dragonfly",
			"network-hyperx", "network-chiplet"}, d.name) {
			continue
		}
		if !d.g.pinned() {
			t.Errorf("%s is not placed by ourselves", d.name)
		}
		golden(t, d.name+".svg", render(t, d.g, "svg"))
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and read the diff", file)
	}
}

func render(t testing.TB, g *Graph, format string) []byte {
	t.Helper()
	out, err := Render(context.Background(), g, format)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// content parses an SVG and returns the contents of its text and title elements, and the number of
// elements by name.
func content(t testing.TB, svg []byte) (texts, titles []string, elements map[string]int) {
	t.Helper()
	elements = make(map[string]int)
	d := xml.NewDecoder(bytes.NewReader(svg))
	var open []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			return texts, titles, elements
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			open = append(open, x.Name.Local)
			elements[x.Name.Local]++
			for _, a := range x.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" {
					t.Errorf("attribute %s on %s", a.Name.Local, x.Name.Local)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) == 0 {
				continue
			}
			switch open[len(open)-1] {
			case "text":
				texts = append(texts, string(x))
			case "title":
				titles = append(titles, string(x))
			}
		}
	}
}

// TestSVG: every drawing is well-formed and complete, and uses only the few elements that svg.go
// writes.
func TestSVG(t *testing.T) {
	for _, d := range small() {
		t.Run(d.name, func(t *testing.T) {
			texts, titles, elements := content(t, render(t, d.g, "svg"))
			all := strings.Join(texts, "\n")
			hovered := 0
			for _, n := range d.g.Nodes {
				if n.Shape != Point {
					hovered++
				}
				if len(n.Lines) > 0 && !strings.Contains(all, n.Lines[0]) {
					t.Errorf("label %q is missing", n.Lines[0])
				}
			}
			for _, r := range d.g.Legend.Rows {
				if !strings.Contains(all, r.Mark) {
					t.Errorf("mark %q is missing", r.Mark)
				}
			}
			if len(titles) < hovered+len(d.g.Arcs) {
				t.Errorf("%d tooltips for %d nodes and %d arcs", len(titles), hovered, len(d.g.Arcs))
			}
			for name := range elements {
				if !strings.Contains(" svg g title text polygon polyline path ellipse ", " "+name+" ") {
					t.Errorf("element %s", name)
				}
			}
		})
	}
}

// hostile are names that could break out of a label.
var hostile = []string{
	`"]; evil [label="x`, `\`, `a\`, `\N \G \E \l\r\n`, `</text><script>alert(1)</script>`, `<b>bold</b>`, `&lt;script&gt;`, `&#60;script&#62;`,
	"line\nbreak\ttab\x00nul\x1b[31m", "\xff\xfe broken", "日本語 ñ Ω", "\u202eright to left", "--> <!-- ", "]]>", `javascript:alert(1)`, "",
	strings.Repeat("long ", 500), "\ufffe\uffff\u0085", `%s %d %n`, `${x} $(y)`,
}

func hostileNetwork() *model.Network {
	b := model.NewBuilder()
	for i, s := range hostile {
		b.AddSwitch(model.Switch{Name: s})
		b.AddHost(model.Host{Name: s, Switch: model.SwitchID(i), Port: 3})
	}
	for i := range hostile {
		b.AddLink(model.SwitchID(i), 1, model.SwitchID((i+1)%len(hostile)), 2)
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	return n
}

// TestHostileLabels: names with any content stay text. The label of the first node must also
// appear unchanged.
func TestHostileLabels(t *testing.T) {
	n := hostileNetwork()
	walk := make([]int, len(hostile))
	for i := range walk {
		walk[i] = i
	}
	steps := aroundSteps(n, 1, walk...)
	for _, title := range hostile {
		svg := render(t, &Graph{Title: title, Notes: []string{title}, Legend: Legend{Head: []string{title}, Rows: []Row{{title, Blue, []string{title}}}},
			Nodes: []Node{{Name: title + "1", Lines: []string{title}, Tooltip: title}, {Name: "b", Lines: []string{"b"}}},
			Edges: []Edge{{From: 0, To: 1, Label: title, Badge: true, AtTo: title, Tooltip: title}, {From: 1, To: 1, Label: title}}}, "svg")
		texts, _, elements := content(t, svg)
		if elements["script"]+elements["b"]+elements["a"] > 0 {
			t.Errorf("%q: elements %v", title, elements)
		}
		if want := clean(title, maxLabel); strings.TrimSpace(want) != "" && !containsTrimmed(texts, want) {
			t.Errorf("%q is not shown as %q but as %q", title, want, texts)
		}
	}
	o := Options{Title: `</svg><script>`, VC: `<script>`, Hosts: HostsDrawn}
	for _, g := range []*Graph{Network(n, o), CycleOnNetwork(n, steps, o), Dependencies(n, allTurns(n), vcsOf(steps), o), Paths(n, 0, 2,
		[]Path{arriving(n, 2, route(n, 0, 0, 1, 2))}, o)} {
		if _, _, elements := content(t, render(t, g, "svg")); elements["script"] > 0 {
			t.Error("a script element")
		}
	}
}

func containsTrimmed(texts []string, want string) bool {
	for _, s := range texts {
		if strings.TrimSpace(strings.ReplaceAll(s, "\u00a0", " ")) == strings.TrimSpace(want) {
			return true
		}
	}
	return false
}

// TestDeterminism: drawing again gives the same bytes, also with concurrent calls.
func TestDeterminism(t *testing.T) {
	list := small()
	first := make([][]byte, len(list))
	for i, d := range list {
		first[i] = render(t, d.g, "svg")
	}
	var wg sync.WaitGroup
	for i, d := range small() {
		wg.Go(func() {
			if got, err := Render(context.Background(), d.g, "svg"); err != nil || !bytes.Equal(got, first[i]) {
				t.Errorf("%s differs the second time (%v)", d.name, err)
			}
		})
	}
	wg.Wait()
}

// TestPNG: a picture can be decoded, has a sensible size, and contains dark and coloured pixels,
// also where text is.
func TestPNG(t *testing.T) {
	n := ring(4, 2, 1)
	img, err := png.Decode(bytes.NewReader(render(t, CycleOnNetwork(n, aroundSteps(n, 1, 0, 1, 2, 3), Options{Title: "Cycle"}), "png")))
	if err != nil {
		t.Fatal(err)
	}
	ink, colored, total := 0, 0, 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			total++
			if r+g+b < 3*0x8000 {
				ink++
			}
			if max(r, g, b)-min(r, g, b) > 0x4000 {
				colored++
			}
		}
	}
	if total < 100_000 || ink < total/100 || ink > total/2 || colored < total/200 {
		t.Errorf("%d pixels, %d dark, %d coloured", total, ink, colored)
	}
}

// TestPDF: the file has one page of the requested width, with two embedded fonts, and the same
// bytes each time. The content of a label cannot break out of its text.
func TestPDF(t *testing.T) {
	n := ring(4, 2, 1)
	g := CycleOnNetwork(n, aroundSteps(n, 1, 0, 1, 2, 3), Options{Title: "Cycle → (ends) \\ %PDF"})
	g.Width = 240
	first := render(t, g, "pdf")
	for _, part := range []string{"%PDF-", "/MediaBox [0 0 240.00 ", "/FontFile2", "/ToUnicode", "%%EOF"} {
		if !bytes.Contains(first, []byte(part)) {
			t.Errorf("no %q", part)
		}
	}
	if fonts := bytes.Count(first, []byte("/FontFile2")); fonts != 2 || len(first) > 200_000 {
		t.Errorf("%d fonts, %d bytes", fonts, len(first))
	}
	if !bytes.Equal(first, render(t, g, "pdf")) {
		t.Error("other bytes the second time")
	}
	for _, d := range small() {
		if page := render(t, d.g, "pdf"); !bytes.HasPrefix(page, []byte("%PDF-")) || bytes.Count(page, []byte("/Type /Page\n")) != 1 {
			t.Errorf("%s: no page", d.name)
		}
	}
}

func TestRenderErrors(t *testing.T) {
	g := Network(ring(4, 1, 1), Options{})
	if _, err := Render(context.Background(), g, "gif"); err == nil || !strings.Contains(err.Error(), "svg") {
		t.Errorf("format gif: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Render(ctx, g, "svg"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	big := Network(irregular(maxLayoutNodes+1, 3, 0, 1), Options{})
	if _, err := Render(context.Background(), big, "svg"); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "dot") {
		t.Errorf("too large: %v", err)
	}
	// DOT text that Graphviz cannot read, or that makes it fail, is an error. Later layouts still
	// work.
	if _, err := graphviz.Layout(t.Context(), "digraph {", "neato"); err == nil {
		t.Error("broken DOT text is laid out")
	}
	if _, err := graphviz.Layout(t.Context(), "digraph { a -> b }", "nonsense"); err == nil {
		t.Error("an unknown layout program is no error")
	}
	render(t, g, "svg")
}

// TestDeadline: Render returns when ctx ends, although the layout continues, and the next call
// works.
func TestDeadline(t *testing.T) {
	g := Network(irregular(1500, 5, 1, 1), Options{})
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := Render(ctx, g, "svg"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: %v", err)
	}
	if d := time.Since(start); d > time.Second {
		t.Errorf("returned after %v", d)
	}
	render(t, Network(ring(3, 1, 1), Options{}), "svg")
}

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		name string
		n    *model.Network
		want int // number of levels; 0: not layered
	}{
		{"ring", ring(4, 1, 1), 0}, {"mesh", grid(3, 3, false), 0},
		{"leaf spine", leafSpine(8, 4, 1), 2}, {"fat tree", fatTree(4), 3}, {"no hosts", ring(3, 0, 1), 0},
		{"joined trees", joinedTrees(), 2}, // 4 of 68 links connect switches of one level
	} {
		cv := newCanvas(c.n, Options{}, nil, 0)
		top := 0
		for _, l := range cv.level {
			top = max(top, l+1)
		}
		if top != c.want {
			t.Errorf("%s: %d levels, want %d", c.name, top, c.want)
		}
	}
}

// TestPart: only a part of a large dependency graph is drawn, and a note says so.
func TestPart(t *testing.T) {
	n := grid(8, 8, true)
	steps := aroundSteps(n, 0, 0, 1, 2, 3, 4, 5, 6, 7)
	g := Dependencies(n, allTurns(n), vcsOf(steps), Options{MaxVertices: 20})
	if len(g.Nodes) != 20 {
		t.Errorf("%d vertices drawn", len(g.Nodes))
	}
	if notes := strings.Join(g.Notes, " "); !strings.Contains(notes, "256 vertices, 768 dependencies") || !strings.Contains(notes, "Left out: 236 vertices") {
		t.Error(notes)
	}
}

// TestAcyclicPart: of a large graph without a cycle, a longest chain is drawn. Every arrow leads
// to a higher level, and the drawn part is connected.
func TestAcyclicPart(t *testing.T) {
	n := grid(8, 8, false)
	g := Dependencies(n, xyTurns(n, 8), nil, Options{MaxVertices: 30})
	thick, joined := 0, make([]bool, len(g.Nodes))
	for _, e := range g.Edges {
		if e.Style == Hidden {
			continue
		}
		joined[e.From], joined[e.To] = true, true
		if g.Nodes[e.From].Level >= g.Nodes[e.To].Level {
			t.Errorf("%s → %s: level %d to %d", g.Nodes[e.From].Lines, g.Nodes[e.To].Lines, g.Nodes[e.From].Level, g.Nodes[e.To].Level)
		}
		if e.Color == Blue {
			thick++
		}
	}
	if thick != 13 {
		t.Errorf("a chain of %d dependencies, want 7 in x, 7 in y, less one", thick)
	}
	for i, n := range g.Nodes {
		if !joined[i] && n.Shape != Plain {
			t.Errorf("%s is not joined to anything", n.Lines)
		}
	}
	if notes := strings.Join(g.Notes, " "); !strings.Contains(notes, "longest chain") || !strings.Contains(notes, "higher level") {
		t.Error(notes)
	}
}

// TestPathEnds: only a path that ends on the ejection channel of its destination is drawn to the
// host. Other paths end in an octagon with the reason.
func TestPathEnds(t *testing.T) {
	n := grid(3, 3, false)
	all := lostPaths(n)
	for i, want := range []string{"delivered", "dropped at S7", "wrong host: H5", "loops for ever at S0", "no service level"} {
		g := Paths(n, 0, 8, all[i:i+1], Options{})
		if got := g.Legend.Rows[0].Cells[2]; got != want {
			t.Errorf("path %d: %q, want %q", i, got, want)
		}
		into, octagons := 0, 0
		for _, e := range g.Edges {
			if e.Arrow && g.Nodes[e.To].Lines[0] == "H8" {
				into++
			}
		}
		for _, x := range g.Nodes {
			if x.Shape == Octagon {
				octagons++
			}
		}
		if arrived := i == 0; (into == 1) != arrived || (octagons == 0) != arrived || strings.Contains(strings.Join(g.Notes, " "), "NOT") == arrived {
			t.Errorf("%s: %d arrows into the destination, %d octagons, notes %q", want, into, octagons, g.Notes)
		}
	}
	if g := Paths(n, 0, 8, all, Options{}); !strings.Contains(strings.Join(g.Notes, " "), "4 of 5 do NOT arrive") {
		t.Error(g.Notes)
	}
}

// TestAround: neighbours in a circle of any length have different colours.
func TestAround(t *testing.T) {
	for of := 2; of < 40; of++ {
		for i := range of {
			a, _ := aroundAt(i, of)
			if b, _ := aroundAt((i+1)%of, of); a == b {
				t.Errorf("%d of %d and the next are both %s", i+1, of, a)
			}
		}
	}
}

// TestColours: no two of many packets or series have the same colour.
func TestColours(t *testing.T) {
	seen, inCircle := map[Color]int{}, map[Color]int{}
	for i := range 56 {
		series, _ := SeriesAt(i)
		packet, _ := aroundAt(i, 57)
		if k, twice := seen[series]; twice {
			t.Errorf("series %d and %d are both %s", k, i, series)
		}
		if k, twice := inCircle[packet]; twice {
			t.Errorf("packets %d and %d are both %s", k, i, packet)
		}
		if ink := packet.ink(); (max(ink.luminance(), packet.luminance())+0.05)/(min(ink.luminance(), packet.luminance())+0.05) < 3.4 {
			t.Errorf("%s on %s cannot be read", ink, packet)
		}
		seen[series], inCircle[packet] = i, i
	}
	for of := 2; of <= 57; of++ {
		used := map[Color]int{}
		for i := range of {
			c, _ := aroundAt(i, of)
			if k, twice := used[c]; twice {
				t.Errorf("packets %d and %d of %d are both %s", k+1, i+1, of, c)
			}
			used[c] = i
		}
	}
}

// TestClear: lines do not cross other nodes, and labels do not overlap nodes or each other.
func TestClear(t *testing.T) {
	for _, d := range small() {
		if !d.g.pinned() || d.g.Layout == Straight || strings.HasPrefix(d.name, "cdg") {
			continue
		}
		p, err := d.g.place(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		s := newSheet(d.g, p)
		s.lines()
		s.labels()
		for i, e := range d.g.Edges {
			for _, q := range s.runs[i].c.samples(60) {
				for k := range d.g.Nodes {
					if k != e.From && k != e.To && s.within(k)(q) {
						t.Errorf("%s: the line %s → %s runs through %s", d.name, d.g.Nodes[e.From].Lines, d.g.Nodes[e.To].Lines, d.g.Nodes[k].Lines)
					}
				}
			}
		}
		for i, m := range s.marks {
			for k, at := range p.at {
				if meet(m.at, m.half, at, p.half[k]) {
					t.Errorf("%s: label %s is on %s", d.name, m.text, d.g.Nodes[k].Lines)
				}
			}
			for _, o := range s.marks[:i] {
				if meet(m.at, m.half, o.at, o.half) {
					t.Errorf("%s: labels %s and %s overlap", d.name, m.text, o.text)
				}
			}
		}
	}
}

// meet reports whether two boxes overlap by more than a small tolerance.
func meet(a, ha, b, hb point) bool {
	return math.Abs(a.x-b.x) < ha.x+hb.x-1 && math.Abs(a.y-b.y) < ha.y+hb.y-1
}

// TestLarge: large networks are drawn quickly, in a shape that fits a screen.
func TestLarge(t *testing.T) {
	for _, c := range []struct {
		name string
		n    *model.Network
	}{{"irregular, 400 switches", irregular(400, 5, 2, 3)}, {"fat tree, 720 switches", fatTree(24)}} {
		if c.n.NumSwitches() > 400 && !longtest.On() {
			continue
		}
		img, err := png.DecodeConfig(bytes.NewReader(render(t, Network(c.n, Options{}), "png")))
		if err != nil {
			t.Fatal(err)
		}
		if w, h := img.Width, img.Height; w > 4000 || h > 4000 || w > 3*h || h > 3*w {
			t.Errorf("%s: %d × %d pixels", c.name, w, h)
		}
	}
}

// TestConfiguration compares the lines of drawings with the packets: a numbered line for each channel held, the colour of a
// packet for each switch inside it, a dotted line for each channel waited for. The legend names the holders.
func TestConfiguration(t *testing.T) {
	m3, m4, t44 := grid(3, 3, false), grid(4, 4, false), grid(4, 4, true).WithVCs(2)
	for _, c := range []struct {
		n                   *model.Network
		packets             []Worm
		held, dotted, inner int
		note, waits         string // a note, and what packet 1 waits for
	}{
		{m3, knot(m3), 7, 9, 0, "A dotted line alone", "2, 5"},
		{m4, worms(m4), 12, 4, 8, "none of them can move", "2"},
		{t44, knotVCs(t44), 8, 8, 0, "none of them can move", "3, 4"},
	} {
		g := Configuration(c.n, c.packets, Options{})
		held, dotted := map[string]int{}, 0
		color := map[string]Color{}
		for _, e := range g.Edges {
			switch {
			case e.Label != "" && e.Badge:
				held[e.Label]++
				if was := color[e.Label]; was != "" && was != e.Color {
					t.Errorf("packet %s is %s and %s", e.Label, was, e.Color)
				}
				color[e.Label] = e.Color
			case e.Style == Dotted:
				dotted++
			}
		}
		lines, inner := 0, 0
		for _, x := range g.Nodes {
			if slices.Contains(around, x.Stroke) {
				inner++
			}
		}
		for i, p := range c.packets {
			links := 0
			for _, v := range p.Holds {
				if c.n.IsLinkVC(v) {
					links++
				}
			}
			lines += links
			if held[strconv.Itoa(i+1)] != links {
				t.Errorf("packet %d has %d lines, want %d", i+1, held[strconv.Itoa(i+1)], links)
			}
		}
		if lines != c.held || dotted != c.dotted || inner != c.inner || !strings.Contains(strings.Join(g.Notes, " "), c.note) {
			t.Errorf("%d channels held, %d dotted, %d switches inside, %q", lines, dotted, inner, g.Notes)
		}
		if row := g.Legend.Rows[0].Cells; row[2] != c.waits {
			t.Errorf("packet 1 waits for %q, want %q", row[2], c.waits)
		}
	}
	if row := Configuration(m4, worms(m4), Options{}).Legend.Rows[1].Cells; row[0] != "H3 → H13" || row[1] != "S3 → S7 → S11 → S15" {
		t.Errorf("%q", row)
	}
	free := knot(m3)
	if row := Configuration(m3, free, Options{}).Legend.Rows[6].Cells; row[2] != "3, free: S4 port 1 → S1 port 3" {
		t.Errorf("%q", row)
	}
	if g := Configuration(m3, nil, Options{}); len(g.Legend.Rows)+len(g.Notes) != 0 {
		t.Error("a deadlock of no packets")
	}
}

// TestRanks: every VC with a rank shows its number, and other VCs show none.
func TestRanks(t *testing.T) {
	n := grid(4, 4, true).WithVCs(2)
	g := Ranks(n, counted(n, func(v int) bool { return v%2 == 0 }), Options{})
	numbered := 0
	for _, e := range g.Edges {
		if e.Label != "" {
			numbered++
		}
	}
	if len(g.Edges) != n.NumLinkVCs() || numbered != n.NumLinkVCs()/2 {
		t.Errorf("%d arrows, %d with a number", len(g.Edges), numbered)
	}
}

func TestCompareNames(t *testing.T) {
	for _, c := range [][2]string{{"S9", "S10"}, {"leaf-2", "leaf-10"}, {"a", "b"}, {"a", "a1"}, {"r1s2", "r1s11"}} {
		if compareNames(c[0], c[1]) >= 0 || compareNames(c[1], c[0]) <= 0 {
			t.Errorf("%s is not before %s", c[0], c[1])
		}
	}
}
