package sheet

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestLegend: names in the legend of a page do not overlap, and all are on the page. Positions are
// those of the texts in the SVG, widths those of the font.
func TestLegend(t *testing.T) {
	size := regexp.MustCompile(`<svg width="([\d.]+)pt" height="([\d.]+)pt"`)
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.OneOf(rapid.StringMatching(`[abcW1:,]{1,40}`), rapid.StringMatching(`[bW]{60,120}`)), 1, 12, rapid.ID).Draw(t, "names")
		c := &Lines{Title: "t", Names: names, Points: make([][]Point, len(names))}
		if rapid.Bool().Draw(t, "ideal") {
			c.Ideal = "ideal"
			names = append([]string{"ideal"}, names...)
		}
		var b bytes.Buffer
		if _, err := WriteCharts(&b, "svg", Layout{}, []Chart{c}); err != nil {
			t.Fatal(err)
		}
		page := size.FindStringSubmatch(b.String())
		if page == nil {
			t.Fatalf("no size in %.300s", b.String())
		}
		width, height := number(t, page[1]), number(t, page[2])
		type box struct{ left, right, y float64 }
		var boxes []box
		for _, name := range names {
			m := regexp.MustCompile(`<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>` + regexp.QuoteMeta(name) + `</text>`).FindStringSubmatch(b.String())
			if m == nil {
				t.Fatalf("no text %q", name)
			}
			x, y := number(t, m[1]), number(t, m[2])
			boxes = append(boxes, box{x, x + TextStyle(9).Rectangle(name).Size().X.Points(), y})
		}
		for i, a := range boxes {
			if a.left < 0 || a.right > width || a.y > height && -a.y > height {
				t.Fatalf("%q at %v is outside of the page of %v x %v", names[i], a, width, height)
			}
			for k, other := range boxes[:i] {
				if a.y == other.y && a.left < other.right && other.left < a.right {
					t.Fatalf("%q and %q overlap: %v, %v", names[i], names[k], a, other)
				}
			}
		}
	})
}

func number(t *rapid.T, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
