package trial

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func relation(t testing.TB, spec, routing string) model.Relation {
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

func paper(flits int) Settings {
	return Settings{Engine: engine.Options{Timing: engine.Paper, Switching: model.CutThrough}, Flits: flits, Seed: 3}
}

// text returns all fields of a result except its loads.
func text(r *Result) string {
	x := *r
	x.Loads = nil
	if x.Deadlock != nil {
		return fmt.Sprintf("%+v %+v", x.Deadlock.Clock, x.Deadlock.Packets)
	}
	return fmt.Sprintf("%+v", x)
}

// TestKernelsAgree: packet events give the same figures as simulation flit by flit, including the
// loads of every channel and turn, for any number of processors.
func TestKernelsAgree(t *testing.T) {
	for _, c := range []struct {
		spec, routing, traffic string
		load                   float64
	}{
		{"random:switches=16,degree=4,hosts=3,seed=1", "updown", "uniform", 0.05}, {"random:switches=16,degree=4,hosts=4,seed=2", "updown", "bit-reversal", 0.9},
		{"mesh:4x4", "west-first", "hotspot:0.2@3", 0.1}, {"torus:4x4", "dor", "uniform", 0.5}, {"fattree:k=4", "updown", "tornado", 0.4},
	} {
		s := paper(12)
		s.Traffic, s.Load, s.Clocks, s.Engine.Loads = c.traffic, c.load, 6000, true
		r := relation(t, c.spec, c.routing)
		if !s.ByPackets(r) {
			t.Fatal("packet events were expected")
		}
		a, err := Run(context.Background(), r, s)
		if err != nil {
			t.Fatal(err)
		}
		s.Flitwise = true
		old := runtime.GOMAXPROCS(1)
		b, err := Run(context.Background(), r, s)
		runtime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
		if text(a) != text(b) {
			t.Errorf("%v:\n%s\n%s", c, text(a), text(b))
		}
		n := r.Network()
		sum := int64(0)
		for ch := range model.ChannelID(n.NumChannels()) {
			x, y := a.Loads.ChannelFlits(ch), b.Loads.ChannelFlits(ch)
			if sum += x; a.Deadlock == nil && x != y {
				t.Errorf("%v: channel %d: %d and %d flits", c, ch, x, y)
			}
			if u := n.Tail(ch); u != model.NoSwitch {
				turns := int64(0)
				for _, back := range n.Out(u) {
					turns += a.Loads.TurnFlits(n.Reverse(back), ch)
				}
				if turns != x {
					t.Errorf("%v: channel %d: %d flits, by turns %d", c, ch, x, turns)
				}
			}
		}
		if sum == 0 || sum != a.FlitHops {
			t.Errorf("%v: %d flits on channels, %d flit hops", c, sum, a.FlitHops)
		}
	}
}

// TestCollective: all packets of all rounds arrive, and the run ends with the last arrival.
func TestCollective(t *testing.T) {
	r := relation(t, "mesh:4x4", "dor")
	for _, every := range []engine.Clock{0, 500} {
		last := engine.Clock(0)
		s := Settings{Traffic: "all-to-all", Flits: 3, Packets: 15, Rounds: 4, Every: every, Report: func(d engine.Delivery) { last = d.Arrived }}
		res, err := Run(context.Background(), r, s)
		if err != nil {
			t.Fatal(err)
		}
		if res.Delivered != 16*15*4 || res.InNetwork != 0 || res.Clocks != last+1 || res.Clocks < 3*every || res.Offered != 0 {
			t.Errorf("every %d: %+v, last packet in clock %d", every, res, last)
		}
	}
}

// TestOccupancy: the number of flits in buffers grows with the load.
func TestOccupancy(t *testing.T) {
	r := relation(t, "mesh:4x4", "dor")
	mean := func(load float64) (sum float64) {
		res, err := Run(context.Background(), r, Settings{Load: load, Flits: 4, Clocks: 4000, Occupancy: 100, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Occupancy) < 50 {
			t.Fatalf("%d points", len(res.Occupancy))
		}
		for _, p := range res.Occupancy {
			sum += p.Mean / float64(len(res.Occupancy))
		}
		return sum
	}
	if low, high := mean(0.05), mean(0.8); low <= 0 || high < 5*low {
		t.Errorf("%v flits at low load, %v at high", low, high)
	}
}

// TestNobodySends: without load the figures are NaN, not numbers.
func TestNobodySends(t *testing.T) {
	res, err := Run(context.Background(), relation(t, "mesh:3x3", "dor"), Settings{Flits: 4, Clocks: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(res.MeanLatency) || res.Accepted != 0 || res.Delivered != 0 {
		t.Errorf("%+v", res)
	}
}

func TestRefuses(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(trace, []byte("0 0 0 99\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, s := range map[string]Settings{
		"packets of 0 flits":  {Load: 0.1},
		"none is left":        {Load: 0.1, Flits: 1, Clocks: 10, Warmup: 10},
		"a load of 2":         {Load: 2, Flits: 1},
		"no pattern":          {Load: 0.1, Flits: 1, Traffic: "all"},
		"trace:1":             {Flits: 1, Traffic: "trace:" + trace},
		"holds whole packets": {Load: 0.1, Flits: 9, Engine: engine.Options{Switching: model.CutThrough, BufferFlits: 8}},
		"no router model":     {Load: 0.1, Flits: 9, Engine: engine.Options{Timing: "quick"}},
		"rounds of":           {Flits: 1, Packets: 1 << 40},
		"power of two":        {Load: 0.1, Flits: 1, Traffic: "shuffle"},
		"of a packet of 20 flit": {Load: 0.1, Flits: 4, Mixed: []int{20}, Engine: engine.Options{Timing: engine.Paper,
			Switching: model.StoreAndForward, BufferFlits: 8}},
	} {
		if want == "of a packet of 20 flit" {
			want = "packet of 20"
		}
		if _, err := Run(context.Background(), relation(t, "mesh:3x3", "dor"), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(done, relation(t, "mesh:3x3", "dor"), Settings{Load: 0.1, Flits: 1}); err == nil {
		t.Error("a cancelled run went on")
	}
}

// BenchmarkPaper measures the set-up of the 2-D turn model paper: 64 switches with 4 hosts, 128
// flits, virtual cut-through, 1,000,000 clocks.
func BenchmarkPaper(b *testing.B) {
	r := relation(b, "random:switches=64,degree=4,hosts=4,seed=1", "updown")
	for _, load := range []float64{0.02, 0.05} {
		b.Run(fmt.Sprintf("load=%v", load), func(b *testing.B) {
			s := paper(128)
			s.Load, s.Clocks, s.Warmup = load, 1_000_000, 50_000
			for range b.N {
				res, err := Run(context.Background(), r, s)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(res.Accepted, "flits/clock/host")
			}
		})
	}
}
