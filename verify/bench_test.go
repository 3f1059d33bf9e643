package verify_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// benchFamilies are tables without and with cycles, over three decades of entries.
func benchFamilies(b *testing.B, run func(*testing.B, *model.Table)) {
	for _, k := range []int{8, 24, 72, 216} {
		t := modeltest.LevelTree(k, k/2, k/2)
		b.Run(fmt.Sprintf("tree/%d", 3*k/2), func(b *testing.B) { run(b, t) })
	}
	for _, k := range []int{8, 16, 32, 64} {
		t := modeltest.Torus(k, 1)
		b.Run(fmt.Sprintf("torus/%dx%d", k, k), func(b *testing.B) { run(b, t) })
	}
}

func benchCheck(b *testing.B, t *model.Table) *verify.Report {
	rep, err := verify.Check(context.Background(), t, verify.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return rep
}

// BenchmarkCheck measures Check on a table in memory, including the independent checker.
func BenchmarkCheck(b *testing.B) {
	benchFamilies(b, func(b *testing.B, t *model.Table) {
		for b.Loop() {
			benchCheck(b, t)
		}
		b.ReportMetric(float64(t.Entries())*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	})
}

// BenchmarkChecker measures the independent checker alone.
func BenchmarkChecker(b *testing.B) {
	benchFamilies(b, func(b *testing.B, t *model.Table) {
		c := benchCheck(b, t).Certificate
		for b.Loop() {
			if err := cert.Check(c); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(t.Entries())*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	})
}

// BenchmarkRelation measures Check on relations, including the independent checker, over two decades of states. It reports
// states per second, counted for each destination, also for those that are explored together.
func BenchmarkRelation(b *testing.B) {
	for _, x := range []struct{ network, routing string }{
		{"mesh:8x8", "west-first"}, {"mesh:16x16", "west-first"}, {"mesh:32x32", "west-first"},
		{"fattree:k=8,levels=3", "updown"}, {"fattree:k=16,levels=3", "updown"}, {"fattree:k=24,levels=3", "updown"},
		{"torus:8x8,vcs=3", "duato"}, {"torus:16x16,vcs=3", "duato"}, {"torus:32x32,vcs=3", "duato"},
		{"random:switches=256,degree=8,seed=1", "updown"}, {"random:switches=1024,degree=8,seed=1", "updown"},
	} {
		b.Run(x.network+" "+x.routing, func(b *testing.B) {
			r := parse(b, x.network, x.routing)
			states := 0
			explorer := cdg.NewExplorer(r)
			for d := range model.DestID(r.Destinations()) {
				states += len(explorer.Explore(d).States)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := verify.Check(b.Context(), r, verify.Options{Open: true}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
		})
	}
}

// BenchmarkProcessors measures Check on 1 to 16 processors, as far as the machine has them. It reports the efficiency: the
// time on one processor, divided by the time and by the number of processors.
func BenchmarkProcessors(b *testing.B) {
	for _, x := range []struct{ network, routing string }{
		{"fattree:k=24,levels=3", "updown"}, {"random:switches=2048,degree=4,seed=1", "updown"}, {"torus:32x32,vcs=3", "duato"},
	} {
		r, alone := parse(b, x.network, x.routing), 0.0
		for p := 1; p <= min(16, runtime.NumCPU()); p *= 2 {
			b.Run(fmt.Sprintf("%s %s/processors=%d", x.network, x.routing, p), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p))
				for b.Loop() {
					if _, err := verify.Check(b.Context(), r, verify.Options{Open: true}); err != nil {
						b.Fatal(err)
					}
				}
				each := b.Elapsed().Seconds() / float64(b.N)
				if p == 1 {
					alone = each
				}
				b.ReportMetric(alone/each/float64(p), "efficiency")
			})
		}
	}
}

// parse returns a routing by name on a network by spec.
func parse(b *testing.B, network, routing string) model.Relation {
	b.Helper()
	n, err := topo.Parse(network)
	if err != nil {
		b.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return r
}
