package sweep

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/view/sheet"
)

// TestPanels: several traffics have a panel each, with the same axes, and one legend.
func TestPanels(t *testing.T) {
	for _, traffics := range [][]string{{"uniform", "transpose"}, {"uniform", "transpose", "tornado", "shuffle", "bit-reversal"}} {
		curves := Curves(queue([]string{"dor", "duato", "minimal"}, traffics, 1))
		for name, write := range map[string]func(*bytes.Buffer) error{
			"latency":    func(b *bytes.Buffer) error { _, err := WriteLatency(b, "svg", curves, Drawing{}); return err },
			"throughput": func(b *bytes.Buffer) error { _, err := WriteThroughput(b, "svg", curves, Drawing{}); return err },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			count := func(text string) int { return strings.Count(b.String(), ">"+text+"<") }
			for _, once := range append([]string{"torus:8x8,vcs=2", "dor", "duato", "minimal", "a run froze in deadlock"}, traffics...) {
				if count(once) != 1 {
					t.Errorf("%s of %d traffics: %q is there %d times", name, len(traffics), once, count(once))
				}
			}
			ticks := map[string]int{} // number of panels that have a tick, by its label
			for _, m := range regexp.MustCompile(`>([\d.]+)</text>`).FindAllStringSubmatch(b.String(), -1) {
				ticks[m[1]]++
			}
			if len(ticks) < 6 {
				t.Errorf("%s: ticks %v", name, ticks)
			}
			for label, k := range ticks {
				if k%len(traffics) != 0 { // the same label may be on both axes
					t.Errorf("%s: %q is on %d axes of %d panels", name, label, k, len(traffics))
				}
			}
			for _, place := range panelPlaces(t, b.String(), traffics) {
				if math.Abs(place.x-place.title) > 0.6 {
					t.Errorf("%s: a title at %g over axes around %g", name, place.title, place.x)
				}
			}
		}
	}
}

// panelPlace is the middle of a panel's x axis and of its title.
type panelPlace struct{ x, title float64 }

// panelPlaces reads x axes, which are the long level lines in black, and titles. It fails unless all axes are equally long.
func panelPlaces(t *testing.T, svg string, titles []string) (list []panelPlace) {
	t.Helper()
	number := func(s string) (x float64) {
		if _, err := fmt.Sscan(s, &x); err != nil {
			t.Fatal(err)
		}
		return x
	}
	long := 0.0
	for _, m := range regexp.MustCompile(`<path d="M([-\d.]+),([-\d.]+)L([-\d.]+),([-\d.]+)" style="fill:none;stroke:#000000`).FindAllStringSubmatch(svg, -1) {
		from, to := number(m[1]), number(m[3])
		if m[2] != m[4] || to-from < 100 {
			continue
		}
		if long > 0 && math.Abs(to-from-long) > 0.1 {
			t.Errorf("axes of %g and %g", long, to-from)
		}
		long = to - from
		list = append(list, panelPlace{x: (from + to) / 2})
	}
	if len(list) != len(titles) {
		t.Fatalf("%d axes of %d panels", len(list), len(titles))
	}
	for i, title := range titles {
		m := regexp.MustCompile(`<text x="([-\d.]+)"[^>]*>` + title + `</text>`).FindStringSubmatch(svg)
		list[i].title = number(m[1]) + sheet.TextStyle(11).Rectangle(title).Size().X.Points()/2
	}
	return list
}

// TestLooksAcrossPanels: a routing has the same colour in every panel, also if a panel lacks another routing.
func TestLooksAcrossPanels(t *testing.T) {
	var results []Result
	for _, r := range queue([]string{"dor", "duato"}, []string{"uniform", "transpose"}, 1) {
		if r.Point.Routing != "dor" || r.Point.Traffic != "uniform" {
			results = append(results, r)
		}
	}
	curves := Curves(results)
	_, names, common := subjects(curves)
	if !slices.Equal(names, []string{"dor", "duato"}) || common != "torus:8x8,vcs=2" {
		t.Errorf("%q of %q", names, common)
	}
	var b bytes.Buffer
	if _, err := WriteThroughput(&b, "svg", curves, Drawing{}); err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{} // long lines, by colour
	for _, m := range regexp.MustCompile(`<path d="([^"]*)" style="fill:none;stroke:(#[0-9A-Fa-f]{6});stroke-width:1.3"`).FindAllStringSubmatch(b.String(), -1) {
		if strings.Count(m[1], "L") > 3 {
			lines[strings.ToUpper(m[2])]++
		}
	}
	if lines["#0072B2"] != 1 || lines["#D55E00"] != 2 {
		t.Errorf("lines %v, want one of dor in blue and two of duato in vermilion", lines)
	}
}
