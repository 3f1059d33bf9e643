package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"turnproof/engine"
)

// TestBins: bins are ascending, without gaps, and within 1 % of their values.
func TestBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := engine.Clock(rapid.Int64Range(0, 1<<50).Draw(t, "value"))
		if v>>1 > 0 && rapid.Bool().Draw(t, "small") {
			v >>= rapid.IntRange(0, 49).Draw(t, "shift")
		}
		i := binOf(v)
		if low(i) > v || low(i+1) <= v || binOf(low(i)) != i || float64(low(i+1)-low(i)) > max(1, 0.01*float64(v)) {
			t.Fatalf("%d is in bin %d, from %d to %d", v, i, low(i), low(i+1))
		}
	})
}

func TestQuantiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var h histogram
	var all []float64
	for range 20000 {
		v := engine.Clock(random.ExpFloat64() * 5000)
		h.add(v)
		all = append(all, float64(v))
	}
	slices.Sort(all)
	for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.99, 1} {
		want := all[max(int(math.Ceil(q*20000))-1, 0)]
		if got := h.quantile(q); math.Abs(got-want) > 0.01*want+1 {
			t.Errorf("quantile %v: %v, sorted %v", q, got, want)
		}
	}
}

// TestConfidence: the interval holds the true mean in some 95 % of trials.
func TestConfidence(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{3, 8, 30} {
		hit := 0
		for range 4000 {
			values, mean := make([]float64, n), 0.0
			for i := range values {
				values[i] = random.NormFloat64()
				mean += values[i] / float64(n)
			}
			if math.Abs(mean) <= halfWidth(values) {
				hit++
			}
		}
		if share := float64(hit) / 4000; share < 0.935 || share > 0.965 {
			t.Errorf("%d values: %.3f of the intervals hold the mean", n, share)
		}
	}
}

func TestMeter(t *testing.T) {
	m := New(Options{Warmup: 100, Hosts: 2, Batch: 50})
	for i := range engine.Clock(38) { // a packet of 4 flits every 10 clocks, latency 20
		m.Deliver(engine.Delivery{Packet: engine.Packet{Created: 10 * i, Flits: 4}, Injected: 10*i + 5, Arrived: 10*i + 20})
	}
	r := m.Result(400)
	if r.MeanLatency != 20 || r.Median != 20 || r.P99 != 20 || r.MeanNetworkLatency != 15 || r.MaxLatency != 20 || r.LatencyError != 0 {
		t.Errorf("%+v", r)
	}
	if math.Abs(r.Accepted-4.0/10/2) > 0.01 || r.Packets != 28 {
		t.Errorf("%+v", r)
	}
	if r := New(Options{Hosts: 1}).Result(10); !math.IsNaN(r.MeanLatency) || r.Accepted != 0 {
		t.Errorf("nothing: %+v", r)
	}
}
