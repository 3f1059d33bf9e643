package engine

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"turnproof/model"
	"turnproof/model/route"
	"turnproof/model/topo"
)

func TestTraces(t *testing.T) {
	dir := "../../shared/reference/booksim-packets"
	for _, c := range []struct {
		file, spec, routing string
		flits               int
	}{
		{"mesh8-vc1-len1-load0.13-buf8", "mesh:8x8", "dor", 1},
		{"mesh8-vc4-len8-load0.30-buf8", "mesh:8x8,vcs=4", "dor", 8},
		{"torus7-vc2-len8-load0.25-buf8", "torus:7x7,vcs=2", "dor-booksim", 8},
		{"torus7-vc4-len1-load1.00-buf8", "torus:7x7,vcs=4", "dor-booksim", 1},
	} {
		f, err := os.Open(filepath.Join(dir, c.file+".txt.gz"))
		if err != nil {
			t.Skip(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var want, got []Clock
		lists := &listSource{lists: make([][]Packet, n.NumHosts())}
		in := bufio.NewScanner(z)
		for in.Scan() {
			if strings.HasPrefix(in.Text(), "#") {
				continue
			}
			var id, created, from, dst, arr int
			if _, err := fmt.Sscan(in.Text(), &id, &created, &from, &dst, &arr); err != nil {
				t.Fatal(err)
			}
			lists.lists[from] = append(lists.lists[from], Packet{Clock(created), model.HostID(from), model.DestID(dst), c.flits, int64(len(want))})
			want = append(want, Clock(arr))
		}
		got = make([]Clock, len(want))
		s, err := New(r, lists, Options{}, func(d Delivery) { got[d.ID] = d.Arrived })
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for s.Delivered() < int64(len(want)) && s.now < 200000 {
			if err := s.Run(context.Background(), 1000); err != nil {
				t.Fatal(err)
			}
		}
		took := time.Since(began)
		bad := 0
		for i := range want {
			if got[i] != want[i] {
				if bad++; bad < 4 {
					t.Errorf("%s: packet %d: %d, want %d", c.file, i, got[i], want[i])
				}
			}
		}
		fmt.Println(c.file, len(want), "packets", bad, "differ", s.now, took, float64(s.hops)/took.Seconds()/1e6, "M hops/s")
	}
}

type listSource struct{ lists [][]Packet }

func (l *listSource) Next(h model.HostID) (Packet, bool) {
	if len(l.lists[h]) == 0 {
		return Packet{}, false
	}
	p := l.lists[h][0]
	l.lists[h] = l.lists[h][1:]
	return p, true
}

// uniform sends to all, itself among them.
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

func BenchmarkUniform(b *testing.B) {
	for _, c := range []struct {
		spec, routing string
		flits         int
		load          float64
	}{
		{"torus:8x8,vcs=2", "dor-booksim", 8, 0.1945}, {"torus:8x8,vcs=2", "dor-booksim", 1, 0.157},
		{"mesh:8x8,vcs=4", "dor", 8, 0.225}, {"mesh:8x8,vcs=4", "dor", 1, 0.2484},
		{"mesh:8x8", "dor", 8, 0.1336}, {"mesh:8x8", "dor", 1, 0.0844},
		{"torus:16x16,vcs=2", "dor-booksim", 8, 0.1102}, {"torus:16x16,vcs=2", "dor-booksim", 1, 0.082},
		{"torus:32x32,vcs=2", "dor-booksim", 8, 0.055}, {"torus:32x32,vcs=2", "dor-booksim", 1, 0.036},
	} {
		b.Run(fmt.Sprintf("%s/flits=%d", c.spec, c.flits), func(b *testing.B) {
			n, err := topo.Parse(c.spec)
			if err != nil {
				b.Fatal(err)
			}
			r, err := route.New(c.routing, n, route.Options{})
			if err != nil {
				b.Fatal(err)
			}
			u := &uniform{r: make([]rand.PCG, n.NumHosts()), at: make([]Clock, n.NumHosts()), p: c.load / float64(c.flits), flits: c.flits, hosts: uint64(n.NumHosts())}
			for h := range u.r {
				u.r[h] = *rand.NewPCG(1, uint64(h))
				u.at[h] = -1
			}
			sum := Clock(0)
			s, err := New(r, u, Options{Select: map[string]Selection{"dor-booksim": SelectDrawn}[c.routing]}, func(d Delivery) { sum += d.Arrived - d.Created })
			if err != nil {
				b.Fatal(err)
			}
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

// userSeconds is the processor time of this process.
func userSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}
