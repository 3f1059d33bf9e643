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
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// bookSimReplies returns the rules of BookSim 2 with use_read_write: the classes are read and write
// requests, then read and write replies.
func bookSimReplies(readReply, writeReply int) *Messages {
	return &Messages{Causes: []int{2, 3, -1, -1}, Flits: []int{0, 0, readReply, writeReply}, Queue: []int{0, 0, 0, 0}}
}

// virtual returns a routing on a network with classes of messages. Class i uses the VCs from
// first[i] to last[i].
func virtual(t *testing.T, spec, routing string, first, last []int) *model.VirtualNetworks {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	var parts []model.VirtualNetwork
	for i := range first {
		r, err := route.New(routing, n.WithVCs(last[i]-first[i]+1), route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, model.VirtualNetwork{Relation: r, First: first[i]})
	}
	v, err := model.NewVirtualNetworks(n, parts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestBookSimReplies: every request and every reply arrives in exactly the clock in which BookSim 2
// delivered it. BookSim 2 wrote the lists. They are cut at a clock, which does not change earlier
// arrivals.
func TestBookSimReplies(t *testing.T) {
	for _, c := range []struct {
		file, spec, routing string
		first, last         []int // VCs of each class
		flits               []int
	}{
		{"replies-mesh8-load0.30", "mesh:8x8,vcs=4", "dor", []int{0, 0, 2, 2}, []int{1, 1, 3, 3}, []int{1, 5, 5, 1}},
		{"replies-torus7-load1.00", "torus:7x7,vcs=6", "dor-booksim", []int{0, 0, 2, 2}, []int{1, 1, 5, 5}, []int{1, 3, 4, 2}},
		{"replies-mesh8-overlap-load0.75", "mesh:8x8,vcs=16", "dor", []int{0, 2, 8, 10}, []int{5, 7, 13, 15}, []int{1, 8, 8, 1}},
	} {
		rel := virtual(t, c.spec, c.routing, c.first, c.last)
		lists, want, last := readReplies(t, filepath.Join("testdata", c.file+".txt.gz"), rel.Network().NumHosts(), c.flits)
		got := map[[2]int64]Clock{}
		s, err := New(rel, lists, Options{Messages: bookSimReplies(c.flits[2], c.flits[3])}, func(d Delivery) {
			got[[2]int64{d.ID, int64(d.Message / 2)}] = d.Arrived
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), last+1); err != nil {
			t.Fatal(err)
		}
		bad, arrived := 0, 0
		for id, arrival := range want {
			at, ok := got[id]
			if arrival >= 0 {
				arrived++
			}
			if ok && at == arrival || !ok && arrival < 0 {
				continue
			}
			if bad++; bad < 4 {
				t.Errorf("%s: packet %d: clock %d, want %d", c.file, id, at, arrival)
			}
		}
		if t.Logf("%s: %d arrivals", c.file, arrived); bad > 0 || arrived < 4000 || len(got) != arrived {
			t.Errorf("%s: %d of %d packets differ, %d arrivals, want %d", c.file, bad, len(want), len(got), arrived)
		}
		if errs := s.Check(); errs != nil {
			t.Error(errs[0])
		}
	}
}

// readReplies reads a list of requests: ID, r or w, creation, source, destination, and the arrivals
// of the request and of its reply, or -1. It returns the requests by host, the arrivals by ID of
// the request and 1 for the reply, and the last clock.
func readReplies(t *testing.T, file string, hosts int, flits []int) (*listSource, map[[2]int64]Clock, Clock) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lists, arrivals, last := &listSource{lists: make([][]Packet, hosts)}, map[[2]int64]Clock{}, Clock(0)
	for in := bufio.NewScanner(z); in.Scan(); {
		if text, ok := strings.CutPrefix(in.Text(), "# last clock "); ok {
			if _, err := fmt.Sscan(text, &last); err != nil {
				t.Fatal(err)
			}
			continue
		}
		p, kind, request, reply := Packet{}, "", Clock(0), Clock(0)
		if _, err := fmt.Sscan(in.Text(), &p.ID, &kind, &p.Created, &p.Source, &p.Dest, &request, &reply); err != nil {
			t.Fatal(err)
		}
		if kind == "w" {
			p.Message = 1
		}
		p.Flits = flits[p.Message]
		lists.lists[p.Source] = append(lists.lists[p.Source], p)
		arrivals[[2]int64{p.ID, 0}], arrivals[[2]int64{p.ID, 1}] = request, reply
	}
	return lists, arrivals, last
}
