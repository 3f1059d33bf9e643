package traffic

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

func network(t testing.TB, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func pattern(t testing.TB, spec string, n *model.Network, seed uint64) Pattern {
	t.Helper()
	p, err := NewPattern(spec, n, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// dests asks a pattern once for each host.
func dests(p Pattern, n *model.Network) []model.HostID {
	random := rand.New(rand.NewPCG(1, 1))
	list := make([]model.HostID, n.NumHosts())
	for h := range list {
		list[h] = p.Dest(model.HostID(h), random)
	}
	return list
}

// TestAddresses checks the patterns on address bits against operations on strings of 0 and 1.
func TestAddresses(t *testing.T) {
	oracles := map[string]func(s string) string{
		"shuffle":      func(s string) string { return s[1:] + s[:1] },
		"bit-rotation": func(s string) string { return s[len(s)-1:] + s[:len(s)-1] },
		"bit-complement": func(s string) string {
			return strings.NewReplacer("0", "1", "1", "0").Replace(s)
		},
		"bit-reversal": func(s string) string {
			out := ""
			for _, c := range s {
				out = string(c) + out
			}
			return out
		},
		"transpose": func(s string) string { k := len(s) - len(s)/2; return s[k:] + s[:k] },
	}
	for name, oracle := range oracles {
		for bits := 1; bits <= 9; bits++ {
			n := network(t, fmt.Sprintf("line:%d", 1<<bits))
			for h, got := range dests(pattern(t, name, n, 0), n) {
				want, err := strconv.ParseUint(oracle(fmt.Sprintf("%0*b", bits, h)), 2, 32)
				if err != nil || got != model.HostID(want) {
					t.Errorf("%s, %d bits: %d to %d, want %d", name, bits, h, got, want)
				}
			}
		}
	}
}

// TestGrids checks the patterns on coordinates, with one host or several hosts at a switch.
func TestGrids(t *testing.T) {
	for _, hosts := range []int{1, 3} {
		for _, sides := range [][3]int{{8, 8, 1}, {5, 5, 1}, {5, 4, 1}, {3, 3, 3}, {4, 2, 7}} {
			spec := fmt.Sprintf("torus:%dx%d,hosts=%d", sides[0], sides[1], hosts)
			if sides[2] > 1 {
				spec = fmt.Sprintf("mesh:%dx%dx%d,hosts=%d", sides[0], sides[1], sides[2], hosts)
			}
			n := network(t, spec)
			tornado, next := dests(pattern(t, "tornado", n, 0), n), dests(pattern(t, "neighbour", n, 0), n)
			var swapped []model.HostID
			if sides[0] == sides[1] && sides[2] == 1 {
				swapped = dests(pattern(t, "transpose", n, 0), n)
			}
			for h := range tornado {
				u, place := h/hosts, h%hosts
				x, y, z := u%sides[0], u/sides[0]%sides[1], u/sides[0]/sides[1]
				at := func(x, y, z int) model.HostID {
					return model.HostID(hosts*(x%sides[0]+sides[0]*(y%sides[1]+sides[1]*(z%sides[2]))) + place)
				}
				half := func(k int) int { return (k+1)/2 - 1 }
				if want := at(x+half(sides[0]), y+half(sides[1]), z+half(sides[2])); tornado[h] != want {
					t.Errorf("%s: tornado %d to %d, want %d", spec, h, tornado[h], want)
				}
				if want := at(x+1, y+1, z+1); next[h] != want {
					t.Errorf("%s: neighbour %d to %d, want %d", spec, h, next[h], want)
				}
				if swapped != nil && swapped[h] != at(y, x, 0) {
					t.Errorf("%s: transpose %d to %d, want %d", spec, h, swapped[h], at(y, x, 0))
				}
			}
		}
	}
}

// TestHoles checks grids with holes. Packets whose destination would be at a hole are not sent;
// the others go to the switch with the coordinates of the pattern.
func TestHoles(t *testing.T) {
	n := network(t, "mesh:4x4,holes=1.2")
	g := n.Grid()
	for name, move := range map[string]func(x, y int) []int{
		"neighbour": func(x, y int) []int { return []int{(x + 1) % 4, (y + 1) % 4} },
		"tornado":   func(x, y int) []int { return []int{(x + 1) % 4, (y + 1) % 4} },
		"transpose": func(x, y int) []int { return []int{y, x} },
	} {
		p := pattern(t, name, n, 0)
		for h, d := range dests(p, n) {
			at := g.Coords(n.Host(model.HostID(h)).Switch, nil)
			want := model.NoHost
			if u := g.At(move(at[0], at[1])); u != model.NoSwitch {
				want = n.HostOf(n.Out(u)[len(n.Out(u))-1])
			}
			if d != want || (Share(p, model.HostID(h)) == 0) != (want == model.NoHost) {
				t.Errorf("%s: %d to %d, want %d", name, h, d, want)
			}
		}
	}
}

// TestNoGrid checks tornado and neighbour on networks without a grid, where they use host numbers.
func TestNoGrid(t *testing.T) {
	for _, spec := range []string{"star:6", "complete:7", "fattree:k=4,levels=2"} {
		n := network(t, spec)
		k := n.NumHosts()
		for h, d := range dests(pattern(t, "tornado", n, 0), n) {
			if int(d) != (h+k/2)%k {
				t.Errorf("%s: tornado %d to %d", spec, h, d)
			}
		}
		for h, d := range dests(pattern(t, "neighbour", n, 0), n) {
			if int(d) != (h+1)%k {
				t.Errorf("%s: neighbour %d to %d", spec, h, d)
			}
		}
	}
}

// TestPermutations checks that the patterns that are permutations are permutations on any network,
// and that each seed gives another one.
func TestPermutations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 8)
		if n.NumHosts() < 2 {
			return
		}
		seed := rapid.Uint64().Draw(t, "seed")
		for _, name := range []string{"tornado", "neighbour", "permutation", "random-pair", "transpose", "shuffle", "bit-rotation", "bit-complement", "bit-reversal"} {
			p, err := NewPattern(name, n, seed)
			if err != nil {
				if k := n.NumHosts(); k&(k-1) == 0 {
					t.Fatal(err)
				}
				continue
			}
			checkPermutation(t, name, dests(p, n))
		}
	})
	n := network(t, "mesh:8x8")
	same := 0
	for h, d := range dests(pattern(t, "permutation", n, 1), n) {
		if dests(pattern(t, "permutation", n, 2), n)[h] == d {
			same++
		}
	}
	if same > 8 {
		t.Errorf("two seeds agree on %d of 64 hosts", same)
	}
}

func checkPermutation(t *rapid.T, name string, list []model.HostID) {
	to := make([]bool, len(list))
	silent := 0
	for h, d := range list {
		switch {
		case d == model.NoHost:
			silent++
			continue
		case to[d]:
			t.Fatalf("%s: %d is a destination twice", name, d)
		case name == "permutation" && d == model.HostID(h):
			t.Fatalf("%s: %d sends to itself", name, h)
		case name == "random-pair" && (d == model.HostID(h) || list[d] != model.HostID(h)):
			t.Fatalf("%s: %d to %d, which sends to %d", name, h, d, list[d])
		}
		to[d] = true
	}
	if want := len(list) % 2; name == "random-pair" && silent != want || name != "random-pair" && silent > 0 {
		t.Fatalf("%s: %d of %d hosts send none", name, silent, len(list))
	}
}

// TestAllToAll checks that each host sends to all others in turn, and begins with the next host.
func TestAllToAll(t *testing.T) {
	for _, spec := range []string{"line:2", "ring:7", "mesh:4x4"} {
		n := network(t, spec)
		k := n.NumHosts()
		p := pattern(t, "all-to-all", n, 0)
		for i := range 3 * (k - 1) {
			for h, d := range dests(p, n) {
				if want := (h + 1 + i%(k-1)) % k; int(d) != want {
					t.Fatalf("%s: packet %d of host %d to %d, want %d", spec, i, h, d, want)
				}
			}
		}
	}
}

// TestKinds: every entry of the table makes a pattern from its syntax, within
// the network.
func TestKinds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/swap", "0 1\n1 0\n")
	write(t, dir+"/matrix", "* * 1\n3 4 8\n")
	arguments := map[string]string{"shift": "5", "hotspot": "0.3@1+5", "matrix": dir + "/matrix"}
	n := network(t, "mesh:4x4")
	random := rand.New(rand.NewPCG(1, 1))
	for _, k := range Kinds() {
		if k.About == "" || !strings.HasPrefix(k.Syntax, k.Name) {
			t.Errorf("%+v", k)
		}
		specs := []string{k.Name}
		if a, ok := arguments[k.Name]; ok {
			specs = []string{k.Name + ":" + a}
		}
		if k.Name == "all-to-all" {
			specs = append(specs, "all-to-all:first")
		}
		if k.Name == "permutation" {
			specs = append(specs, "permutation:"+dir+"/swap")
		}
		for _, spec := range specs {
			p := pattern(t, spec, n, 1)
			for range 100 {
				for h := range model.HostID(16) {
					if d := p.Dest(h, random); d >= 16 || d < 0 && Share(p, h) != 0 {
						t.Fatalf("%s: %d to %d", spec, h, d)
					}
				}
			}
		}
	}
}

func TestPatternErrors(t *testing.T) {
	for _, c := range []struct{ spec, network, want string }{
		{"transpos", "mesh:4x4", `traffic: no pattern "transpos" (did you mean transpose?), known are uniform, `},
		{"", "mesh:4x4", `traffic: no pattern "", known are uniform, `},
		{"shift:16", "mesh:4x4", "traffic: shift:16, a number of hosts from 0 to 15 was expected"},
		{"all-to-all:last", "mesh:4x4", "traffic: all-to-all:last, only all-to-all:first is known"},
		{"uniform:3", "mesh:4x4", `traffic: uniform takes no argument, got "3"`},
		{"uniform", "line:1", "traffic: uniform on a network with 1 hosts, at least 2 are needed"},
		{"shuffle", "mesh:3x4", "traffic: shuffle needs a power of two of hosts, the network has 12"},
		{"transpose", "mesh:3x4", "traffic: transpose, on what is no square grid, needs a power of two of hosts, the network has 12"},
		{"bit-reversal", "torus:7x7", "traffic: bit-reversal needs a power of two of hosts, the network has 49"},
		{"hotspot", "mesh:4x4", "traffic: hotspot: hotspot:SHARE@HOST[+HOST...] was expected"},
		{"hotspot:", "mesh:4x4", "traffic: hotspot:: hotspot:SHARE@HOST[+HOST...] was expected"},
		{"hotspot:0.2", "mesh:4x4", "traffic: hotspot:0.2, hotspot:SHARE@HOST[+HOST...] with a share from 0 to 1 was expected"},
		{"hotspot:1.2@3", "mesh:4x4", "traffic: hotspot:1.2@3, hotspot:SHARE@HOST[+HOST...] with a share from 0 to 1 was expected"},
		{"hotspot:NaN@3", "mesh:4x4", "traffic: hotspot:NaN@3, hotspot:SHARE@HOST[+HOST...] with a share from 0 to 1 was expected"},
		{"hotspot:0.2@16", "mesh:4x4", `traffic: hotspot: no host 16 in the network; want a name, or a number from 0 to 15`},
		{"hotspot:0.2@1+", "mesh:4x4", `traffic: hotspot: no host "" in the network; the names are h0, h1, h2, h3 and 12 more`},
		{"permutation:", "mesh:4x4", "traffic: permutation:: permutation[:FILE] was expected"},
		{"permutation:none", "mesh:4x4", "traffic: none: no such file or directory"},
		{"matrix", "mesh:4x4", "traffic: matrix: matrix:FILE was expected"},
		{"uniform:switches", "mesh:4x4", `traffic: uniform takes no argument, got "switches"`},
		{"shuffle:3", "mesh:4x4", `traffic: shuffle takes no argument except switches, got "3"`},
		{"shift:switches", "mesh:4x4", "traffic: shift:switches: shift:HOSTS was expected"},
		{"shift:4:switches", "mesh:2x2,hosts=4", "traffic: shift:4, a number of switches with hosts from 0 to 3 was expected"},
		{"shuffle:switches", "mesh:3x4,hosts=4", "traffic: shuffle needs a power of two of switches with hosts, the network has 12"},
		{"shuffle:switches", "line:1,hosts=4", "traffic: shuffle:switches on a network with one switch with hosts, at least 2 are needed"},
		{"matrix:none", "mesh:4x4", "format: none: no such file or directory"},
	} {
		_, err := NewPattern(c.spec, network(t, c.network), 0)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || !strings.HasSuffix(c.want, " ") && err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.spec, err, c.want)
		}
	}
}
