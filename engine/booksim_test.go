package engine

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/booksim"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestBookSim: every packet arrives in exactly the clock in which BookSim 2 delivered it. BookSim
// 2 wrote the lists, for loads up to full overload. The lists are cut at a clock, which does not
// change earlier arrivals.
func TestBookSim(t *testing.T) {
	for _, c := range []struct {
		file, spec, routing string
		flits               int
		how                 route.Options
		o                   Options
	}{
		{"mesh8-vc1-len1-load0.13-buf8", "mesh:8x8", "dor", 1, route.Options{}, Options{}},
		{"mesh8-vc4-len8-load0.30-buf8", "mesh:8x8,vcs=4", "dor", 8, route.Options{}, Options{}},
		{"torus7-vc2-len8-load0.25-buf8", "torus:7x7,vcs=2", "dor-booksim", 8, route.Options{}, Options{}},
		{"torus7-vc4-len1-load1.00-buf8", "torus:7x7,vcs=4", "dor-booksim", 1, route.Options{}, Options{}},
		{"torus7-vc3-len5-load1.00-buf8", "torus:7x7,vcs=3", "dor-booksim", 5, route.Options{}, Options{}},
		{"mesh5-min-adapt-vc3-len2-load1.00-buf3-busy", "mesh:5x5,vcs=3", "dor", 2, route.Options{KeepFirst: true}, Options{BufferFlits: 3, NotFull: true}},
	} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, c.how)
		if err != nil {
			t.Fatal(err)
		}
		lists, want, last := readPackets(t, filepath.Join("testdata", c.file+".txt.gz"), n.NumHosts(), c.flits)
		got := map[int64]Clock{}
		s, err := New(r, lists, c.o, func(d Delivery) { got[d.ID] = d.Arrived })
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), last+1); err != nil {
			t.Fatal(err)
		}
		if bad := compareArrivals(t, c.file, got, want, last); bad > 0 || len(want) < 4000 {
			t.Errorf("%s: %d of %d packets differ", c.file, bad, len(want))
		}
	}
}

// TestBookSimInputs: the same for a flattened butterfly, whose routers number their inputs by the router that they come from.
func TestBookSimInputs(t *testing.T) {
	top, _ := booksim.Find("flatfly")
	f, err := top.Build(booksim.Shape{K: 4, N: 2, C: 4, X: 4, Y: 4, XR: 2, YR: 2})
	if err != nil {
		t.Fatal(err)
	}
	routing, err := f.Routing("ran_min", 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, bySource := range []bool{true, false} {
		const file = "flatfly4-vc2-len3-load1.00-buf8"
		lists, want, last := readPackets(t, filepath.Join("testdata", file+".txt.gz"), f.Net.NumHosts(), 3)
		got := map[int64]Clock{}
		s, err := New(routing.Relation, lists, Options{InputsBySource: bySource}, func(d Delivery) { got[d.ID] = d.Arrived })
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), last+1); err != nil {
			t.Fatal(err)
		}
		if errs := s.Check(); len(errs) > 0 {
			t.Fatal(errs)
		}
		same := 0
		for id, at := range want {
			if at > 0 && got[id] == at {
				same++
			}
		}
		if bySource && (compareArrivals(t, file, got, want, last) > 0 || same < 4000) || !bySource && same > 2000 {
			t.Errorf("inputs by source: %v: %d packets arrive in the clock of BookSim 2", bySource, same)
		}
	}
}

// compareArrivals returns the number of packets that arrive in another clock than expected, or
// that arrive before clock last but are not in the list.
func compareArrivals(t *testing.T, file string, got, want map[int64]Clock, last Clock) (bad int) {
	for id, arrival := range want {
		at, arrived := got[id]
		if arrived && at == arrival || arrival < 0 && (!arrived || at > last) {
			continue
		}
		if bad++; bad < 4 {
			t.Errorf("%s: packet %d: clock %d, want %d", file, id, at, arrival)
		}
	}
	return bad
}

// readPackets reads a list of packets. It returns the packets by host, their arrivals by ID, and
// the last arrival.
func readPackets(t *testing.T, file string, hosts, flits int) (*listSource, map[int64]Clock, Clock) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lists, arrivals, last := &listSource{lists: make([][]Packet, hosts)}, map[int64]Clock{}, Clock(0)
	for in := bufio.NewScanner(z); in.Scan(); {
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		var id int64
		var created, arrival Clock
		var from, to int
		if _, err := fmt.Sscan(in.Text(), &id, &created, &from, &to, &arrival); err != nil {
			t.Fatal(err)
		}
		lists.lists[from] = append(lists.lists[from], Packet{Created: created, Source: model.HostID(from), Dest: model.DestID(to), Flits: flits, ID: id})
		arrivals[id], last = arrival, max(last, arrival)
	}
	return lists, arrivals, last
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
