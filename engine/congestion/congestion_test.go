package congestion

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// small returns a study that runs quickly.
func small() Study {
	s := Default()
	s.Side, s.Rounds, s.Hops, s.Packets = 8, 2, 5, 3
	return s
}

// TestPoints: every combination of the paper occurs once.
func TestPoints(t *testing.T) {
	list := Collectives(PatternNames(), engine.VirtualControl, engine.DedicatedControl)
	if len(list) != 5*8*53*2 {
		t.Fatalf("%d points", len(list))
	}
	seen, groups := map[Point]bool{}, map[string]int{}
	for _, p := range list {
		seen[p] = true
		groups[p.Method.Group()]++
	}
	if len(seen) != len(list) || groups["BA"] != 80 || groups["TE"] != 16*80 || groups["GT(4)"] != 12*80 || len(groups) != len(Groups()) {
		t.Errorf("%d different, %v", len(seen), groups)
	}
	if k := len(Ramps([]string{"do", "dp"}, PatternNames(AllToAll), 0.5, 1000)); k != 2*7*53 {
		t.Errorf("%d ramps", k)
	}
}

// TestRun: results are in the order of the points, with a journal of an interrupted run and
// without a journal. A journal of a study with other readings is rejected.
func TestRun(t *testing.T) {
	s, ctx := small(), context.Background()
	var points []Point
	for _, p := range Collectives([]string{"torn", AllToAll}, engine.VirtualControl) {
		if p.Algorithm != "df" && (p.Method.Kind == Base || p.Method == (Method{Kind: Throttling, Mobility: 0.6,
			Occupancy: 0.1}) || p.Method == (Method{Kind: Gating, Func: "f4", Place: gate.Both, Level: 8})) {
			points = append(points, p)
		}
	}
	points = append(points, Ramps([]string{"dp"}, []string{"brot"}, 0.6, 2000)[0])
	plain, err := Run(ctx, s, points, Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "journal")
	if _, err := Run(ctx, s, points[:7], Options{Journal: file}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text[:len(text)-20], 0o644); err != nil { // as if the process was killed while writing
		t.Fatal(err)
	}
	again, err := Run(ctx, s, points, Options{Journal: file})
	if err != nil {
		t.Fatal(err)
	}
	for i := range plain {
		plain[i].Seconds, again[i].Seconds = 0, 0
		if !reflect.DeepEqual(plain[i], again[i]) || plain[i].Point != points[i] {
			t.Errorf("%s: %+v, by journal %+v", points[i], plain[i], again[i])
		}
		if r := plain[i]; !r.Frozen && r.Mean <= 0 && r.NPM <= 0 || r.Frozen && (r.Mean != 0 || r.Packets == 0) {
			t.Errorf("%+v", r)
		}
	}
	calls := 0
	if _, err := Run(ctx, s, points, Options{Journal: file, Progress: func(done, total int, _ time.Duration) {
		if calls++; done != total {
			t.Errorf("%d of %d done", done, total)
		}
	}}); err != nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
	other := s
	other.Unit = gate.Flit
	if other == s {
		other.Unit = gate.Packet
	}
	if _, err := Run(ctx, other, points, Options{Journal: file}); err == nil || !strings.Contains(err.Error(), "other sizes, readings") {
		t.Error(err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Run(stopped, s, points, Options{}); err == nil {
		t.Error("it ran although it was to end")
	}
}

func TestBest(t *testing.T) {
	list := []Result{{Mean: 30}, {Frozen: true}, {Mean: 20}, {Mean: 25}}
	best, all, frozen := Best(list, func(r *Result) bool { return r.Mean != 30 })
	if best != &list[2] || all != 3 || frozen != 1 {
		t.Error(best, all, frozen)
	}
	if best, _, frozen := Best(list[1:2], func(*Result) bool { return true }); best != nil || frozen != 1 {
		t.Error(best, frozen)
	}
}

func TestRead(t *testing.T) {
	s := Default()
	for _, text := range []string{"side=16", "rounds=3", "unit=flit", "vcs=any", "buffer=reserved", "hops=9", "exempt=escape", "room=vct",
		"arbiter=age", "release=full", "clocks=5", "seed=7"} {
		if err := s.Read(text); err != nil {
			t.Error(err)
		}
	}
	want := Study{Side: 16, Rounds: 3, Packets: 10, Gap: 100, Seed: 7, Unit: gate.Flit, VCs: gate.Any, Buffer: gate.Reserved, Hops: 9,
		Exempt: true, Room: model.CutThrough, Arbiter: engine.OldestFirst, ReleaseFull: true, Clocks: 5}
	if s != want {
		t.Errorf("%+v", s)
	}
	for _, text := range []string{"side=12", "round=3", "unit=bit", "clocks=9", "", "seed=x"} {
		if err := s.Read(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// TestDraw: figures are drawn with the same bytes each time.
func TestDraw(t *testing.T) {
	s := small()
	_, flow, err := s.Series(context.Background(), Point{Algorithm: "do", Pattern: "shfl", Control: engine.VirtualControl}, 10)
	if err != nil {
		t.Fatal(err)
	}
	var first []string
	for range 2 {
		var bars, cloud, course bytes.Buffer
		if _, err := sheet.WriteCharts(&bars, "svg", sheet.Layout{}, []*sheet.Bars{{Title: "a", Groups: []string{"x", "y"}, Names: []string{"BA",
			"TE"}, Values: [][]float64{{1, 2}, {3, 0}}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := sheet.WriteCharts(&cloud, "svg", sheet.Layout{}, []*sheet.Cloud{{Names: []string{"p"}, Points: []plotter.XYs{{{X: 1, Y: 2}}},
			Diagonal: true, Drop: 1}}); err != nil {
			t.Fatal(err)
		}
		if _, err := sheet.WriteCharts(&course, "svg", sheet.Layout{}, CourseCharts([]Course{{Title: "c", Names: []string{"BA"},
			Flows: []*measure.Flow{flow}, Ends: []float64{100}}})); err != nil {
			t.Fatal(err)
		}
		texts := []string{bars.String(), cloud.String(), course.String()}
		if first == nil {
			first = texts
		}
		for i, text := range texts {
			if !strings.HasPrefix(text, "<?xml") || len(text) < 2000 || text != first[i] {
				t.Errorf("figure %d: %d bytes", i, len(text))
			}
		}
	}
}
