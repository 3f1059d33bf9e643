package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/figure/graphviz"
)

// Tests lay out in this process, because turnproof-layout is not built for them.
func init() { figure.LayOutWith(graphviz.Layout) }

// sample is a page with one of everything, and with texts that would break it.
func sample(t *testing.T) *Page {
	t.Helper()
	n, err := topo.Parse("mesh:3x2")
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFigure(t.Context(), "drawing", figure.Network(n, figure.Options{Title: "A <network> & more"}))
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewFigure(t.Context(), "other", figure.Load(n, make([]float64, n.NumLinkChannels()), figure.Options{Title: "Load"}))
	if err != nil {
		t.Fatal(err)
	}
	third, err := NewFigure(t.Context(), "third", figure.Load(n, make([]float64, n.NumLinkChannels()), figure.Options{Title: "Load", Top: 1}))
	if err != nil {
		t.Fatal(err)
	}
	packets := &Table{ID: "packets", Caption: "Packets", Columns: []Column{{Name: "Packet"}, {Name: "Path"}},
		Rows: []Row{{Cells: []string{"1", "a"}, Packet: &Packet{Key: "p1", Text: `1: "<b>"`, Path: "s0 l0 s1"}}}}
	return &Page{Title: `</title><script>alert("x")</script>`, Lead: "lead", Foot: []string{"foot"},
		Cards: []Card{{Name: "c", Link: "all", Verdict: Refuted, Claims: []Claim{{Name: "connected", Verdict: Undecided, Text: "not known"}}, Facts: []Fact{{Term: "Sum", Code: "abc"}}}},
		Sections: []Section{{ID: "all", Title: "All", Blocks: []Block{
			Text("a paragraph"), Note{"left out", "turnproof draw"}, Facts{{Term: "Term", Text: "text"}},
			Claims{{Name: "deadlock-free", Verdict: Proved, Text: "so", Theorem: "Dally and Seitz 1987", Premises: []string{"one", "two"}}},
			&Walk{ID: "walk", Waiting: f, Network: other, Packets: packets},
			&Chart{ID: "chart", Title: "Chart", X: "x", Y: "y", Top: 10, Curves: []Curve{{"curve", []Point{{0, 1, "first"}, {1, 5, "second"}, {2, math.NaN(), "none"}, {3, 15, "above"}, {4, 5, "last"}}}}},
			&Player{ID: "player", Title: "Player", Unit: "Interval", Steps: []string{"all <of it>", "1"}, Notes: []string{"slides"}, Panes: []Pane{{Figure: third,
				Keys: []string{"c0", "c2"}, Values: [][]float64{{0, 1}, {0.5, 0.25}}, Classes: []Class{{Upto: 0, Color: "#c4c4c4", Width: 1}, {Color: "#e31a1c", Width: 3}}}}},
			&Chart{ID: "bars", Title: "Bars", X: "x", Y: "y", Bars: 2, Curves: []Curve{{"bars", []Point{{0, 1, "low bar"}, {2, 3, "high bar"}, {4, 0, "no bar"}}}}},
			&Spans{ID: "spans", Title: "Spans", X: "clocks", Kinds: []SpanKind{{Name: "moving", Color: "#c4c4c4"}, {Name: "waiting", Letter: "W", Color: "#0072b2"}},
				Bars: []SpanBar{{Name: "bar <one>", Spans: []Span{{0, 5, 0, "it moves"}, {5, 50, 1, "it waits"}, {50, 50, 0, "nothing"}}}}},
			Files{{Name: "a.csv", About: "a table", Type: "text/csv", Data: []byte("x,y\n1,2\n"), Size: 8, SHA256: "00"}, {Name: "b.csv", About: "large", Size: -1, Instead: "turnproof table"}},
		}, Sections: []Section{{ID: "within", Title: "Within"}}}},
	}
}

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPolicy checks that the page's security policy permits its style and script, and that the
// page loads nothing.
func TestPolicy(t *testing.T) {
	text := written(t, sample(t))
	found := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(text)
	if found == nil {
		t.Fatal("no policy")
	}
	policy := html.UnescapeString(found[1])
	for _, name := range []string{"style", "script"} {
		parts := regexp.MustCompile(`(?s)<`+name+`>(.*?)</`+name+`>`).FindAllStringSubmatch(text, -1)
		if len(parts) != 1 {
			t.Fatalf("%d elements %s", len(parts), name)
		}
		sum := sha256.Sum256([]byte(parts[0][1]))
		if want := name + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("policy %q, the page's %s wants %q", policy, name, want)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	if bad := regexp.MustCompile(`(?i)https?://|\ssrc=|<link|@import|url\(|\sstyle=|\son[a-z]+=|<script [^>]*>|<iframe|<form`).FindAllString(text, -1); len(bad) > 0 {
		t.Errorf("the page has %q", bad)
	}
	if strings.Contains(text, `alert("x")</script>`) {
		t.Error("a title is not escaped")
	}
}

// TestOneOfEverything checks that the page contains each part of its data once, and that no ID
// occurs twice.
func TestOneOfEverything(t *testing.T) {
	text := written(t, sample(t))
	for _, want := range []string{"a paragraph", "left out <code>turnproof draw</code>", "<dt>Term</dt><dd>text", "<b>deadlock-free</b>: so.", "Dally and Seitz 1987", "<li>two</li>",
		`data-pick="p1" data-text="1: &#34;&lt;b&gt;&#34;" data-path="s0 l0 s1"`, "A &lt;network&gt; &amp; more", `data-key="l0"`, "curve: second", "bars: high bar", "it waits", ">W</text>", "bar &lt;one&gt;", "slides", `data-unit="Interval"`, `data-key="c2"`, "b.csv", "turnproof table", `<h3 id="within-title">Within</h3>`,
		`download="a.csv" href="data:text/csv;base64,eCx5CjEsMgo="`, "✗", "undecided"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	var ids []string
	for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if slices.Contains(ids, m[1]) {
			t.Errorf("two elements are called %s", m[1])
		}
		ids = append(ids, m[1])
	}
	for _, m := range regexp.MustCompile(`(?:href="#|labelledby=")([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(ids, m[1]) {
			t.Errorf("nothing is called %s", m[1])
		}
	}
	if text != written(t, sample(t)) {
		t.Error("the same page, other bytes")
	}
}

func TestWriteFails(t *testing.T) {
	if err := Write(failing{}, sample(t)); err == nil {
		t.Error("what cannot be written is no error")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestChart checks that ticks are at the positions of their values, that the line leaves the chart
// at the top, and that it has a gap where a value is not a number.
func TestChart(t *testing.T) {
	c := sample(t).Sections[0].Blocks[5].(*Chart)
	svg := string(c.SVG())
	var got []string
	for _, m := range regexp.MustCompile(`<text text-anchor="(?:middle|end)" x="([\d.]+)" y="([\d.]+)">([\d.]+)</text>`).FindAllStringSubmatch(svg, -1) {
		got = append(got, m[3])
	}
	if want := []string{"0", "1", "2", "3", "4", "0", "2", "4", "6", "8", "10"}; !slices.Equal(got, want) {
		t.Errorf("ticks %q, want %q", got, want)
	}
	d := regexp.MustCompile(`stroke-width="2" d="([^"]*)"`).FindStringSubmatch(svg)[1]
	if k := strings.Count(d, "M"); k != 2 { // 0 to 1, and 3 to 4 from the top on
		t.Errorf("%d pieces: %s", k, d)
	}
	p := &plot{right: 4 * 1.02, top: 10 * 1.02}
	if end := "M" + num(p.x(3+(15-p.top)/10)) + " " + num(p.y(p.top)) + "L" + num(p.x(4)) + " " + num(p.y(5)); !strings.HasSuffix(d, end) {
		t.Errorf("the last piece of %s is not %s", d, end)
	}
	if k := strings.Count(svg, "<title>"); k != 3 {
		t.Errorf("%d points, 3 are within the chart", k)
	}
}

func TestSizeText(t *testing.T) {
	for size, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1000: "1 kB", 1549: "1.5 kB", 12_345: "12 kB", 4_000_000: "4 MB", -1: "size not known"} {
		if got := SizeText(size); got != want {
			t.Errorf("%d: %q, want %q", size, got, want)
		}
	}
}

// TestPlayerData: the values in the page are those of the pane, to the resolution of two digits, and
// 0 is exact.
func TestPlayerData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signed := rapid.Bool().Draw(t, "signed")
		p := &Pane{Signed: signed}
		least := 0.0
		if signed {
			least = -3
		}
		value := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(least, 5))
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			p.Values = append(p.Values, rapid.SliceOfN(value, 3, 3).Draw(t, "values"))
		}
		text, err := p.Data()
		if err != nil {
			t.Fatal(err)
		}
		var d struct {
			Low, High float64
			Values    []string
		}
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		for k, step := range p.Values {
			for i, v := range step {
				q := strings.IndexByte(digits, d.Values[k][2*i])*64 + strings.IndexByte(digits, d.Values[k][2*i+1])
				got := d.Low + (d.High-d.Low)*float64(q)/4094 // as in script.js
				if math.Abs(got-v) > (d.High-d.Low)/8000 || v == 0 && math.Abs(got) > 1e-12 {
					t.Fatalf("step %d: %g, want %g", k, got, v)
				}
			}
		}
	})
}
