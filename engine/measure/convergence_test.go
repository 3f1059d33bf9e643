package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// TestWarmUpEnd: the end of the warm-up minimizes the standard error, computed for each number of
// left-out intervals separately.
func TestWarmUpEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(1, 1000), 0, 40).Draw(t, "latencies")
		w := warmUp{}
		for i, v := range values {
			w.add(engine.Clock(64*i+rapid.IntRange(0, 63).Draw(t, "clock")), engine.Clock(v))
		}
		n := max(len(values)-1, 0) // the last interval may be incomplete
		error2 := func(left int) float64 {
			mean, sum := 0.0, 0.0
			for _, v := range values[left:n] {
				mean += float64(v) / float64(n-left)
			}
			for _, v := range values[left:n] {
				sum += (float64(v) - mean) * (float64(v) - mean)
			}
			return sum / float64(n-left) / float64(n-left)
		}
		got := w.end()
		if n < 5 {
			if got != -1 {
				t.Fatalf("clock %d of %d intervals", got, n)
			}
			return
		}
		least := math.Inf(1)
		for left := range n - 4 {
			least = min(least, error2(left))
		}
		if got >= 0 && (got%64 != 0 || int(got/64) > n/2 || error2(int(got/64)) > least*(1+1e-9)+1e-6) {
			t.Fatalf("clock %d, error %v, least %v", got, error2(int(got/64)), least)
		}
		if got < 0 && error2(n/2) <= least*(1-1e-9)-1e-6 {
			t.Fatalf("no end of the warm-up, but the least error %v is at half", least)
		}
	})
}

// TestWarmUpJoins: joining intervals keeps the mean, and the detected clock of a run whose latency
// settles at a known clock is near it, for any length.
func TestWarmUpJoins(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 5))
	for _, clocks := range []engine.Clock{20_000, 100_000, 3_000_000} {
		settles := clocks / 10
		w, packets, sum := warmUp{}, 0.0, 0.0
		for c := engine.Clock(0); c < clocks; c += engine.Clock(1 + random.IntN(20)) {
			latency := 40 + 5*random.NormFloat64() - 30*math.Exp(-5*float64(c)/float64(settles))
			w.add(c, engine.Clock(latency))
			packets++
			sum += float64(engine.Clock(latency))
		}
		kept, keptPackets := 0.0, 0.0
		for _, x := range w.list {
			kept += x.sum
			keptPackets += x.packets
		}
		if kept != sum || keptPackets != packets || len(w.list) > mostIntervals {
			t.Errorf("%d clocks: %v of %v packets, latencies %v of %v, %d intervals", clocks, keptPackets, packets, kept, sum, len(w.list))
		}
		if end := w.end(); end < settles/4 || end > 2*settles {
			t.Errorf("%d clocks: warm-up to clock %d, want about %d", clocks, end, settles)
		}
	}
}

// queue simulates a queue with the given load for each host by Lindley's recursion: services take
// one clock each.
func queue(m *Meter, hosts int, load float64, clocks engine.Clock, random *rand.Rand) {
	type packet struct{ created, arrived engine.Clock }
	byClock := make([][]engine.Delivery, clocks)
	for h := range hosts {
		free := engine.Clock(0)
		for c := range clocks {
			if random.Float64() >= load {
				continue
			}
			p := packet{c, max(c+1, free)}
			free = p.arrived + engine.Clock(1+random.IntN(2)) // mean service of 1.5 clocks
			if p.arrived < clocks {
				byClock[p.arrived] = append(byClock[p.arrived], engine.Delivery{Packet: engine.Packet{Created: c, Source: model.HostID(h),
					Dest: model.DestID(h), Flits: 1}, Injected: c, Arrived: p.arrived})
			}
		}
	}
	for _, list := range byClock {
		for _, d := range list {
			m.Deliver(d)
		}
	}
}

// TestConvergence: a queue below saturation converges, one above it does not and falls behind by
// the load that it cannot serve. A run that is too short does not converge either.
func TestConvergence(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 6))
	for _, c := range []struct {
		load      float64
		clocks    engine.Clock
		converges bool
	}{{0.2, 50_000, true}, {0.5, 50_000, true}, {0.6, 200_000, true}, {0.7, 50_000, false}, {0.9, 50_000, false}, {0.6, 2000, false}} {
		m := New(Options{Warmup: c.clocks / 5, Hosts: 4, Batch: max(1000, c.clocks*4/5/30)})
		queue(m, 4, c.load, c.clocks, random)
		r := m.Result(c.clocks)
		want := max(0, 1-1/1.5/c.load)
		if converged := r.Unsettled == ""; converged != c.converges || c.clocks > 10_000 && math.Abs(r.Lag-want) > 0.01 {
			t.Errorf("load %v, %d clocks: lag %v, want %v; %q", c.load, c.clocks, r.Lag, want, r.Unsettled)
		}
	}
}

// TestFalseAlarms: of runs in a steady state at most one in fifty counts as unsettled.
func TestFalseAlarms(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 7))
	alarms := 0
	for range 100 {
		m := New(Options{Warmup: 4000, Hosts: 2, Batch: 1000})
		queue(m, 2, 0.5, 30_000, random)
		if r := m.Result(30_000); r.Unsettled != "" {
			alarms++
			t.Log(r.Unsettled)
		}
	}
	if alarms > 2 {
		t.Errorf("%d of 100", alarms)
	}
}

// TestFiniteTraffic: traffic that ends has no convergence.
func TestFiniteTraffic(t *testing.T) {
	m := New(Options{Hosts: 2, Finite: true})
	queue(m, 2, 0.9, 2000, rand.New(rand.NewPCG(1, 1)))
	if r := m.Result(2000); r.Convergence != (Convergence{}) {
		t.Errorf("%+v", r.Convergence)
	}
}
