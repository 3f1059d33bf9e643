package congestion

import (
	"bytes"
	"context"
	"strings"
	"testing"

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
	def := Default()
	if k := len(def.Ramps([]string{"do", "dp"}, PatternNames(AllToAll))); k != 2*7*53 {
		t.Errorf("%d ramps", k)
	}
}

// TestRun checks that values hold all of a result, and that a run either finishes or freezes.
func TestRun(t *testing.T) {
	s, ctx := small(), context.Background()
	var points []Point
	for _, p := range Collectives([]string{"torn", AllToAll}, engine.VirtualControl) {
		if p.Algorithm != "df" && (p.Method.Kind == Base || p.Method == (Method{Kind: Throttling, Mobility: 0.6,
			Occupancy: 0.1}) || p.Method == (Method{Kind: Gating, Func: "f4", Place: gate.Both, Level: 8})) {
			points = append(points, p)
		}
	}
	s.RampClocks = 2000
	points = append(points, s.Ramps([]string{"dp"}, []string{"brot"})[0])
	for _, p := range points {
		r, err := s.Run(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		if again := ResultOf(p, r.Values()); again != *r {
			t.Errorf("%+v, by values %+v", r, again)
		}
		if !r.Frozen && r.Mean <= 0 && r.NPM <= 0 || r.Frozen && (r.Mean != 0 || r.Packets == 0) {
			t.Errorf("%+v", r)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Run(stopped, points[0]); err == nil {
		t.Error("it ran although it was to end")
	}
}

// TestReadingsTellAll checks that the text of readings differs for each key, since it is a part of keys of points.
func TestReadingsTellAll(t *testing.T) {
	for _, text := range []string{"side=16", "rounds=3", "unit=flit", "vcs=any", "buffer=reserved", "hops=9", "exempt=escape", "room=wormhole",
		"arbiter=age", "release=empty", "clocks=5", "seed=7", "dovcs=4", "atomic=yes", "order=next", "within=row"} {
		s, plain := Default(), Default()
		if err := s.Read(text); err != nil || s.Readings() == plain.Readings() {
			t.Errorf("%s: %v, %s", text, err, s.Readings())
		}
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
		"arbiter=age", "release=empty", "clocks=5", "dovcs=4", "atomic=yes", "order=next", "seed=7", "load=0.3", "ramp=5000"} {
		if err := s.Read(text); err != nil {
			t.Error(err)
		}
	}
	want := Study{Side: 16, Rounds: 3, Packets: 10, Gap: 100, Seed: 7, Unit: gate.Flit, VCs: gate.Any, Buffer: gate.Reserved, Hops: 9,
		Exempt: true, Room: model.CutThrough, Arbiter: engine.OldestFirst, ReleaseEmpty: true, Clocks: 5, DoVCs: 4, Atomic: true, Next: true, RampTo: 0.3,
		RampClocks: 5000}
	if s != want {
		t.Errorf("%+v", s)
	}
	for _, text := range []string{"side=12", "round=3", "unit=bit", "clocks=9", "", "seed=x", "load=2", "ramp=10"} {
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
