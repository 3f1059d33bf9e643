package runpage

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/follow"
	"github.com/turnproof/turnproof/engine/timeline"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/figure/graphviz"
	"github.com/turnproof/turnproof/model/view/page"
)

// Tests lay out in this process, because turnproof-layout is not built for them.
func init() { figure.LayOutWith(graphviz.Layout) }

// simulated returns a run with its records.
func simulated(t *testing.T, spec, routing string, s trial.Settings) *Run {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	line, slow := timeline.New(n, timeline.Options{Clocks: s.Clocks, Warmup: s.Clocks / 5}), follow.Slowest(3)
	s.Engine.Loads, s.Engine.Follow, s.Watchers = true, slow, []trial.Watcher{line}
	res, err := trial.Run(context.Background(), r, s)
	if err != nil {
		t.Fatal(err)
	}
	return &Run{Name: routing, Relation: r, Result: res, Timeline: line, Slowest: slow.Journeys(nil)}
}

func written(t *testing.T, runs ...*Run) string {
	t.Helper()
	p, err := Page(context.Background(), Options{Title: "T", Settings: page.Facts{{Term: "Seed", Text: "1"}}, Premises: []string{"one premise"}}, runs)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPage: pages of one run and two, of grids and other networks, of steady and finite traffic, have
// their sections, are the same at each call, and stay below 2 MB.
func TestPage(t *testing.T) {
	steady := trial.Settings{Load: 0.1, Flits: 4, Clocks: 3000, Seed: 1}
	for _, c := range []struct {
		spec     string
		routings []string
		s        trial.Settings
		want     []string
	}{
		{"mesh:4x4,vcs=2", []string{"dor"}, steady, []string{`data-key="c5"`, "Slowest packets", "Busiest channels", "one premise"}},
		{"mesh:4x4", []string{"dor", "west-first"}, steady, []string{"change-drawing", "comparison-table", "dor: clocks 0 to 29", "west-first: clocks 0 to 29", "Change from dor to west-first"}},
		{"fattree:k=4", []string{"updown"}, steady, []string{`data-key="c0"`}},
		{"mesh:3x3", []string{"dor", "west-first"}, trial.Settings{Packets: 30, Flits: 3, Seed: 1}, []string{"comparison-table"}},
		{"torus:16x16,vcs=2", []string{"dor"}, trial.Settings{Load: 0.1, Flits: 4, Clocks: 1000, Seed: 1}, []string{"links-player"}},
		{"torus:64x64,vcs=2", []string{"dor"}, trial.Settings{Load: 0.02, Flits: 4, Clocks: 300, Seed: 1}, []string{"omitted"}},
	} {
		var runs, again []*Run
		for _, name := range c.routings {
			runs, again = append(runs, simulated(t, c.spec, name, c.s)), append(again, simulated(t, c.spec, name, c.s))
		}
		text := written(t, runs...)
		if text != written(t, again...) {
			t.Errorf("%s: two pages of the same run differ", c.spec)
		}
		if len(text) > 2_000_000 {
			t.Errorf("%s: %d bytes", c.spec, len(text))
		}
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing", c.spec, want)
			}
		}
	}
}

// TestFrozen: the page of a deadlock marks the channels that frozen packets hold, and lists them.
func TestFrozen(t *testing.T) {
	r := simulated(t, "ring:6", "minimal", trial.Settings{Load: 0.9, Flits: 8, Clocks: 20_000, Seed: 5})
	d := r.Result.Deadlock
	if d == nil {
		t.Fatal("no deadlock")
	}
	for _, p := range d.Packets {
		r.Worms = append(r.Worms, figure.Worm{Source: p.Source, Destination: r.Relation.DestinationHost(p.Dest), Holds: p.On, Waits: p.Waits})
	}
	text := written(t, r)
	c, _ := r.Relation.Network().Channel(onLink(r.Relation.Network(), d))
	for _, want := range []string{fmt.Sprintf("closed in clock %d", d.Clock), "frozen-table-1", fmt.Sprintf("&#34;c%d&#34;", c), "Held by no."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// onLink returns a VC between switches that a frozen packet is on.
func onLink(n *model.Network, d *engine.Deadlock) model.VCID {
	for _, p := range d.Packets {
		for _, v := range p.On {
			if n.IsLinkVC(v) {
				return v
			}
		}
	}
	return -1
}

// TestBar: the spans of a packet are its latency, without gaps.
func TestBar(t *testing.T) {
	r := simulated(t, "mesh:4x4", "dor", trial.Settings{Load: 0.2, Flits: 4, Clocks: 3000, Seed: 1})
	for _, j := range r.Slowest {
		at, kind := 0.0, map[int]engine.Clock{}
		for _, x := range bar(r.Relation, j).Spans {
			if x.From != at || x.To <= x.From {
				t.Errorf("packet %d: a span from %g to %g after %g", j.ID, x.From, x.To, at)
			}
			at = x.To
			kind[x.Kind] += engine.Clock(x.To - x.From)
		}
		sums := j.Times()
		if at != float64(j.Ended-j.Created) || kind[moving] != sums.Moving || kind[forVC] != sums.VC || kind[forCredit] != sums.Credit || kind[behind] != sums.Behind {
			t.Errorf("packet %d: spans up to %g, %v, want %d, %+v", j.ID, at, kind, j.Ended-j.Created, sums)
		}
	}
}

// TestBars: the bars hold all packets that were created after the warm-up, up to the last bar.
func TestBars(t *testing.T) {
	r := simulated(t, "mesh:4x4", "dor", trial.Settings{Load: 0.2, Flits: 4, Clocks: 3000, Seed: 1})
	line, beyond := bars(r, 1)
	sum := 0.0
	for _, p := range line.Points {
		sum += p.Y
	}
	if want := 100 * float64(r.Result.Packets-beyond) / float64(r.Result.Packets); sum < want-1e-6 || sum > want+1e-6 || beyond == 0 {
		t.Errorf("%g %%, %d beyond, want %g %% of %d", sum, beyond, want, r.Result.Packets)
	}
}

// TestOther: runs on different networks are refused.
func TestOther(t *testing.T) {
	s := trial.Settings{Load: 0.1, Flits: 4, Clocks: 300, Seed: 1}
	if _, err := Page(context.Background(), Options{}, []*Run{simulated(t, "mesh:3x3", "dor", s), simulated(t, "mesh:4x3", "dor", s)}); err == nil {
		t.Error("accepted")
	}
}
