package timeline_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/timeline"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func relation(t *testing.T, spec, routing string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// figures is a result without what a watched run has in addition.
func figures(r *trial.Result) string {
	x := *r
	x.Loads, x.Deadlock = nil, nil
	return fmt.Sprintf("%+v %+v", x, r.Deadlock)
}

// TestRecord: a record does not change the run, and its intervals hold what the deliveries and the
// counts of the channels say: for steady and finite traffic, both kernels, and a deadlock.
func TestRecord(t *testing.T) {
	for _, c := range []struct {
		spec, routing string
		s             trial.Settings
	}{
		{"mesh:4x4,vcs=2", "dor", trial.Settings{Load: 0.4, Flits: 4, Clocks: 3001, Seed: 2}},
		{"mesh:4x4", "dor", trial.Settings{Packets: 40, Flits: 3, Seed: 2}},
		{"mesh:4x4", "dor", trial.Settings{Packets: 3, Flits: 3, Clocks: 4000, Seed: 2}},
		{"mesh:4x4", "dor", trial.Settings{Load: 0.2, Flits: 4, Clocks: 3000, Engine: engine.Options{Timing: engine.Paper, Switching: model.CutThrough}}},
		{"ring:6", "minimal", trial.Settings{Load: 0.9, Flits: 8, Clocks: 20_000, Seed: 5}},
	} {
		r := relation(t, c.spec, c.routing)
		run := func(s trial.Settings) *trial.Result {
			res, err := trial.Run(context.Background(), r, s)
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		c.s.Engine.Loads = true
		var all []engine.Delivery
		c.s.Report = func(d engine.Delivery) { all = append(all, d) }
		plain := run(c.s)
		line := timeline.New(r.Network(), timeline.Options{Clocks: c.s.Clocks, Intervals: 20, Warmup: 500})
		watched := c.s
		watched.Report, watched.Watchers = nil, []trial.Watcher{line}
		if a, b := figures(plain), figures(run(watched)); a != b {
			t.Errorf("%s: %s\nwatched %s", c.spec, a, b)
		}
		judge(t, line, plain, all)
	}
}

// judge compares a record with all deliveries and the counts of the channels.
func judge(t *testing.T, line *timeline.Timeline, res *trial.Result, all []engine.Delivery) {
	t.Helper()
	list := line.Intervals()
	if len(list) < 2 || len(list) > 20 {
		t.Fatalf("%d intervals", len(list))
	}
	at := engine.Clock(0)
	for i, x := range list {
		if x.From != at || x.To <= x.From || i+1 < len(list) && x.Clocks() != line.Length() {
			t.Fatalf("interval %d from %d to %d, length %d", i, x.From, x.To, line.Length())
		}
		at = x.To
		packets, flits, sum := int64(0), int64(0), int64(0)
		for _, d := range all {
			if d.Arrived >= x.From && d.Arrived < x.To {
				packets, flits, sum = packets+1, flits+int64(d.Flits), sum+int64(d.Arrived-d.Created)
			}
		}
		if x.Packets != packets || x.Arrived != flits || x.Latency != sum {
			t.Errorf("interval %d: %d packets, %d flits, latencies %d, want %d, %d, %d", i, x.Packets, x.Arrived, x.Latency, packets, flits, sum)
		}
	}
	if at < res.Clocks {
		t.Errorf("the record ends in clock %d of %d", at, res.Clocks)
	}
	total := line.Total()
	for c, flits := range total.Flits {
		if want := res.Loads.ChannelFlits(model.ChannelID(c)); int64(flits) != want {
			t.Errorf("channel %d: %d flits, want %d", c, flits, want)
		}
	}
	if res.Deadlock != nil && (total.InNetwork == 0 || total.Oldest < total.To-res.Deadlock.Clock) {
		t.Errorf("frozen since clock %d: %d packets in the network, the oldest of %d clocks", res.Deadlock.Clock, total.InNetwork, total.Oldest)
	}
	latencies, longer := line.Latencies()
	want := make([]int64, len(latencies))
	for _, d := range all {
		if d.Created >= 500 {
			want[d.Arrived-d.Created]++
		}
	}
	if !slices.Equal(latencies, want) || longer != 0 {
		t.Errorf("latencies %v, want %v, %d longer", latencies, want, longer)
	}
	before := line.Total()
	line.Coarsen(3 * line.Length())
	if after := line.Total(); fmt.Sprint(before) != fmt.Sprint(after) || len(line.Intervals()) != (len(list)+2)/3 {
		t.Errorf("%d intervals merged by threes are %d, %v, want %v", len(list), len(line.Intervals()), after, before)
	}
}
