package sweep

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/internal/batch"
)

// saturating simulates networks that accept a load up to at, which depends on the seed, with the noise of a short run.
func saturating(at func(seed uint64) float64, rng *rand.Rand) Simulate {
	return func(_ context.Context, p Point) (Result, error) {
		noise := 0.002 * rng.NormFloat64() * math.Sqrt(50_000/float64(p.Settings.Clocks))
		s := at(p.Seed)
		r := Result{Offered: p.Load, Accepted: min(p.Load, s) * (1 + noise), Clocks: p.Settings.Clocks}
		r.Lag = max(0, 1-s/p.Load+noise)
		return r, nil
	}
}

// TestSaturation: the search finds the load at which a network stops to follow, within its precision, with a tenth of the clocks of a
// grid of the same precision.
func TestSaturation(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 5))
	at := func(seed uint64) float64 { return 0.01 * float64(seed*seed) }
	e := &Experiment{Networks: []string{"n"}, Routings: []string{"r"}, Traffics: []string{"t"}, Seeds: []uint64{1, 2, 3, 5, 7, 8, 9}}
	w, err := e.Saturations("", 0.01, saturating(at, rng), nil)
	if err != nil {
		t.Fatal(err)
	}
	found, err := batch.Run(t.Context(), w, batch.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range found.Results {
		want := at(e.Seeds[i]) / (1 - measure.MaxLag)
		if s.Load > s.Above || s.Above-s.Load > 0.0101*s.Above || math.Abs(s.Load-want) > 0.013*want {
			t.Errorf("between %v and %v, want about %v", s.Load, s.Above, want)
		}
		if grid := 100 * e.Settings.Clocks; s.Clocks > grid/10 {
			t.Errorf("%d clocks; a grid has %d", s.Clocks, grid)
		}
		for k := 1; k < len(s.Results); k++ {
			if s.Results[k-1].Point.Load >= s.Results[k].Point.Load {
				t.Errorf("loads %v and %v", s.Results[k-1].Point.Load, s.Results[k].Point.Load)
			}
		}
	}
}

// TestSaturationExtremes: a network that follows every load, one that follows none, and one that deadlocks from some load on.
func TestSaturationExtremes(t *testing.T) {
	for _, c := range []struct {
		run               Simulate
		load, above, near float64
	}{
		{func(_ context.Context, p Point) (Result, error) { return Result{Accepted: p.Load}, nil }, 1, 0, 0},
		{func(_ context.Context, p Point) (Result, error) { return Result{Lag: 1}, nil }, 0, 0.0001, 0.0001},
		{func(_ context.Context, p Point) (Result, error) {
			return Result{Accepted: min(p.Load, 0.05), Deadlock: p.Load > 0.3}, nil
		}, 0.3, 0.3, 0.004},
	} {
		e := &Experiment{Networks: []string{"n"}, Routings: []string{"r"}, Traffics: []string{"t"}}
		w, err := e.Saturations("", 0.01, c.run, nil)
		if err != nil {
			t.Fatal(err)
		}
		found, err := batch.Run(t.Context(), w, batch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s := found.Results[0]; math.Abs(s.Load-c.load) > c.near || math.Abs(s.Above-c.above) > c.near {
			t.Errorf("between %v and %v, want %v and %v", s.Load, s.Above, c.load, c.above)
		}
	}
	fails := errors.New("no network")
	e := &Experiment{Networks: []string{"n"}, Routings: []string{"r"}, Traffics: []string{"t"}}
	w, err := e.Saturations("", 0.01, func(context.Context, Point) (Result, error) { return Result{}, fails }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := batch.Run(t.Context(), w, batch.Options{}); !errors.Is(err, fails) {
		t.Errorf("error %v", err)
	}
	for _, precision := range []float64{0, 0.9, math.NaN()} {
		if _, err := e.Saturations("", precision, nil, nil); err == nil {
			t.Errorf("precision %v", precision)
		}
	}
}

// TestSaturationOfCollapse: a network that follows a load in short runs and collapses in long ones saturates where the long runs
// collapse. Deadlocks at high loads do not keep the search from loads in between.
func TestSaturationOfCollapse(t *testing.T) {
	for _, c := range []struct {
		run  Simulate
		want float64
	}{
		{func(_ context.Context, p Point) (Result, error) {
			r := Result{Accepted: min(p.Load, 0.5), Lag: max(0, 1-0.5/p.Load)}
			if p.Load > 0.4 && p.Settings.Clocks > 40_000 {
				r.Lag = 0.2
			}
			return r, nil
		}, 0.4},
		{func(_ context.Context, p Point) (Result, error) {
			r := Result{Accepted: p.Load, Deadlock: p.Load > 0.31}
			if r.Deadlock {
				r.Accepted = 0
			}
			return r, nil
		}, 0.31},
	} {
		e := &Experiment{Networks: []string{"n"}, Routings: []string{"r"}, Traffics: []string{"t"}}
		w, err := e.Saturations("", 0.01, c.run, nil)
		if err != nil {
			t.Fatal(err)
		}
		found, err := batch.Run(t.Context(), w, batch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := found.Results[0]
		if s.Load > c.want || c.want > s.Above || s.Above-s.Load > 0.0101*s.Above || len(s.Results) > 40 {
			t.Errorf("between %v and %v after %d runs, want %v", s.Load, s.Above, len(s.Results), c.want)
		}
	}
}

// TestSaturationBound: the search reports no load above the bound, and reports the bound. Without it, the mean over hosts hides the few
// behind a full channel.
func TestSaturationBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	e := &Experiment{Networks: []string{"n"}, Routings: []string{"r"}, Traffics: []string{"t"}, Seeds: []uint64{1, 2, 3}}
	for _, bound := range []float64{0, 0.1429, 0.3, 1} {
		at := func(seed uint64) float64 { return []float64{0.05, 0.15, 0.25}[seed-1] }
		w, err := e.Saturations("", 0.01, saturating(at, rng), func(context.Context, Point) (float64, error) { return bound, nil })
		if err != nil {
			t.Fatal(err)
		}
		found, err := batch.Run(t.Context(), w, batch.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range found.Results {
			want := at(e.Seeds[i]) / (1 - measure.MaxLag)
			if bound > 0 {
				want = min(want, bound)
			}
			if bound > 0 && s.Load > bound || s.Bound != bound || math.Abs(s.Load-want) > 0.013*want || s.Load > s.Above {
				t.Errorf("bound %v: between %v and %v, bound %v, want about %v", bound, s.Load, s.Above, s.Bound, want)
			}
		}
	}
	fails := errors.New("no bound")
	w, err := e.Saturations("", 0.01, nil, func(context.Context, Point) (float64, error) { return 0, fails })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := batch.Run(t.Context(), w, batch.Options{Workers: 1}); !errors.Is(err, fails) {
		t.Errorf("%v, want %v", err, fails)
	}
}

// TestSaturationMeans: the mean and its interval are over the seeds of a network, routing and traffic.
func TestSaturationMeans(t *testing.T) {
	of := func(routing string, seed uint64, load float64) Saturation {
		return Saturation{Load: load, Results: []Result{{Point: Point{Network: "n", Routing: routing, Traffic: "uniform", Seed: seed}}}}
	}
	means, several := SaturationMeans([]Saturation{of("a", 1, 0.1), of("a", 2, 0.2), of("b", 1, 0.3)})
	// Student's factor for two values is 12.706, their standard error 0.05.
	if !several || math.Abs(means[0].Load-0.15) > 1e-12 || means[1] != means[0] || math.Abs(means[0].Error-12.706*0.05) > 1e-9 {
		t.Errorf("%v, several %v", means, several)
	}
	if means[2].Load != 0.3 || !math.IsNaN(means[2].Error) {
		t.Errorf("one seed has %v", means[2])
	}
	if _, several := SaturationMeans([]Saturation{of("a", 1, 0.1), of("b", 1, 0.2)}); several {
		t.Error("one seed each, but several")
	}
}
