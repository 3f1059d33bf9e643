package traffic

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

func steady(t testing.TB, n *model.Network, p Pattern, o Options) *Steady {
	t.Helper()
	s, err := New(n, p, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestLoad checks that the average load of long streams is the requested one, with and without
// bursts and mixed lengths. The tolerance is 5 standard deviations of the mean, estimated from the
// hosts, which are independent.
func TestLoad(t *testing.T) {
	n := network(t, "mesh:8x8")
	p := pattern(t, "uniform", n, 0)
	for _, o := range []Options{
		{Load: 0.003, Flits: 1}, {Load: 0.3, Flits: 1}, {Load: 0.999, Flits: 1}, {Load: 0.2, Flits: 8}, {Load: 1, Flits: 8}, {Load: 0.05, Flits: 128},
		{Load: 0.4, Mixed: []int{1, 5}}, {Load: 0.4, Mixed: []int{1, 1, 1, 17}, Flits: 3},
		{Load: 0.2, Flits: 1, Burst: 10}, {Load: 0.2, Flits: 8, Burst: 4, Peak: 0.5}, {Load: 0.9, Flits: 2, Burst: 3}, {Load: 0.5, Flits: 2, Burst: 3, Peak: 0.5},
		{Load: 0.3, Mixed: []int{1, 5}, Burst: 6, Peak: 0.7}, {Load: 0.02, Flits: 1, Burst: 1.5, Peak: 0.1},
	} {
		o.Seed = 5
		s := steady(t, n, p, o)
		const packets = 4000
		length := o.mean()
		clocks := engine.Clock(packets * length / o.Load)
		sum, squares := 0.0, 0.0
		for h := range model.HostID(64) {
			flits := 0
			for p, ok := s.Next(h); ok && p.Created < clocks; p, ok = s.Next(h) {
				flits += p.Flits
			}
			load := float64(flits) / float64(clocks)
			sum += load
			squares += load * load
		}
		mean := sum / 64
		deviation := math.Sqrt(max(squares/64-mean*mean, 0) / 63)
		if math.Abs(mean-o.Load) > 5*deviation+1e-3*o.Load || deviation > 0.02*o.Load {
			t.Errorf("%+v: %.5f flits per clock and host, deviation of the mean %.5f", o, mean, deviation)
		}
	}
}

// TestStationary: the first clocks have the same load as all others, also where
// the time between bursts is long.
func TestStationary(t *testing.T) {
	n := network(t, "ring:2")
	p := pattern(t, "uniform", n, 0)
	for _, o := range []Options{{Load: 0.25, Flits: 2}, {Load: 0.1, Flits: 2, Burst: 20, Peak: 0.8}, {Load: 0.3, Flits: 1, Burst: 2}} {
		const runs, window = 20000, 4
		count := [2]float64{}
		for seed := range uint64(runs) {
			o.Seed = seed
			s := steady(t, n, p, o)
			for h := range model.HostID(2) {
				for p, ok := s.Next(h); ok && p.Created < window; p, ok = s.Next(h) {
					count[p.Created/(window/2)] += float64(p.Flits)
				}
			}
		}
		for half, flits := range count {
			load := flits / runs / window // window/2 clocks of 2 hosts
			// Packets of a burst come together: Burst times the variance.
			if math.Abs(load-o.Load) > 5*math.Sqrt(o.Load*float64(o.Flits)*max(o.Burst, 1)/runs/window) {
				t.Errorf("%+v: half %d: %.4f flits per clock and host", o, half, load)
			}
		}
	}
}

// TestGaps checks that gaps have a geometric distribution: a gap is k with probability (1-p)^(k-1)
// p.
func TestGaps(t *testing.T) {
	n := network(t, "ring:2")
	s := steady(t, n, pattern(t, "uniform", n, 0), Options{Load: 0.6, Flits: 3, Seed: 3})
	const packets = 300_000
	var count [12]float64
	last := engine.Clock(-1)
	for range packets {
		p, _ := s.Next(0)
		if k := p.Created - last; int(k) < len(count) {
			count[k]++
		}
		last = p.Created
	}
	for k := 1; k < len(count); k++ {
		want := packets * 0.2 * math.Pow(0.8, float64(k-1))
		if math.Abs(count[k]-want) > 5*math.Sqrt(want) {
			t.Errorf("%v gaps of %d, want %v", count[k], k, want)
		}
	}
	if count[0] > 0 {
		t.Error("two packets of a host in a clock")
	}
}

// TestBursts checks that bursts have the requested mean number of packets, and that packets within
// a burst arrive at the peak load.
func TestBursts(t *testing.T) {
	n := network(t, "ring:2")
	s := steady(t, n, pattern(t, "uniform", n, 0), Options{Load: 0.001, Flits: 2, Burst: 12, Peak: 1, Seed: 3})
	packets, bursts, within := 0.0, 0.0, 0.0
	last := engine.Clock(-1)
	for range 200_000 {
		p, _ := s.Next(1)
		gap := p.Created - last
		last = p.Created
		packets++
		if gap > 40 { // at a peak of half a packet a clock, 1 in 10^12 within a burst
			bursts++
			continue
		}
		within += float64(gap)
	}
	// A pause is some 24000 clocks, so few are taken for none.
	if b := packets / bursts; math.Abs(b-12) > 0.4 {
		t.Errorf("%.2f packets a burst, want 12", b)
	}
	if gap := within / (packets - bursts); math.Abs(gap-2) > 0.05 {
		t.Errorf("%.3f clocks between the packets of a burst, want 2", gap)
	}
}

// TestShares checks that each host of a matrix has its share of the load.
func TestShares(t *testing.T) {
	n := network(t, "ring:4")
	m, err := model.GroupTraffic(n, []int32{0, 1, 1, 0}, [][]float64{{0, 2}, {0.5, 0}})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Load: 0.8, Flits: 2, Seed: 1}, {Load: 0.4, Flits: 2, Burst: 3, Peak: 0.9, Seed: 1}} {
		s := steady(t, n, fromTraffic(t, n, m), o)
		if got, want := s.Offered(), o.Load*(1+0.25+0.25+1)/4; math.Abs(got-want) > 1e-12 {
			t.Errorf("offered %v, want %v", got, want)
		}
		for h, want := range []float64{1, 0.25, 0.25, 1} {
			flits := 0
			for p, ok := s.Next(model.HostID(h)); ok && p.Created < 400_000; p, ok = s.Next(model.HostID(h)) {
				flits += p.Flits
			}
			if load := float64(flits) / 400_000; math.Abs(load-want*o.Load) > 0.02*o.Load {
				t.Errorf("host %d: %.4f, want %.4f", h, load, want*o.Load)
			}
		}
	}
}

// TestEachHostForItself: what a host sends does not depend on when others are
// asked; packets have ascending clocks and IDs of their own.
func TestEachHostForItself(t *testing.T) {
	n := network(t, "mesh:3x3")
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom([]string{"uniform", "hotspot:0.5@3", "all-to-all", "permutation", "tornado"}).Draw(t, "pattern")
		o := Options{Load: rapid.Float64Range(0.01, 1).Draw(t, "load"), Flits: rapid.IntRange(1, 9).Draw(t, "flits"), Seed: rapid.Uint64().Draw(t, "seed")}
		if rapid.Bool().Draw(t, "bursts") {
			o.Burst = 5
		}
		if rapid.Bool().Draw(t, "mixed") {
			o.Mixed = []int{1, 4}
		}
		make := func() engine.Source {
			p, err := NewPattern(spec, n, o.Seed)
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(n, p, o)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		var want [9][]engine.Packet
		ids := map[int64]bool{}
		s := make()
		for h := range want {
			for range 20 {
				p, ok := s.Next(model.HostID(h))
				if !ok || ids[p.ID] || len(want[h]) > 0 && p.Created <= want[h][len(want[h])-1].Created || p.Source != model.HostID(h) {
					t.Fatalf("%+v after %+v", p, want[h])
				}
				ids[p.ID] = true
				want[h] = append(want[h], p)
			}
		}
		s = make()
		var at [9]int
		for _, h := range rapid.SliceOfN(rapid.IntRange(0, 8), 0, 60).Draw(t, "order") {
			if at[h] == 20 {
				continue
			}
			if p, _ := s.Next(model.HostID(h)); p != want[h][at[h]] {
				t.Fatalf("packet %d of host %d: %+v, want %+v", at[h], h, p, want[h][at[h]])
			}
			at[h]++
		}
	})
}

func TestNothing(t *testing.T) {
	n := network(t, "mesh:4x4,holes=1.2")
	for _, o := range []Options{{Flits: 1}, {Load: 0, Mixed: []int{3}, Burst: 4}} {
		if p, ok := steady(t, n, pattern(t, "uniform", n, 0), o).Next(3); ok {
			t.Errorf("%+v: %+v", o, p)
		}
	}
	s := steady(t, n, pattern(t, "transpose", n, 0), Options{Load: 0.5, Flits: 1})
	silent := 0
	for h := range model.HostID(15) {
		if _, ok := s.Next(h); !ok {
			silent++
		}
	}
	if silent != 1 || math.Abs(s.Offered()-0.5*14/15) > 1e-12 {
		t.Errorf("%d hosts send none, offered %v", silent, s.Offered())
	}
}

func TestOptionErrors(t *testing.T) {
	n := network(t, "ring:4")
	p := pattern(t, "uniform", n, 0)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Load: 1.01, Flits: 1}, "traffic: a load of 1.01 flits per clock and host, allowed are 0 to 1"},
		{Options{Load: -0.1, Flits: 1}, "traffic: a load of -0.1 flits"},
		{Options{Load: math.NaN(), Flits: 1}, "traffic: a load of NaN flits"},
		{Options{Load: 0.1}, "traffic: packets of 0 flits, at least 1 is needed"},
		{Options{Load: 0.1, Mixed: []int{1, -2}}, "traffic: packets of -2 flits"},
		{Options{Load: 0.1, Flits: 1, Burst: 0.5}, "traffic: bursts of 0.5 packets, allowed are 1 to 1e9"},
		{Options{Load: 0.1, Flits: 1, Burst: math.Inf(1)}, "traffic: bursts of +Inf packets"},
		{Options{Load: 0.1, Flits: 1, Peak: 1.5}, "traffic: bursts of 1.5 flits per clock, allowed are more than 0 and up to 1"},
		{Options{Load: 0.1, Flits: 1, Peak: -1}, "traffic: bursts of -1 flits per clock"},
		{Options{Load: 0.6, Flits: 1, Burst: 2, Peak: 0.5}, "traffic: a load of 0.6 flits per clock and host is more than bursts of 0.5 give"},
		{Options{Load: 0.6, Flits: 1, Dests: make([]model.DestID, 3)}, "traffic: destinations of 3 hosts, the network has 4"},
	} {
		if _, err := New(n, p, c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
}
