package measure

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine"
)

// TestSaturation: for the latencies of a queue, 20 + load/(capacity - load), Saturation finds the
// load at which the latency exceeds the limit, slightly above 60.
func TestSaturation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.Float64Range(0.02, 1.5).Draw(t, "capacity")
		latency := func(load float64) float64 { return 20 + load/(capacity-load) }
		s, err := Saturation(func(load float64) (float64, bool) { return latency(load), load < capacity }, SaturationOptions{})
		if err != nil {
			t.Fatal(err)
		}
		limit := 3 * latency(0.005)
		exact := min(capacity*(limit-20)/(limit-19), 1)
		if s.Load > exact+1e-12 || exact-s.Load > 0.005 || s.Limit != limit || s.ZeroLoad != latency(0.005) {
			t.Fatalf("%+v, exactly %v", s, exact)
		}
		if len(s.Tried) > 11 {
			t.Fatalf("%d runs", len(s.Tried))
		}
	})
}

// TestSaturationOdd: for latencies that are not monotonic or missing, the load found is within the
// limit, and a load slightly above is not.
func TestSaturationOdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		run := func(load float64) (float64, bool) {
			bits := (math.Float64bits(load) ^ seed) * 0x9e3779b97f4a7c15 >> 60
			switch {
			case load == 0.005:
				return 10, true
			case bits < 2:
				return math.NaN(), true
			case bits < 4:
				return 1, false
			}
			return float64(4 * bits), true
		}
		s, err := Saturation(run, SaturationOptions{Tolerance: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		below, above := false, s.Load == 1
		for _, p := range s.Tried {
			below = below || p.OK && p.Load == s.Load && p.Latency <= s.Limit
			above = above || !p.OK && p.Load > s.Load && p.Load <= s.Load+0.01
		}
		if !below || !above {
			t.Fatalf("%+v", s)
		}
	})
}

func TestSaturationErrors(t *testing.T) {
	flat := func(float64) (float64, bool) { return 10, true }
	if s, err := Saturation(flat, SaturationOptions{Max: 0.6}); err != nil || s.Load != 0.6 || len(s.Tried) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, o := range []SaturationOptions{{ZeroLoad: 1}, {Max: 1.5}, {Tolerance: -1}, {Factor: 0.5}, {ZeroLoad: math.NaN()}} {
		if _, err := Saturation(flat, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	for _, latency := range []float64{math.NaN(), 0, math.Inf(1)} {
		if s, err := Saturation(func(float64) (float64, bool) { return latency, true }, SaturationOptions{}); err == nil || s.Tried[0].OK {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if _, err := Saturation(func(float64) (float64, bool) { return 10, false }, SaturationOptions{}); err == nil {
		t.Error("a network that is always frozen has a saturation")
	}
}

func TestPeak(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		loads, accepted   []float64
		wantLoad, wantMax float64
	}{
		{[]float64{0.1, 0.2, 0.3, 0.4}, []float64{0.1, 0.2, 0.25, 0.21}, 0.3, 0.25},
		{[]float64{0.1, 0.2, 0.3}, []float64{nan, 0.2, 0.2}, 0.2, 0.2},
		{[]float64{0.1}, []float64{nan}, nan, nan},
		{nil, nil, nan, nan},
	} {
		i := -1
		load, accepted := Peak(c.loads, func(float64) float64 { i++; return c.accepted[i] })
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !same(load, c.wantLoad) || !same(accepted, c.wantMax) {
			t.Errorf("%v: %v at %v", c.accepted, accepted, load)
		}
	}
}

// TestSeries: the points cover all samples in order, and there are never more than the limit.
func TestSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(2, 9).Draw(t, "limit")
		values := rapid.SliceOfN(rapid.Float64Range(-5, 5), 0, 200).Draw(t, "values")
		s := NewSeries(limit)
		for i, v := range values {
			s.Add(engine.Clock(10*i), v)
			if k := len(s.Points()); k > limit || i >= limit && k < limit/2 {
				t.Fatalf("%d points of %d samples, limit %d", k, i+1, limit)
			}
		}
		at := 0
		for i, p := range s.Points() {
			part := values[at : at+int(p.Samples)]
			mean, least, most := 0.0, math.Inf(1), math.Inf(-1)
			for _, v := range part {
				mean += v / float64(len(part))
				least, most = min(least, v), max(most, v)
			}
			if p.Clock != engine.Clock(10*at) || math.Abs(p.Mean-mean) > 1e-9 || p.Min != least || p.Max != most || i+1 < len(s.Points()) && p.Samples != s.Points()[0].Samples {
				t.Fatalf("point %d: %+v of %v", i, p, part)
			}
			at += len(part)
		}
		if at != len(values) {
			t.Fatalf("points of %d samples, there were %d", at, len(values))
		}
	})
}
