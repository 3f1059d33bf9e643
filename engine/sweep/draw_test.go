package sweep

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/view/sheet"

	"gonum.org/v1/plot/plotter"
	"pgregory.net/rapid"
)

// queue returns invented results: latency grows as in a queue that saturates at a load that
// depends on the routing. The third routing freezes from load 0.3 on.
func queue(routings, traffics []string, seeds int) (list []Result) {
	for i, routing := range routings {
		for j, traffic := range traffics {
			most := 0.5 - 0.07*float64(i) - 0.05*float64(j)
			for k := 1; k <= 12; k++ {
				load := 0.05 * float64(k)
				for seed := range seeds {
					w := 1 + 0.02*math.Sin(float64(7*seed+k))
					r := Result{Point: Point{Network: "torus:8x8,vcs=2", Routing: routing, Traffic: traffic, Load: load, Seed: uint64(seed)}, Offered: load * w,
						Accepted: min(load, most) * w, MeanLatency: 30*w + min(load/max(most-load, 1e-3), 600)*4*w, LatencyError: 2, AcceptedError: 0.01}
					if i == 2 && load > 0.3 {
						r.Deadlock, r.Accepted = true, 0.02
					}
					list = append(list, r)
				}
			}
		}
	}
	return list
}

// TestCurves: means over the seeds are right, with and without frozen runs.
func TestCurves(t *testing.T) {
	nan := math.NaN()
	at := func(load float64, seed uint64, latency float64, deadlock bool) Result {
		return Result{Point: Point{Network: "n", Routing: "r", Traffic: "t", Load: load, Seed: seed}, Offered: load, Accepted: latency / 100,
			AcceptedError: 0.5, MeanLatency: latency, LatencyError: 3, Deadlock: deadlock}
	}
	list := Curves([]Result{
		at(0.2, 1, 10, false), at(0.1, 1, 20, false), at(0.2, 2, 14, false), at(0.3, 1, 99, true), at(0.3, 2, 50, false), at(0.4, 1, 1, true), at(0.4, 2, 3, true),
		{Point: Point{Network: "a"}, MeanLatency: nan, Accepted: nan},
	})
	if len(list) != 2 || list[0].Network != "n" || list[1].Network != "a" || len(list[0].Means) != 4 {
		t.Fatalf("%+v", list)
	}
	for i, want := range []Mean{
		{Load: 0.1, Runs: 1, Latency: 20, LatencyError: 3}, {Load: 0.2, Runs: 2, Latency: 12, LatencyError: 12.706 * 2},
		{Load: 0.3, Runs: 2, Deadlocks: 1, Latency: 50, LatencyError: 3}, {Load: 0.4, Runs: 2, Deadlocks: 2, Latency: 2, LatencyError: 12.706},
	} {
		got := list[0].Means[i]
		if got.Load != want.Load || got.Runs != want.Runs || got.Deadlocks != want.Deadlocks || got.Latency != want.Latency || math.Abs(got.LatencyError-want.LatencyError) > 1e-9 ||
			got.Offered != want.Load || math.Abs(got.Accepted-want.Latency/100) > 1e-9 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if m := list[1].Means[0]; !math.IsNaN(m.Latency) || !math.IsNaN(m.LatencyError) {
		t.Errorf("%+v", m)
	}
}

// TestErrorBars: error bars stay within the axis. An error that is not a number has no bar.
func TestErrorBars(t *testing.T) {
	points := errorBars([]sheet.Point{{X: 0, Y: 1, Error: 2}, {X: 1, Y: 3, Error: math.NaN()}, {X: 2, Y: 5, Error: 3}}, 5)
	want := plotter.YErrors{{Low: 1, High: 2}, {Low: 0, High: 0}, {Low: 3, High: 0}}
	if len(points.XYs) != 3 || !slices.Equal(points.YErrors, want) {
		t.Errorf("errors %v, want %v", points.YErrors, want)
	}
}

// TestSameBytes: in every format, the same results give the same bytes, and the file has that
// format.
func TestSameBytes(t *testing.T) {
	results := queue([]string{"dor", "duato", "minimal"}, []string{"uniform", "transpose"}, 3)
	for format, magic := range map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF"} {
		for name, f := range map[string]func(b *bytes.Buffer) error{
			"latency": func(b *bytes.Buffer) error {
				_, err := WriteLatency(b, format, Curves(results), Drawing{Accepted: true})
				return err
			},
			"throughput": func(b *bytes.Buffer) error {
				_, err := WriteThroughput(b, format, Curves(results), Drawing{})
				return err
			},
		} {
			var one, two bytes.Buffer
			if err := f(&one); err != nil {
				t.Fatal(err)
			}
			if err := f(&two); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(one.Bytes(), two.Bytes()) || !strings.HasPrefix(one.String(), magic) {
				t.Errorf("%s as %s: %.20q, then %.20q", name, format, one.String(), two.String())
			}
			if format == "pdf" && !bytes.Contains(one.Bytes(), []byte("(D:20000101000000)")) {
				t.Error("a PDF file has the time of its making")
			}
		}
	}
}

// TestWhatIsSaid: axis titles have units, curves are named by what differs, and the title has what
// they share.
func TestWhatIsSaid(t *testing.T) {
	curves := Curves(queue([]string{"dor", "duato", "minimal"}, []string{"uniform"}, 1))
	for _, c := range []struct {
		name string
		d    Drawing
		want []string
	}{
		{"latency", Drawing{}, []string{"torus:8x8,vcs=2, uniform", "offered load (flits/clock/host)", "mean latency (clocks)", "dor",
			"minimal", "a run froze in deadlock"}},
		{"latency", Drawing{Accepted: true, Title: "A Title"}, []string{"A Title", "accepted load (flits/clock/host)"}},
		{"throughput", Drawing{}, []string{"accepted load (flits/clock/host)", "offered load (flits/clock/host)", "accepted = offered", "a run froze in deadlock"}},
	} {
		var b bytes.Buffer
		f := WriteLatency
		if c.name == "throughput" {
			f = WriteThroughput
		}
		if _, err := f(&b, "svg", curves, c.d); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if strings.Count(b.String(), ">"+want+"<") != 1 {
				t.Errorf("%s: %q is there %d times", c.name, want, strings.Count(b.String(), ">"+want+"<"))
			}
		}
	}
}

// TestLooks: no two of 28 curves look equal.
func TestLooks(t *testing.T) {
	seen := map[string]bool{}
	for i := range 28 {
		s := sheet.Looks(i)
		r, g, b, _ := s.Line.Color.RGBA()
		key := strings.Join([]string{string(rune(r)), string(rune(g)), string(rune(b)), string(rune(len(s.Line.Dashes))), string(rune(i / 7))}, "/")
		if seen[key] {
			t.Errorf("curve %d looks like another", i)
		}
		seen[key] = true
	}
}

// TestTicks: an axis has 5 to 12 ticks, from 0, at equal distances, and within the axis.
func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := math.Pow(10, rapid.Float64Range(-4, 7).Draw(t, "exponent"))
		list := sheet.Ticks(0, most)
		labels := map[string]bool{}
		for i, m := range list {
			if m.Value < 0 || m.Value > most || i == 0 && m.Value != 0 || labels[m.Label] {
				t.Fatalf("%v: %v", most, list)
			}
			labels[m.Label] = true
		}
		if len(list) < 5 || len(list) > 13 {
			t.Fatalf("%v: %v", most, list)
		}
	})
}

func TestDrawErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	curves := Curves(queue([]string{"dor"}, []string{"uniform"}, 1))
	none := Curves([]Result{{MeanLatency: math.NaN(), Accepted: math.NaN()}})
	for _, c := range []struct {
		path   string
		curves []Curve
		want   string
	}{
		{"a.jpg", curves, `no format "jpg" of drawings, known are png, svg, pdf`},
		{"a", curves, `no format "" of drawings, known are png, svg, pdf`},
		{"none/a.svg", curves, "paper: none/a.svg: no such file or directory"},
		{"a.svg", none, "sweep: no run gave a figure to draw"},
		{"a.svg", nil, "sweep: no run gave a figure to draw"},
	} {
		for _, f := range []func(string, []Curve, Drawing) error{DrawLatency, DrawThroughput} {
			if err := f(c.path, c.curves, Drawing{}); err == nil || err.Error() != c.want {
				t.Errorf("%s: %v, want %s", c.path, err, c.want)
			}
		}
	}
	if err := DrawThroughput("A.SVG", curves, Drawing{}); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile("A.SVG"); err != nil || len(b) < 1000 {
		t.Error(err)
	}
}

// TestOdd: curves with a single point, with only frozen runs, or with only zeros are drawn.
func TestOdd(t *testing.T) {
	point := func(load, latency, accepted float64, deadlock bool) []Result {
		return []Result{{Point: Point{Load: load}, Offered: load, MeanLatency: latency, Accepted: accepted, Deadlock: deadlock}}
	}
	for _, results := range [][]Result{point(0.1, 20, 0.1, false), point(0.3, 20, 0.1, true), point(0, 0, 0, false), point(0.3, math.NaN(), 0,
		true), point(1, 1e300, 1, false)} {
		for _, d := range []Drawing{{}, {Accepted: true}} {
			var b bytes.Buffer
			if _, err := WriteLatency(&b, "svg", Curves(results), d); err != nil && !math.IsNaN(results[0].MeanLatency) {
				t.Errorf("%+v: %v", results[0], err)
			}
			if _, err := WriteThroughput(&b, "svg", Curves(results), d); err != nil {
				t.Errorf("%+v: %v", results[0], err)
			}
			if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
				t.Errorf("%+v: a drawing with NaN", results[0])
			}
		}
	}
}
