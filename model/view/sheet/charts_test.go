package sheet

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// leastOnPaper is how small type may be in the column of a paper, in points.
const leastOnPaper = 6.0

// word is a text of a chart that lies level, in points of the drawing before it is scaled.
type word struct {
	text           string
	x0, x1, y0, y1 float64
}

// readChart returns the level texts of an SVG of gonum's, the size of the smallest type on
// paper, and the width of the drawing.
func readChart(t *testing.T, svg []byte) (words []word, least, width float64) {
	t.Helper()
	scale, rotated := 1.0, 0
	least = math.Inf(1)
	d := xml.NewDecoder(bytes.NewReader(svg))
	var at *xml.StartElement
	attr := func(e *xml.StartElement, name string) string {
		for _, a := range e.Attr {
			if a.Name.Local == name {
				return a.Value
			}
		}
		return ""
	}
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "pt"), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	scaled, turned := regexp.MustCompile(`^scale\(([\d.]+),`), regexp.MustCompile(`^rotate`)
	sized := regexp.MustCompile(`font-size:([\d.]+)px`)
	var groups []bool // is it a rotated one?
	for {
		token, err := d.Token()
		if err == io.EOF {
			return words, least, width / scale
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			switch x.Name.Local {
			case "svg":
				width = number(attr(&x, "width"))
			case "g":
				how := attr(&x, "transform")
				if m := scaled.FindStringSubmatch(how); m != nil && m[1] != "1" {
					scale = number(m[1])
				}
				groups = append(groups, turned.MatchString(how))
				if turned.MatchString(how) {
					rotated++
				}
			case "text":
				x := x.Copy()
				at = &x
			}
		case xml.EndElement:
			if x.Name.Local == "g" {
				if groups[len(groups)-1] {
					rotated--
				}
				groups = groups[:len(groups)-1]
			}
		case xml.CharData:
			if at == nil {
				continue
			}
			size := number(sized.FindStringSubmatch(attr(at, "style"))[1])
			least = min(least, size*scale)
			if rotated == 0 {
				w := TextStyle(size).Rectangle(string(x)).Size().X.Points()
				left, y := number(attr(at, "x")), number(attr(at, "y"))
				words = append(words, word{string(x), left, left + w, y - 0.72*size, y})
			}
			at = nil
		}
	}
}

func checkChart(t *testing.T, name string, svg []byte) {
	t.Helper()
	words, least, width := readChart(t, svg)
	if least < leastOnPaper || len(words) < 3 {
		t.Errorf("%s: %d texts, type of %.2f points", name, len(words), least)
	}
	for i, a := range words {
		if a.x0 < 0 || a.x1 > width {
			t.Errorf("%s: %q leaves the page", name, a.text)
		}
		for _, b := range words[:i] {
			if min(a.x1, b.x1)-max(a.x0, b.x0) > 0.5 && min(a.y1, b.y1)-max(a.y0, b.y0) > 0.5 {
				t.Errorf("%s: %q and %q overlap", name, a.text, b.text)
			}
		}
	}
}

// TestColumn: charts in the column of a paper are legible, with long titles, large numbers
// and many names.
func TestColumn(t *testing.T) {
	names := []string{"dimension order", "a routing of a longer name", "short", "yet another one"}
	lines := &Lines{Title: "A title that is by far too long for one line, or even two, of so narrow a column of a paper", XTitle: "clocks", YTitle: "flits", Names: names, Ideal: "all that is asked for"}
	bars := &Bars{Title: "bars", YTitle: "clocks", Groups: []string{"trns", "shfl", "bcmp", "brev", "brot", "torn", "rpar"}, Names: names}
	cloud := &Cloud{Title: "cloud", XTitle: "x", YTitle: "y", Names: names, Diagonal: true}
	for i := range names {
		var points []Point
		var values []float64
		for k := range 7 {
			points = append(points, Point{X: float64(k) * 4000, Y: float64(i + k), Error: 0.5})
			values = append(values, float64(100000*i+k))
		}
		lines.Points, bars.Values = append(lines.Points, points), append(bars.Values, values)
		cloud.Points = append(cloud.Points, plotter.XYs{{X: 20000, Y: 1e-4 * float64(i)}})
	}
	for name, c := range map[string]Chart{"lines": lines, "bars": bars, "cloud": cloud} {
		var first, second bytes.Buffer
		for _, b := range []*bytes.Buffer{&first, &second} {
			if _, err := WriteCharts(b, "svg", Layout{Width: 85}, []Chart{c}); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) || !strings.Contains(first.String(), `width="240.94pt"`) {
			t.Errorf("%s: not the same twice, or not 85 mm wide", name)
		}
		checkChart(t, name, first.Bytes())
	}
}

// TestBroken checks that a title broken into lines keeps all its words.
func TestBroken(t *testing.T) {
	title := "one two three four five six seven eight nine ten"
	got := broken(title, 100)
	if lines := strings.Split(got, "\n"); len(lines) < 3 || strings.Join(lines, " ") != title {
		t.Errorf("%q", got)
	}
	for _, line := range strings.Split(got, "\n") {
		if w := TextStyle(11).Rectangle(line).Size().X; w > vg.Length(100) {
			t.Errorf("%q is %v wide", line, w)
		}
	}
}

// TestPaperCharts is TestColumn for the charts of the papers.
func TestPaperCharts(t *testing.T) {
	files, _ := filepath.Glob("../../../docs/papers/*/figure-*.svg")
	read := 0
	for _, file := range files {
		svg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(svg, []byte("Plotinum")) {
			read++
			checkChart(t, file, svg)
		}
	}
	if read < 13 {
		t.Errorf("%d charts", read)
	}
}
