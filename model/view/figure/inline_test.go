package figure

import (
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestInline: the drawing for a page has every switch, link and host cable with its key. It has no
// IDs and no heading, and otherwise equals the drawing of a file.
func TestInline(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	g := Network(n, Options{Title: "title", Position: func(u model.SwitchID) (x, y float64, ok bool) { return float64(u % 3), float64(u / 3), true }})
	svg, err := Inline(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	var keys []string
	for _, m := range regexp.MustCompile(`data-key="([^"]*)"`).FindAllStringSubmatch(string(svg), -1) {
		keys = append(keys, m[1])
	}
	if want := n.NumSwitches() + n.NumLinks() + 2*n.NumHosts(); len(keys) != want {
		t.Errorf("%d keys, want %d: %q", len(keys), want, keys)
	}
	for _, key := range []string{"s0", "s8", "l0", "l11", "h8", "a8"} {
		if !slices.Contains(keys, key) {
			t.Errorf("nothing is called %s", key)
		}
	}
	if strings.Contains(string(svg), " id=") || strings.Contains(string(svg), ">title<") || !strings.HasPrefix(string(svg), "<svg ") {
		t.Errorf("%.300s", svg)
	}
	if g.Title != "title" || len(g.Notes) == 0 {
		t.Error("the graph was changed")
	}
	file, err := Render(t.Context(), g, "svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, element := range []string{"<path ", "<polygon ", "<ellipse ", "<title>"} {
		extra := map[string]int{"<polygon ": 1, "<title>": 1}[element] // the background and the title
		if a, b := strings.Count(string(svg), element), strings.Count(string(file), element); a+extra != b {
			t.Errorf("%s: %d, in a file %d", element, a, b)
		}
	}
}

// TestFocus: of a large network only the switches in focus are drawn, with the links between them.
func TestFocus(t *testing.T) {
	n, err := topo.Parse("mesh:9x9")
	if err != nil {
		t.Fatal(err)
	}
	c := n.Out(0)
	var focus []model.VCID
	for _, ch := range c {
		if n.Kind(ch) == model.SwitchToSwitch {
			focus = append(focus, n.VC(ch, 0))
		}
	}
	for name, g := range map[string]*Graph{"network": Network(n, Options{Focus: focus}), "load": Load(n, make([]float64, n.NumLinkChannels()),
		Options{Focus: focus})} {
		if len(g.Nodes) != 3 || !strings.Contains(strings.Join(g.Notes, " "), "Drawn: 3 of 81 switches") {
			t.Errorf("%s: %d nodes, %q", name, len(g.Nodes), g.Notes)
		}
		if want := map[string]int{"network": 2, "load": 4}[name]; len(g.Edges) != want {
			t.Errorf("%s: %d lines, want %d", name, len(g.Edges), want)
		}
	}
	if g := Network(n, Options{Focus: focus, MaxSwitches: 81}); len(g.Nodes) != 81 {
		t.Errorf("%d of 81 switches, which are no more than MaxSwitches", len(g.Nodes))
	}
}
