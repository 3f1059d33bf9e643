package traffic

import (
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// TestSwitches checks permutations of switches against their definition: host i of switch s sends to host i of switch
// to(s), on a torus and on the leaves of a fat tree.
func TestSwitches(t *testing.T) {
	reverse := func(s int) int { return int(bits.Reverse8(uint8(s)) >> 2) } // of 64 switches
	for _, c := range []struct {
		spec, network string
		hosts         int
		to            func(s int) int
	}{
		{"bit-reversal:switches", "torus:8x8,hosts=4", 4, reverse},
		{"bit-complement:switches", "torus:8x8,hosts=3", 3, func(s int) int { return 63 - s }},
		{"transpose:switches", "torus:8x8,hosts=4", 4, func(s int) int { return s%8*8 + s/8 }},
		{"transpose:switches", "random:switches=64,degree=4,hosts=2,seed=1", 2, func(s int) int { return s%8*8 + s/8 }},
		{"shift:3:switches", "torus:8x8,hosts=4", 4, func(s int) int { return (s + 3) % 64 }},
		{"shuffle:switches", "fattree:k=8", 4, func(s int) int { return s<<1&31 | s>>4 }}, // 32 leaves
		{"tornado:switches", "fattree:k=6", 3, func(s int) int { return (s + 9) % 18 }},   // 18 leaves
		{"neighbour:switches", "complete:7,hosts=2", 2, func(s int) int { return (s + 1) % 7 }},
	} {
		n := network(t, c.network)
		for h, got := range dests(pattern(t, c.spec, n, 0), n) {
			if want := model.HostID(c.to(h/c.hosts)*c.hosts + h%c.hosts); got != want {
				t.Errorf("%s on %s: %d to %d, want %d", c.spec, c.network, h, got, want)
			}
		}
	}
}

// TestRandomSwitches checks that random permutations of switches move all hosts of a switch together.
func TestRandomSwitches(t *testing.T) {
	n := network(t, "torus:5x5,hosts=3")
	for _, spec := range []string{"permutation:switches", "random-pair:switches"} {
		list := dests(pattern(t, spec, n, 7), n)
		idle := 0
		seen := map[model.HostID]bool{}
		for h, d := range list {
			first := list[h/3*3]
			switch {
			case d == model.NoHost && first == model.NoHost:
				idle++
			case d != first+model.HostID(h%3) || first%3 != 0 || seen[d] || int(d) == h:
				t.Errorf("%s: %d to %d, the first host of the switch to %d", spec, h, d, first)
			}
			seen[d] = true
		}
		if want := map[string]int{"permutation:switches": 0, "random-pair:switches": 3}[spec]; idle != want {
			t.Errorf("%s: %d hosts send nothing, want %d", spec, idle, want)
		}
	}
}

// TestSwitchFile reads a permutation of the leaves of a fat tree by their names.
func TestSwitchFile(t *testing.T) {
	n := network(t, "fattree:k=4")
	file := filepath.Join(t.TempDir(), "leaves")
	for text, want := range map[string]string{
		"leaf0 leaf5\nleaf5 leaf1\n": "", "leaf0 top0\n": "destination: switch top0 has no hosts",
		"leaf0 leaf1\nleaf0 leaf2\n": "switch leaf0 is a source already, line 1", "# none\n": "names no pair of switches with hosts",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := NewPattern("permutation:"+file+":switches", n, 0)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got := dests(p, n)
		no := model.NoHost
		if want := []model.HostID{10, 11, no, no, no, no, no, no, no, no, 2, 3, no, no, no, no}; !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestUnequalSwitches refuses switches with different numbers of hosts.
func TestUnequalSwitches(t *testing.T) {
	b := model.NewBuilder()
	for u := range model.SwitchID(4) {
		b.AddSwitch(model.Switch{})
		b.AddLink(u, 0, (u+1)%4, 1)
		b.AddHost(model.Host{Switch: u, Port: 2})
	}
	b.AddHost(model.Host{Switch: 2, Port: 3})
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewPattern("bit-reversal:switches", n, 0)
	if want := "traffic: bit-reversal:switches: switch 0 has 1 hosts and switch 2 has 2; want equal numbers"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
