package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// This file reads SVGs and checks the positions of their parts. It shares no code with the drawing
// and knows only the names of its layers.

// box is the area of a text, a node or a badge.
type box struct {
	x0, y0, x1, y1 float64
	what           string
}

// meets reports whether two boxes overlap by more than hair.
func (b box) meets(o box, hair float64) bool {
	return min(b.x1, o.x1)-max(b.x0, o.x0) > hair && min(b.y1, o.y1)-max(b.y0, o.y0) > hair
}

func (b box) holds(x, y float64) bool { return x > b.x0 && x < b.x1 && y > b.y0 && y < b.y1 }

// picture is a parsed SVG: its texts, and the shapes of its nodes.
type picture struct {
	width, high float64 // size of the view
	scale       float64 // points on paper of a point of the view
	texts       []box   // in the order of the file
	layers      []string
	nodes       []box
	least       float64 // size of the smallest text on paper, in points
}

// readPicture parses an SVG of this package. The width of a text is that in the widest font that
// measure.go knows, minus a tenth, since most viewers have narrower fonts.
func readPicture(t *testing.T, svg []byte) *picture {
	t.Helper()
	p := &picture{least: math.Inf(1)}
	d := xml.NewDecoder(bytes.NewReader(svg))
	var open []string
	layer := ""
	var text map[string]string
	num := func(m map[string]string, k string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSuffix(m[k], "pt"), 64)
		if err != nil {
			t.Fatalf("%s=%q", k, m[k])
		}
		return v
	}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return p
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			m := map[string]string{}
			for _, a := range x.Attr {
				m[a.Name.Local] = a.Value
			}
			open = append(open, x.Name.Local)
			switch x.Name.Local {
			case "svg":
				view := strings.Fields(m["viewBox"])
				p.width, _ = strconv.ParseFloat(view[2], 64)
				p.high, _ = strconv.ParseFloat(view[3], 64)
				p.scale = num(m, "width") / p.width
			case "g":
				if m["id"] != "" {
					layer = m["id"]
				}
			case "text":
				text = m
			case "ellipse":
				if layer == "nodes" {
					p.nodes = append(p.nodes, box{num(m, "cx") - num(m, "rx"), num(m, "cy") - num(m, "ry"), num(m, "cx") + num(m, "rx"), num(m, "cy") + num(m, "ry"), "node"})
				}
			case "polygon":
				if layer == "nodes" {
					p.nodes = append(p.nodes, polygonBox(t, m["points"]))
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if text == nil || len(open) == 0 || open[len(open)-1] != "text" {
				continue
			}
			size := num(text, "font-size")
			w := 0.9 * textWidth(string(x), size, text["font-weight"] == "bold")
			at, y := num(text, "x"), num(text, "y")
			left := at - map[string]float64{"start": 0, "middle": 0.5, "end": 1}[text["text-anchor"]]*w
			p.texts = append(p.texts, box{left, y - 0.72*size, left + w, y + 0.05*size, string(x)})
			p.layers = append(p.layers, layer)
			p.least = min(p.least, size*p.scale)
			text = nil
		}
	}
}

func polygonBox(t *testing.T, points string) box {
	t.Helper()
	at, err := numbers(points)
	if err != nil {
		t.Fatal(err)
	}
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1), "node"}
	for i := 0; i < len(at); i += 2 {
		b.x0, b.x1, b.y0, b.y1 = min(b.x0, at[i]), max(b.x1, at[i]), min(b.y0, at[i+1]), max(b.y1, at[i+1])
	}
	return b
}

// overlaps lists the texts that overlap each other, exceed the picture, or are on a node to which
// they do not belong.
func (p *picture) overlaps() (list []string) {
	const hair = 1
	for i, a := range p.texts {
		if a.x0 < 0 || a.x1 > p.width || a.y0 < 0 || a.y1 > p.high {
			list = append(list, fmt.Sprintf("%q leaves the picture", a.what))
		}
		for j, b := range p.texts[:i] {
			if a.meets(b, hair) {
				list = append(list, fmt.Sprintf("%q and %q", a.what, p.texts[j].what))
			}
		}
		for _, n := range p.nodes {
			if own := p.layers[i] == "nodes" && n.holds((a.x0+a.x1)/2, (a.y0+a.y1)/2); !own && a.meets(n, hair) {
				list = append(list, fmt.Sprintf("%q and a node", a.what))
			}
		}
	}
	for i, a := range p.nodes {
		for _, b := range p.nodes[:i] {
			if a.meets(b, hair) {
				list = append(list, fmt.Sprintf("two nodes at %.0f,%.0f", a.x0, a.y0))
			}
		}
	}
	return list
}

// leastOnPaper is the smallest legible text in the column of a paper.
const leastOnPaper = 6.0 // points

// TestPapers: in the pictures for papers, no text overlaps another text or a node or exceeds the
// picture, and all texts are legible.
func TestPapers(t *testing.T) {
	files, err := filepath.Glob("../../../docs/papers/*/figure-*.svg")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d pictures, %v", len(files), err)
	}
	read := 0
	for _, file := range files {
		svg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(svg, []byte(`<g id="nodes">`)) {
			continue // skip charts
		}
		read++
		p := readPicture(t, svg)
		for _, o := range p.overlaps() {
			t.Errorf("%s: %s", file, o)
		}
		if p.least < leastOnPaper {
			t.Errorf("%s: type of %.2f points", file, p.least)
		}
	}
	if read < 40 {
		t.Errorf("%d pictures were read", read)
	}
}

// TestOverlaps: no texts overlap in drawings of all kinds, for a screen and for a column.
func TestOverlaps(t *testing.T) {
	for _, d := range small() {
		for _, width := range []float64{0, 240} {
			g := *d.g
			g.Width = width
			p := readPicture(t, render(t, &g, "svg"))
			if list := p.overlaps(); len(list) > 0 {
				t.Errorf("%s, %g points wide: %q", d.name, width, list)
			}
		}
	}
}

// TestOverlapsAnywhere: no texts overlap in random networks drawn for a column, with positions by
// Graphviz or by this package.
func TestOverlapsAnywhere(t *testing.T) {
	for seed := range uint64(12) {
		for _, n := range []*model.Network{irregular(8+2*int(seed), 3, 1, seed), grid(2+int(seed)%5, 3+int(seed)%3, seed%2 == 0)} {
			for _, o := range []Options{{Brief: true, Hosts: HostsHidden}, {Brief: true, Hosts: HostsCounted}} {
				g := Network(n, o)
				g.Width = 240
				if list := readPicture(t, render(t, g, "svg")).overlaps(); len(list) > 0 {
					t.Errorf("seed %d, %d switches: %q", seed, n.NumSwitches(), list)
				}
			}
		}
	}
}

// TestOverlapIsSeen: the checks above find overlaps in pictures that have some.
func TestOverlapIsSeen(t *testing.T) {
	node := func(name string, x float64) Node { return Node{Name: name, Lines: []string{name}, Pinned: true, X: x} }
	apart := &Graph{Nodes: []Node{node("left", 0), node("right", 2)}}
	if p := readPicture(t, render(t, apart, "svg")); len(p.overlaps()) > 0 || len(p.texts) != 2 || len(p.nodes) != 2 {
		t.Errorf("%q of %d texts and %d nodes", p.overlaps(), len(p.texts), len(p.nodes))
	}
	near := &Graph{Nodes: []Node{node("left", 0), node("right", 0.2)}}
	if list := readPicture(t, render(t, near, "svg")).overlaps(); !slices.Contains(list, `"right" and "left"`) {
		t.Errorf("%q", list)
	}
}
