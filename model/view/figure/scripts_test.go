package figure_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/view/figure"
)

// TestScripts: a picture shows names in Latin, Greek and Cyrillic letters. RenderLacking returns
// all texts with other characters.
func TestScripts(t *testing.T) {
	shown := []string{"Zürich", "Коммутатор", "Αθήνα", "s1/2"}
	boxed := []string{"東京", "مفتاح", "sw🚀", "한국", "ก"}
	g := &figure.Graph{}
	for _, name := range slices.Concat(shown, boxed) {
		g.Nodes = append(g.Nodes, figure.Node{Name: name, Lines: []string{name}})
	}
	for format, want := range map[string][]string{"svg": nil, "dot": nil, "png": boxed, "pdf": boxed} {
		picture, lacking, err := figure.RenderLacking(t.Context(), g, format)
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		slices.Sort(lacking)
		if !slices.Equal(lacking, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %q cannot be shown, want %q", format, lacking, want)
		}
		again, err := figure.Render(t.Context(), g, format)
		if err != nil || !bytes.Equal(picture, again) {
			t.Errorf("%s: another picture, error %v", format, err)
		}
		if format == "svg" && !strings.Contains(string(picture), "東京") {
			t.Error("the SVG lacks a name")
		}
	}
}
