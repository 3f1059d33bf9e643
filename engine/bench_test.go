package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// uniform sends packets to random hosts; the sender may draw itself.
type uniform struct {
	r     []rand.PCG
	at    []Clock
	p     float64
	flits int
	hosts uint64
}

func (u *uniform) Next(h model.HostID) (Packet, bool) {
	x := float64(u.r[h].Uint64()>>11) / (1 << 53)
	u.at[h] += 1 + Clock(math.Log(1-x)/math.Log(1-u.p))
	return Packet{Created: u.at[h], Source: h, Dest: model.DestID(u.r[h].Uint64() % u.hosts), Flits: u.flits}, true
}

// Separate implements Separate.
func (u *uniform) Separate() bool { return true }

func BenchmarkUniform(b *testing.B) {
	for _, c := range []struct {
		spec, routing string
		flits         int
		load          float64
	}{
		{"torus:8x8,vcs=2", "dor-booksim", 8, 0.1945}, {"torus:8x8,vcs=2", "dor-booksim", 1, 0.157},
		{"mesh:8x8,vcs=4", "dor", 8, 0.225}, {"mesh:8x8,vcs=4", "dor", 1, 0.2484},
		{"mesh:8x8,vcs=4", "duato", 8, 0.1992}, {"mesh:8x8,vcs=4", "duato", 1, 0.2}, {"mesh:8x8", "dor", 8, 0.1336}, {"mesh:8x8", "dor", 1, 0.0844},
		{"torus:16x16,vcs=2", "dor-booksim", 8, 0.1102}, {"torus:16x16,vcs=2", "dor-booksim", 1, 0.082},
		{"torus:32x32,vcs=2", "dor-booksim", 8, 0.055}, {"torus:32x32,vcs=2", "dor-booksim", 1, 0.036},
	} {
		b.Run(fmt.Sprintf("%s/%s/flits=%d", c.spec, c.routing, c.flits), func(b *testing.B) {
			s, sum := bench(b, c.spec, c.routing, c.load, c.flits), Clock(0)
			s.report = func(d Delivery) { sum += d.Arrived - d.Created }
			run := func(clocks Clock) {
				if err := s.Run(context.Background(), clocks); err != nil {
					b.Fatal(err)
				}
			}
			run(5000)
			hops, clocks, count := s.hops, s.now, s.delivered
			sum = 0
			began := userSeconds()
			b.ResetTimer()
			for range b.N {
				run(1000)
			}
			d := userSeconds() - began
			b.ReportMetric(float64(s.hops-hops)/d/1e6, "Mhops/s")
			b.ReportMetric(float64(s.now-clocks)/d/1e3, "kclocks/s")
			b.ReportMetric(float64(sum)/float64(s.delivered-count), "latency")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkIdle measures a clock in which nothing moves.
func BenchmarkIdle(b *testing.B) {
	for _, spec := range []string{"torus:8x8,vcs=2", "torus:32x32,vcs=2"} {
		b.Run(spec, func(b *testing.B) {
			s := bench(b, spec, "dor", 0, 8)
			b.ResetTimer()
			if err := s.Run(context.Background(), Clock(b.N)); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkLoad measures a flit hop at 2, 10, 30, 60 and 90 % of saturation.
func BenchmarkLoad(b *testing.B) {
	for _, part := range []float64{0.02, 0.1, 0.3, 0.6, 0.9} {
		for _, c := range []struct {
			flits      int
			saturation float64
		}{{8, 0.324}, {1, 0.262}} {
			b.Run(fmt.Sprintf("torus:8x8/flits=%d/load=%v", c.flits, part), func(b *testing.B) {
				s := bench(b, "torus:8x8,vcs=2", "dor-booksim", part*c.saturation, c.flits)
				if err := s.Run(context.Background(), 5000); err != nil {
					b.Fatal(err)
				}
				hops, began := s.hops, userSeconds()
				b.ResetTimer()
				for range b.N {
					if err := s.Run(context.Background(), 1000); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((userSeconds()-began)*1e9/float64(s.hops-hops), "ns/hop")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// bench returns a simulation under uniform load.
func bench(t testing.TB, spec, routing string, load float64, flits int) *Sim {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	u := &uniform{r: make([]rand.PCG, n.NumHosts()), at: make([]Clock, n.NumHosts()), p: load / float64(flits), flits: flits, hosts: uint64(n.NumHosts())}
	for h := range u.r {
		u.r[h] = *rand.NewPCG(1, uint64(h))
		u.at[h] = -1
	}
	var source Source = u
	if load == 0 {
		source = &listSource{lists: make([][]Packet, n.NumHosts())}
	}
	o := Options{}
	if routing == "dor-booksim" {
		o.Select = SelectDrawn
	}
	s, err := New(r, source, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNoAllocation: in steady state the engine allocates nothing per flit or packet. Lists that
// have not reached their final length may still grow.
func TestNoAllocation(t *testing.T) {
	for _, flits := range []int{1, 8} {
		s := bench(t, "torus:8x8,vcs=2", "dor-booksim", 0.15, flits)
		if err := s.Run(context.Background(), 20000); err != nil {
			t.Fatal(err)
		}
		before := s.delivered
		if allocs := testing.AllocsPerRun(5, func() {
			if err := s.Run(context.Background(), 1000); err != nil {
				t.Fatal(err)
			}
		}); allocs > 20 || s.delivered-before < 5000 {
			t.Errorf("packets of %d: %v allocations in 1000 clocks, %d packets in 6000", flits, allocs, s.delivered-before)
		}
	}
}

// BenchmarkControl measures a collective on the torus of the flow limiting paper, with the shuffle
// pattern and dimension-order routing: without control, with gates, with throttling, and with
// gates whose VCinfo travels on a separate network.
func BenchmarkControl(b *testing.B) {
	gates := rule(b, "both,level=8,unit=packet")
	for _, c := range []struct {
		name string
		o    Options
	}{{"none", Options{}}, {"gates", Options{Gate: gates}}, {"dedicated", Options{Gate: gates, Control: DedicatedControl}}, {"throttling",
		Options{Throttle: &Throttle{Mobility: 0.6, Occupancy: 0.2, Starts: true}}}} {
		b.Run(c.name, func(b *testing.B) {
			r := routed(b, "torus:32x32,vcs=2", "dor")
			c.o.Switching, c.o.BufferFlits, c.o.MaxFlits, c.o.Arbiter = model.CutThrough, 15, 8, FirstCome
			hops := int64(0)
			for b.Loop() {
				source := &listSource{lists: make([][]Packet, 1024)}
				for h := range source.lists {
					for range 10 {
						source.lists[h] = append(source.lists[h], Packet{Source: model.HostID(h), Dest: model.DestID(h<<1&1023 | h>>9), Flits: 8})
					}
				}
				s, err := New(r, source, c.o, nil)
				if err != nil {
					b.Fatal(err)
				}
				for s.delivered < 10240 {
					if err := s.Run(context.Background(), 64); err != nil {
						b.Fatal(err)
					}
				}
				hops += s.hops
			}
			b.ReportMetric(float64(hops)/b.Elapsed().Seconds()/1e6, "Mhops/s")
		})
	}
}
