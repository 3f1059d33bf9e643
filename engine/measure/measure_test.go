package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// TestBins: bins ascend without gaps, and differ from their values by at most 1 %.
func TestBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := clock(t, "value")
		i := binOf(v)
		if low(i) > v || low(i+1) <= v || binOf(low(i)) != i || float64(low(i+1)-low(i)) > max(1, 0.01*float64(v)) {
			t.Fatalf("%d is in bin %d, from %d to %d", v, i, low(i), low(i+1))
		}
	})
}

// clock draws a clock of any magnitude.
func clock(t *rapid.T, what string) engine.Clock {
	return engine.Clock(rapid.Int64Range(0, 1<<50).Draw(t, what)) >> rapid.IntRange(0, 49).Draw(t, "shift of the "+what)
}

// TestQuantiles: quantiles differ from those of the sorted values by at most 1 %. For small values
// they are exact.
func TestQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h histogram
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) engine.Clock { return clock(t, "value") }), 1, 200).Draw(t, "values")
		sum := 0.0
		for _, v := range all {
			h.add(v)
			sum += float64(v)
		}
		slices.Sort(all)
		for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.99, 1, rapid.Float64Range(0, 1).Draw(t, "quantile")} {
			want := float64(all[max(int(math.Ceil(q*float64(len(all))))-1, 0)])
			if got := h.quantile(q); math.Abs(got-want) > 0.01*want || want < 256 && got != want {
				t.Fatalf("quantile %v: %v, sorted %v", q, got, want)
			}
		}
		if h.quantile(1) != float64(all[len(all)-1]) || h.mean() != sum/float64(len(all)) {
			t.Fatalf("largest %v, mean %v", h.quantile(1), h.mean())
		}
	})
	if h := new(histogram); !math.IsNaN(h.quantile(0.5)) || !math.IsNaN(h.mean()) {
		t.Error("a quantile of nothing")
	}
}

// TestConfidence: the interval contains the true mean in about 95 % of trials.
func TestConfidence(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{2, 3, 8, 11, 30} {
		hit := 0
		for range 4000 {
			values, mean := make([]float64, n), 0.0
			for i := range values {
				values[i] = random.NormFloat64()
				mean += values[i] / float64(n)
			}
			if math.Abs(mean) <= HalfWidth(values) {
				hit++
			}
		}
		if share := float64(hit) / 4000; share < 0.935 || share > 0.965 {
			t.Errorf("%d values: %.3f of the intervals hold the mean", n, share)
		}
	}
	if !math.IsNaN(HalfWidth([]float64{3})) {
		t.Error("an interval of one value")
	}
}

// TestCoverage: if latencies and loads are correlated over about 300 clocks, the interval still
// contains the true mean in about 95 % of the runs.
func TestCoverage(t *testing.T) {
	const runs, warmup, window = 400, 1000, 60_000
	random := rand.New(rand.NewPCG(3, 3))
	latencies, loads := 0, 0
	for range runs {
		m := New(Options{Warmup: warmup, Hosts: 1})
		state, load := 0.0, 0.0
		for at := engine.Clock(0); at < warmup+window; at += 10 {
			state = 0.97*state + math.Sqrt(1-0.97*0.97)*random.NormFloat64()
			load = 0.97*load + math.Sqrt(1-0.97*0.97)*random.NormFloat64()
			latency := engine.Clock(math.Round(200 + 20*state))
			m.Deliver(engine.Delivery{Packet: engine.Packet{Created: max(at-latency, 0), Flits: int(math.Round(100 + 10*load))}, Arrived: at})
		}
		r := m.Result(warmup + window)
		if math.Abs(r.ArrivedLatency-200) <= r.LatencyError {
			latencies++
		}
		if math.Abs(r.Accepted-10) <= r.AcceptedError {
			loads++
		}
	}
	for what, hits := range map[string]int{"latency": latencies, "load": loads} {
		if share := float64(hits) / runs; share < 0.91 || share > 0.985 {
			t.Errorf("%s: %.3f of the intervals hold the mean", what, share)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, c := range []struct{ batches, want, size int }{{0, 0, 1}, {1, 1, 1}, {19, 19, 1}, {39, 39, 1}, {40, 20, 2}, {59, 29, 2}, {60, 20, 3}, {1000, 20, 50}} {
		list := make([]batch, c.batches)
		for i := range list {
			list[i] = batch{latency: 1, packets: 2, flits: int64(i)}
		}
		got, size := join(list)
		if len(got) != c.want || size != c.size {
			t.Errorf("%d batches: %d of %d", c.batches, len(got), size)
		}
		if k := len(got); k > 0 && (got[k-1].packets != int64(2*size) || got[k-1].latency != float64(size) || size == 2 && got[k-1].flits != int64(2*c.batches-3)) {
			t.Errorf("%d batches: the last is %+v", c.batches, got[k-1])
		}
	}
}

func TestMeter(t *testing.T) {
	m := New(Options{Warmup: 100, Hosts: 2, Batch: 50})
	for i := range engine.Clock(38) { // a packet of 4 flits every 10 clocks, latency 20
		m.Deliver(engine.Delivery{Packet: engine.Packet{Created: 10 * i, Flits: 4, Dest: model.DestID(i % 3 / 2)}, Injected: 10*i + 5, Arrived: 10*i + 20})
	}
	r := m.Result(400)
	if r.MeanLatency != 20 || r.Median != 20 || r.P99 != 20 || r.MeanNetworkLatency != 15 || r.MaxLatency != 20 || r.LatencyError != 0 || r.ArrivedLatency != 20 {
		t.Errorf("%+v", r)
	}
	if math.Abs(r.Accepted-4.0/10/2) > 0.01 || r.Packets != 28 || r.Arrived != 30 {
		t.Errorf("%+v", r)
	}
	if r.WorstHost != 1 || r.WorstAccepted != 4*10./300 {
		t.Errorf("host %d gets %v", r.WorstHost, r.WorstAccepted)
	}
}

// TestWindow: each packet counts for load, for latency, for both or for neither, by its clocks of
// creation and arrival.
func TestWindow(t *testing.T) {
	m := New(Options{Warmup: 100, Until: 200, Hosts: 1, Batch: 30})
	for _, c := range []struct{ created, arrived engine.Clock }{
		{0, 99},    // counts for neither
		{50, 150},  // counts for load
		{100, 199}, // counts for both
		{100, 260}, // counts for latency
		{199, 700}, // counts for latency
		{200, 201}, // counts for neither
	} {
		m.Deliver(engine.Delivery{Packet: engine.Packet{Created: c.created, Flits: 3}, Injected: c.created + 1, Arrived: c.arrived})
	}
	r := m.Result(800)
	if r.Packets != 3 || r.Arrived != 2 || r.Accepted != 6./100 || r.MeanLatency != (99+160+501)/3. || r.MaxLatency != 501 ||
		r.MeanNetworkLatency != r.MeanLatency-1 || r.ArrivedLatency != 99.5 {
		t.Errorf("%+v", r)
	}
	if len(m.batches) != 4 || m.batches[2].packets != 2 || m.batches[3].packets != 1 || m.batches[1].flits != 3 {
		t.Errorf("%+v", m.batches)
	}
}

// TestNothing: results without packets, without a window, and with packets to no host.
func TestNothing(t *testing.T) {
	r := New(Options{Hosts: 1}).Result(10)
	if !math.IsNaN(r.MeanLatency) || !math.IsNaN(r.ArrivedLatency) || r.Accepted != 0 || r.WorstAccepted != 0 || r.WorstHost != 0 {
		t.Errorf("nothing: %+v", r)
	}
	if r := New(Options{Hosts: 1, Warmup: 20}).Result(10); !math.IsNaN(r.Accepted) || !math.IsNaN(r.WorstAccepted) || r.WorstHost != model.NoHost {
		t.Errorf("no window: %+v", r)
	}
	m := New(Options{Hosts: 1, HostOf: func(d model.DestID) model.HostID { return model.HostID(d / 2) }})
	for d := range model.DestID(3) {
		m.Deliver(engine.Delivery{Packet: engine.Packet{Dest: d, Flits: 5}, Arrived: 3})
	}
	if r := m.Result(10); r.Accepted != 1.5 || r.WorstAccepted != 1 || r.WorstHost != 0 {
		t.Errorf("a management endpoint: %+v", r)
	}
}

// TestFrozen: batches in which no packet arrives count, also at the end of the run.
func TestFrozen(t *testing.T) {
	m := New(Options{Hosts: 1, Batch: 10})
	m.Deliver(engine.Delivery{Packet: engine.Packet{Flits: 10}, Arrived: 5})
	if r := m.Result(20); math.Abs(r.AcceptedError-12.706*0.5) > 1e-9 || r.Accepted != 0.5 {
		t.Errorf("%+v", r)
	}
}
