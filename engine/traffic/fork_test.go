package traffic

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestFork: a copy of a source creates the same packets from now on, and the source is not
// affected by it. Patterns with a position for each host are copied, too.
func TestFork(t *testing.T) {
	n, err := topo.Parse("mesh:4x4")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"uniform", "uniform-self", "transpose", "all-to-all", "all-to-all:first", "hotspot:0.2@3"} {
		for _, noSelf := range []bool{false, true} {
			p, err := NewPattern(spec, n, 1)
			if err != nil {
				t.Fatal(err)
			}
			if noSelf {
				p = WithoutSelf(p)
			}
			s, err := New(n, p, Options{Load: 0.3, Mixed: []int{1, 2, 5}, Burst: 3, Seed: 4})
			if err != nil {
				t.Fatal(err)
			}
			first := take(s, 13)
			fork := s.Fork()
			copied := take(fork, 100)
			if rest := take(s, 100); !slices.Equal(rest, copied) || slices.Equal(rest[:len(first)], first) {
				t.Errorf("%s, without self %v: the copy creates other packets", spec, noSelf)
			}
		}
	}
}

// take returns the next packets of each host 1 to 15.
func take(s engine.Source, each int) (list []engine.Packet) {
	for range each {
		for h := model.HostID(1); h < 16; h++ {
			if p, ok := s.Next(h); ok {
				list = append(list, p)
			}
		}
	}
	return list
}
