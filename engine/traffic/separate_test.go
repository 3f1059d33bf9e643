package traffic

import (
	"slices"
	"sync"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestSeparate: all patterns of a steady load, and traces, create the same packets of each host if
// all hosts ask at the same time. The race detector finds hosts that share something.
func TestSeparate(t *testing.T) {
	n, err := topo.Parse("mesh:4x4")
	if err != nil {
		t.Fatal(err)
	}
	var specs []string
	for _, k := range Kinds() {
		if k.Name != "matrix" {
			specs = append(specs, k.Name)
		}
	}
	for _, spec := range append(specs, "hotspot:0.2@3", "shift:3", "all-to-all:first") {
		make := func() engine.Source {
			p, err := NewPattern(spec, n, 1)
			if err != nil {
				return nil // a pattern that needs an argument
			}
			s, err := New(n, WithoutSelf(p), Options{Load: 0.3, Mixed: []int{1, 2, 5}, Burst: 3, Seed: 4})
			if err != nil {
				t.Fatal(err)
			}
			if x, ok := engine.Source(s).(engine.Separate); !ok || !x.Separate() {
				t.Fatalf("%s is not separate", spec)
			}
			return s
		}
		one, all := make(), make()
		if one == nil {
			continue
		}
		var wait sync.WaitGroup
		got, want := [16][]engine.Packet{}, [16][]engine.Packet{}
		for h := range model.HostID(16) {
			want[h] = packetsOf(one, h)
			wait.Go(func() { got[h] = packetsOf(all, h) })
		}
		wait.Wait()
		for h := range got {
			if !slices.Equal(got[h], want[h]) {
				t.Errorf("%s: host %d sends other packets", spec, h)
			}
		}
	}
}

func packetsOf(s engine.Source, h model.HostID) (list []engine.Packet) {
	for range 200 {
		if p, ok := s.Next(h); ok {
			list = append(list, p)
		}
	}
	return list
}
