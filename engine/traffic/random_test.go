package traffic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// This file holds patterns that are drawn against their probabilities. Seeds are
// fixed; a bound of 5 deviations would fail by chance in one of a million.

// checkShares draws from a host and compares the counts with probabilities, by
// the chi-square statistic, whose mean is the degrees of freedom and whose
// variance is twice that.
func checkShares(t *testing.T, what string, p Pattern, h model.HostID, want []float64) {
	t.Helper()
	const draws = 200_000
	random := rand.New(rand.NewPCG(7, uint64(h)))
	count := make([]float64, len(want))
	for range draws {
		count[p.Dest(h, random)]++
	}
	sum, degrees := 0.0, -1.0
	for d, share := range want {
		if share == 0 {
			if count[d] > 0 {
				t.Errorf("%s: host %d sends to %d", what, h, d)
			}
			continue
		}
		sum += (count[d] - draws*share) * (count[d] - draws*share) / (draws * share)
		degrees++
	}
	if math.Abs(sum-degrees) > 5*math.Sqrt(2*degrees) {
		t.Errorf("%s: host %d: chi-square %.1f with %v degrees of freedom", what, h, sum, degrees)
	}
}

func TestUniform(t *testing.T) {
	n := network(t, "mesh:5x4")
	for _, h := range []model.HostID{0, 7, 19} {
		others, all, hot := make([]float64, 20), make([]float64, 20), make([]float64, 20)
		for d := range others {
			all[d] = 1. / 20
			if model.HostID(d) != h {
				others[d] = 1. / 19
				hot[d] = 0.7 / 19
			}
		}
		hot[7] += 0.3 * 2 / 3
		hot[3] += 0.3 / 3
		checkShares(t, "uniform", pattern(t, "uniform", n, 0), h, others)
		checkShares(t, "uniform-self", pattern(t, "uniform-self", n, 0), h, all)
		checkShares(t, "hotspot", pattern(t, "hotspot:0.3@7+3+7", n, 0), h, hot)
		checkShares(t, "uniform matrix", fromTraffic(t, n, model.UniformTraffic(n)), h, others)
	}
}

func fromTraffic(t *testing.T, n *model.Network, m *model.Traffic) Pattern {
	t.Helper()
	p, err := FromTraffic(n, m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestMatrix checks matrices of two halves with single pairs, and the shares of hosts by what they
// send.
func TestMatrix(t *testing.T) {
	n := network(t, "mesh:4x3")
	m, err := model.HalvesTraffic(n, 3, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range []struct {
		from, to model.HostID
		amount   float64
	}{{0, 1, 40}, {0, 5, 0}, {2, 2, 9}, {5, 11, 1e-100}, {11, 0, 0.5}, {11, 1, 0.5}} {
		if err := m.Set(pair.from, pair.to, pair.amount); err != nil {
			t.Fatal(err)
		}
	}
	for d := range model.HostID(12) { // host 4 sends none, host 9 to 10 only
		amount := 0.0
		if err := m.Set(4, d, 0); err != nil {
			t.Fatal(err)
		}
		if d == 10 {
			amount = 2
		}
		if err := m.Set(9, d, amount); err != nil {
			t.Fatal(err)
		}
	}
	p := fromTraffic(t, n, m)
	most := 40 + 3*3 + 6*0.25 // host 0
	for h := range model.HostID(12) {
		want, sum := make([]float64, 12), 0.0
		for d := range want {
			want[d] = m.Between(h, model.HostID(d))
			sum += want[d]
		}
		if got := Share(p, h); math.Abs(got-sum/most) > 1e-12 {
			t.Errorf("host %d has share %v, want %v", h, got, sum/most)
		}
		if sum == 0 {
			if d := p.Dest(h, nil); d != model.NoHost {
				t.Errorf("host %d sends to %d", h, d)
			}
			continue
		}
		for d := range want {
			want[d] /= sum
			if want[d] < 1e-50 {
				want[d] = 0
			}
		}
		checkShares(t, "matrix", p, h, want)
	}
}

// TestMatrixExtremes checks that amounts of very different sizes are drawn correctly.
func TestMatrixExtremes(t *testing.T) {
	n := network(t, "ring:5")
	zero, err := model.GroupTraffic(n, make([]int32, 5), [][]float64{{0}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FromTraffic(n, zero); err == nil {
		t.Error("traffic without a sender is accepted")
	}
	for d, amount := range []float64{0, model.MaxTraffic, 0, model.MinTraffic, 1} {
		if err := zero.Set(0, model.HostID(d), amount); err != nil {
			t.Fatal(err)
		}
	}
	if err := zero.Set(1, 3, model.MinTraffic); err != nil {
		t.Fatal(err)
	}
	p := fromTraffic(t, n, zero)
	checkShares(t, "largest", p, 0, []float64{0, 1, 0, 0, 0})
	checkShares(t, "least", p, 1, []float64{0, 0, 0, 1, 0})
	s, err := New(n, p, Options{Load: 1, Flits: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := s.Next(1); ok {
		t.Errorf("a host with a load of 1e-200 sends in clock %d", got.Created)
	}
}
