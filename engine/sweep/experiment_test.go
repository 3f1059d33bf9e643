package sweep

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
)

const small = `# two networks
networks:
  - torus:8x8,vcs=2
  - "mesh:8x8"
routings: [dor]
traffics: uniform
loads: {from: 0.1, to: 0.3, step: 0.1}
seeds: 2
packet: 4
clocks: 1000
`

// TestParse: a file gives the expected points in order, with the defaults.
func TestParse(t *testing.T) {
	e, err := Parse("f", []byte(small), nil)
	if err != nil {
		t.Fatal(err)
	}
	settings := Settings{Model: engine.BookSim, Switching: model.Wormhole, Select: engine.SelectAll, Arbiter: engine.RoundRobin,
		Packet: 4, Buffer: 8, LinkClocks: 1, Clocks: 1000, Warmup: 200}
	var want []Point
	for _, network := range []string{"torus:8x8,vcs=2", "mesh:8x8"} {
		for _, load := range []float64{0.1, 0.2, 0.3} {
			for _, seed := range []uint64{1, 2} {
				want = append(want, Point{network, "dor", "uniform", load, seed, settings})
			}
		}
	}
	if got := e.Points(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if s := want[1].String(); s != "torus:8x8,vcs=2, dor, uniform, load 0.1, seed 2" {
		t.Error(s)
	}
}

// TestSettings: every key is read. A file that writes out all defaults is the same experiment as
// one that omits them.
func TestSettings(t *testing.T) {
	base := "networks: [a]\nroutings: b\ntraffics: c\nloads: .5\n"
	read := func(more string) *Experiment {
		t.Helper()
		e, err := Parse("f", []byte(base+more), nil)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	got := read("seeds: [18446744073709551615, 0]\nmodel: paper\nswitching: vct\npacket: 20\nbuffer: 40\nclocks: 900\nwarmup: 0\nselect: lowest\narbiter: age\nlink-clocks: 3\n")
	want := &Experiment{Networks: []string{"a"}, Routings: []string{"b"}, Traffics: []string{"c"}, Loads: []float64{0.5}, Seeds: []uint64{1<<64 - 1, 0},
		Settings: Settings{"paper", "vct", "lowest", "age", "", 20, 40, 3, "", 900, 0, "", trial.MessageWords{}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	full := read("seeds: 1\nmodel: booksim\nswitching: wormhole\npacket: 8\nbuffer: 8\nclocks: 50000\nwarmup: 10000\nselect: all\narbiter: round-robin\nlink-clocks: 1\n")
	if none := read(""); !reflect.DeepEqual(full, none) {
		t.Errorf("%+v\n%+v", full, none)
	}
	if e := read("switching: saf\npacket: 30\n"); e.Settings.Buffer != 30 {
		t.Errorf("a buffer of %d flits", e.Settings.Buffer)
	}
	names := map[string]bool{}
	for _, k := range Keys() {
		if names[k.Name] || k.Value == "" || k.Help == "" {
			t.Errorf("%+v", k)
		}
		names[k.Name] = true
	}
}

func TestRange(t *testing.T) {
	for _, c := range []struct {
		from, to, step float64
		want           string
	}{
		{0.05, 0.3, 0.05, "[0.05 0.1 0.15 0.2 0.25 0.3]"}, {0.1, 0.35, 0.1, "[0.1 0.2 0.3]"}, {0.2, 0.2, 1, "[0.2]"}, {0, 1, 0.25, "[0 0.25 0.5 0.75 1]"},
		{0.1, 0.7, 0.1, "[0.1 0.2 0.3 0.4 0.5 0.6 0.7]"},
	} {
		if got, err := Range(c.from, c.to, c.step); err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%v, %v", got, err)
		}
	}
	for _, c := range [][3]float64{{0.3, 0.2, 0.1}, {-0.1, 0.2, 0.1}, {0, 1.1, 0.1}, {0, 1, 0}, {0, 1, 1e-9}} {
		if _, err := Range(c[0], c[1], c[2]); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
}

// TestParseErrors: each message has the line number.
func TestParseErrors(t *testing.T) {
	list := strings.Join(func() (names []string) {
		for _, k := range Keys() {
			names = append(names, k.Name)
		}
		return names
	}(), ", ")
	for _, c := range []struct{ from, to, want string }{ // each case replaces from by to in the file small
		{"packet", "paket", `sweep: f:9: no key "paket", known are ` + list},
		{"packet: 4", "packet: 4\npacket: 5", "sweep: f:10: YAML: mapping key \"packet\" already defined at [9:1]"},
		{"packet: 4", "packet: 0", "sweep: f:9: packet 0, at least 1 is needed"},
		{"packet: 4", "packet: -4", `sweep: f:9: packet: "-4" is no whole number from 0 on`},
		{"packet: 4", "packet: 17000", "sweep: f:9: packet 17000, allowed are 1 to 16384"},
		{"packet: 4", "packet: [4]", "sweep: f:9: packet: a word or a number was expected"},
		{"packet: 4", "switching: worm", `sweep: f:9: no switching "worm", known are wormhole, vct, saf`},
		{"packet: 4", "model: x", `sweep: f:9: no model "x", known are booksim, paper`},
		{"packet: 4", "select: x", `sweep: f:9: no selection "x", known are `},
		{"packet: 4", "arbiter: ''", "sweep: f:9: arbiter: an empty word"},
		{"packet: 4", "packet: 9\nbuffer: 8\nswitching: vct", "sweep: f:10: under vct a buffer holds whole packets: 8 flits are less than a packet of 9"},
		{"packet: 4", "warmup: 1000", "sweep: f:9: warmup 1000, allowed are 0 to 999"},
		{"packet: 4", "link-clocks: 1025", "sweep: f:9: link-clocks 1025, allowed are 1 to 1024"},
		{"{from: 0.1, to: 0.3, step: 0.1}", "[0.1, 1.2]", "sweep: f:7: a load of 1.2 flits per clock and host, allowed are 0 to 1"},
		{"{from: 0.1, to: 0.3, step: 0.1}", "\n  - 0.1\n  - -0.2", "sweep: f:9: a load of -0.2 flits per clock and host, allowed are 0 to 1"},
		{"{from: 0.1, to: 0.3, step: 0.1}", "[0.1, 0.2, 0.10]", "sweep: f:7: load 0.1 is there twice, so points are"},
		{"{from: 0.1, to: 0.3, step: 0.1}", "[x]", `sweep: f:7: loads: "x" is no number`},
		{"{from: 0.1, to: 0.3, step: 0.1}", ".nan", `sweep: f:7: loads: a word or a number was expected`},
		{"{from: 0.1, to: 0.3, step: 0.1}", "[]", "sweep: f:7: no loads, one at least is needed"},
		{"step: 0.1", "by: 0.1", `sweep: f:7: loads: no key "by", known are from, to, step`},
		{", step: 0.1", "", "sweep: f:7: loads: from, to and step are needed"},
		{"step: 0.1", "step: 0", "sweep: f:7: loads from 0.1 to 0.3 by 0, 0 <= from <= to <= 1 and step > 0 was expected"},
		{"seeds: 2", "seeds: 0", "sweep: f:8: seeds: 0, at least 1 is needed"},
		{"seeds: 2", "seeds: []", "sweep: f:8: no seeds, one at least is needed"},
		{"seeds: 2", "seeds: [3, 3]", "sweep: f:8: seed 3 is there twice, so points are"},
		{"seeds: 2", "seeds: 1000001", "sweep: f:8: seeds 1000001, allowed are 0 to 1000000"},
		{"seeds: 2", "seeds: 1000000", "sweep: f: more than 1000000 points"},
		{"seeds: 2", "seeds: 1.5", `sweep: f:8: seeds: "1.5" is no whole number from 0 on`},
		{"[dor]", "[]", "sweep: f:5: no routings, one at least is needed"},
		{"[dor]", "[dor, dor]", "sweep: f:5: routing dor is there twice, so points are"},
		{"[dor]", "[' ']", "sweep: f:5: an empty word"},
		{"[dor]", "{a: b}", "sweep: f:5: routings: a word or a number was expected"},
		{"[dor]", "", "sweep: f:5: routings: a word or a number was expected"},
		{"[dor]", "&a [dor]", "sweep: f:5: anchors, aliases and tags are not read"},
		{"routings: [dor]\n", "", "sweep: f: no routings, one at least is needed"},
		{"  - \"mesh:8x8\"", "  - mesh:8x8\n  - mesh:8x8", "sweep: f:5: network mesh:8x8 is there twice, so points are"},
		{"\n  - torus:8x8,vcs=2\n  - \"mesh:8x8\"", " [torus:8x8,vcs=2]", `sweep: f:2: "vcs=2" is no network: in [...] a spec with a comma must be in quotes`},
		{"[dor]", "[dor", "sweep: f:6: YAML: "},
		{"clocks: 1000\n", "clocks: 1000\n---\na: b\n", "sweep: f: has 2 documents, one was expected"},
	} {
		text := strings.Replace(small, c.from, c.to, 1)
		_, err := Parse("f", []byte(text), nil)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\nwant %s", c.to, err, c.want)
		}
		var typed *Error
		if !errors.As(err, &typed) {
			t.Errorf("%s: %T", c.to, err)
		}
	}
	for text, want := range map[string]string{
		"": "sweep: f: is empty, an experiment was expected", "# x\n": "sweep: f: is empty, an experiment was expected", "- 1\n": "sweep: f:1: KEY: VALUE was expected", "\xff": "sweep: f: the text is no UTF-8",
		strings.Repeat("[", 5000): "sweep: f: values nest more than 50 deep", strings.Repeat("- ", 5000): "sweep: f: values nest more than 50 deep",
		strings.Repeat("#\n", maxFile): "sweep: f: is longer than 1048576 bytes", "<<: {a: 1}\n": `sweep: f:1: "<<" is no key`,
	} {
		if _, err := Parse("f", []byte(text), nil); err == nil || err.Error() != want {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}

// TestEach: the caller's check is called once for each combination of network, routing and
// traffic, before any point runs.
func TestEach(t *testing.T) {
	seen := 0
	odd := errors.New("no power of two")
	_, err := Parse("f", []byte(small), func(p Point) error {
		seen++
		if p.Load != 0.1 || p.Seed != 1 || p.Settings.Packet != 4 {
			t.Errorf("%+v", p)
		}
		if strings.HasPrefix(p.Network, "mesh") {
			return odd
		}
		return nil
	})
	if seen != 2 || !errors.Is(err, odd) || err.Error() != "sweep: f: mesh:8x8, dor, uniform: no power of two" {
		t.Errorf("%d calls, %v", seen, err)
	}
	_, err = Parse("f", []byte(small), func(Point) error { return odd })
	if err == nil || err.Error() != "sweep: f: torus:8x8,vcs=2, dor, uniform: no power of two (and 1 more combinations of network, routing and traffic)" {
		t.Error(err)
	}
}

func TestRead(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("f", []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	if e, err := Read("f", nil); err != nil || len(e.Points()) != 12 {
		t.Error(err)
	}
	for path, want := range map[string]string{"none": "sweep: none: no such file or directory", ".": "sweep: .: is a directory"} {
		if _, err := Read(path, nil); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// FuzzParse: any bytes are rejected or give a valid experiment.
func FuzzParse(f *testing.F) {
	for _, text := range []string{small, "", "networks: [a]\nroutings: b\ntraffics: c\nloads: .5\nseeds: [3]\n", "<<: {a: 1}", "? a\n: b",
		"a: &x [*x]", "a: !!t 3", "loads:\n  from: 1\n  to: 1\n  step: 1", "a: |\n  b", "{[]}", "a: 'b"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := Parse("f", text, nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "sweep: f") {
				t.Fatal(err)
			}
			return
		}
		if err := e.Check(nil); err != nil || e.size() > MaxPoints {
			t.Fatalf("%+v: %v", e, err)
		}
		seen := map[Point]bool{}
		for _, p := range e.Points() {
			if seen[p] || !(p.Load >= 0 && p.Load <= 1) || p.Settings.Warmup >= p.Settings.Clocks {
				t.Fatalf("%+v", p)
			}
			seen[p] = true
		}
	})
}
