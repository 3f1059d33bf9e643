package topo

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// TestField checks the laws of a field on all elements, for prime powers of each kind.
func TestField(t *testing.T) {
	for _, q := range []int{2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 49, 121} {
		f, err := newField(q)
		if err != nil {
			t.Fatal(err)
		}
		for a := range q {
			if f.add(a, f.negative(a)) != 0 || f.add(a, 0) != a || f.multiply(a, 1) != a {
				t.Fatalf("q=%d: element %d", q, a)
			}
			products := map[int]bool{}
			for b := range q {
				ab := f.multiply(a, b)
				if products[ab] = true; f.add(a, b) != f.add(b, a) || ab != f.multiply(b, a) || b != 0 && f.divide(ab, b) != a {
					t.Fatalf("q=%d: elements %d and %d", q, a, b)
				}
				for c := 0; c < q; c += 1 + q/9 {
					if f.multiply(a, f.add(b, c)) != f.add(ab, f.multiply(a, c)) || f.add(a, f.add(b, c)) != f.add(f.add(a, b), c) {
						t.Fatalf("q=%d: elements %d, %d and %d", q, a, b, c)
					}
				}
			}
			if a != 0 && len(products) != q {
				t.Fatalf("q=%d: element %d has %d multiples", q, a, len(products))
			}
		}
	}
	for _, q := range []int{-1, 0, 1, 6, 10, 12, 36, 1023, 1025, 1 << 11} {
		if _, err := newField(q); err == nil {
			t.Errorf("a field of %d elements", q)
		}
	}
}

// TestPrimePower compares with a list of primes and their powers.
func TestPrimePower(t *testing.T) {
	want := map[int][2]int{}
	for p := 2; p < 2000; p++ {
		isPrime := true
		for f := 2; f < p; f++ {
			isPrime = isPrime && p%f != 0
		}
		for q, k := p, 1; isPrime && q < 2000; q, k = q*p, k+1 {
			want[q] = [2]int{p, k}
		}
	}
	for q := range 2000 {
		if p, k := primePower(q); [2]int{p, k} != want[q] {
			t.Errorf("%d is %d to the power %d, want %v", q, p, k, want[q])
		}
	}
}

// TestMooreBound compares sizes with the bound 1 + d² on networks of degree d and diameter 2. Slim Fly 5 reaches it. PolarFly misses it by
// its degree; Slim Fly tends to 8/9 of it.
func TestMooreBound(t *testing.T) {
	for spec, want := range map[string]int{"slimfly:5": 0, "polarfly:4": 26 - 21, "polarfly:9": 101 - 91, "slimfly:9": 1 + 13*13 - 162} {
		n, most := parsed(t, spec), 0
		for u := range model.SwitchID(n.NumSwitches()) {
			most = max(most, neighbourCount(n, u))
		}
		if got := 1 + most*most - n.NumSwitches(); got != want {
			t.Errorf("%s misses the Moore bound by %d, want %d", spec, got, want)
		}
	}
}

// TestGirth compares the length of the shortest cycle with published ones.
func TestGirth(t *testing.T) {
	for spec, want := range map[string]int{
		"slimfly:5":                              5, // Hoffman, Singleton 1960
		"polarfly:7":                             3, // Erdős, Rényi 1962: triangles, no cycles of length 4 (see below)
		"honeycomb:3":                            6,
		"ccc:3":                                  3,
		"ccc:8":                                  8, // Preparata 1981: rings of 8, and four corners with two links each
		"hexmesh:4":                              3,
		"xgft:4,up=4":                            4,
		"hypercube:5":                            4,
		"polarfly:16":                            3,
		"dragonfly:a=4,h=2,arrangement=palmtree": 3,
	} {
		if got := girth(parsed(t, spec)); got != want {
			t.Errorf("%s: girth %d, want %d", spec, got, want)
		}
	}
}

// TestPolarFlyPaths: two switches have exactly one common neighbour, unless one of them is a quadric next to the other. Quadrics are those of
// degree q; there are q+1. (Lakhotia 2022, section IV.)
func TestPolarFlyPaths(t *testing.T) {
	for _, q := range []int{2, 3, 4, 5, 7, 8, 9} {
		n, err := PolarFly(q, Options{})
		if err != nil {
			t.Fatal(err)
		}
		quadrics := 0
		for u := range model.SwitchID(n.NumSwitches()) {
			degree := neighbourCount(n, u)
			if degree == q {
				quadrics++
			}
			common := map[model.SwitchID]int{}
			for _, v := range neighbours(n, u) {
				for _, w := range neighbours(n, v) {
					common[w]++
				}
			}
			for w := range model.SwitchID(n.NumSwitches()) {
				want := 1
				if isNext := contains(neighbours(n, u), w); isNext && (degree == q || neighbourCount(n, w) == q) {
					want = 0
				}
				if w != u && common[w] != want {
					t.Fatalf("q=%d: switches %d and %d have %d common neighbours, want %d", q, u, w, common[w], want)
				}
			}
		}
		if quadrics != q+1 {
			t.Errorf("q=%d: %d quadrics", q, quadrics)
		}
	}
}

// TestArrangements: every arrangement links each two groups once in a round, and its formula leads both ends to the same link.
func TestArrangements(t *testing.T) {
	for name, port := range arrangements {
		for g := 2; g < 12; g++ {
			for i := range g {
				used := map[int]bool{}
				for j := range g {
					if i != j {
						used[port(i, j, g)] = true
					}
				}
				if len(used) != g-1 || used[-1] || used[g-1] {
					t.Errorf("%s: group %d of %d uses ports %v", name, i, g, used)
				}
			}
		}
	}
	if len(arrangements) != len(arrangementNames()) {
		t.Error("an arrangement has no name")
	}
	for _, want := range []struct {
		arrangement string
		port, to    int
	}{
		{"relative", 0, 4}, {"relative", 7, 2}, {"palmtree", 0, 2}, {"palmtree", 7, 4},
		{"circulant", 0, 4}, {"circulant", 1, 2}, {"circulant", 2, 5}, {"circulant", 7, 8},
	} {
		n := parsed(t, "dragonfly:a=4,h=2,arrangement="+want.arrangement)
		if c := n.OutAt(model.SwitchID(3*4+want.port/2), model.Port(4+want.port%2)); int(n.Head(c))/4 != want.to {
			t.Errorf("%s: global port %d of group 3 leads to group %d, want %d", want.arrangement, want.port, n.Head(c)/4, want.to)
		}
	}
}

// TestLeafDistances: hosts of a dragonfly+ are at most three links between switches apart.
func TestLeafDistances(t *testing.T) {
	n := parsed(t, "dragonfly-plus:leaves=3,spines=3,h=2,hosts=2")
	most := 0
	for h := range model.HostID(n.NumHosts()) {
		distances := modeltest.Distances(n, n.Host(h).Switch)
		for g := range model.HostID(n.NumHosts()) {
			most = max(most, distances[n.Host(g).Switch])
		}
	}
	if most != 3 {
		t.Errorf("%d links between two leaves", most)
	}
}

// TestXpanderSpreads: the second greatest eigenvalue of an Xpander is near 2√(d-1), the least possible in the limit (Bilu, Linial 2006), and far
// from its degree.
func TestXpanderSpreads(t *testing.T) {
	for _, spec := range []string{"xpander:degree=8,lift=30,seed=1", "xpander:degree=8,lift=30,seed=2", "jellyfish:switches=270,ports=8,degree=8"} {
		n := parsed(t, spec)
		if l := secondEigenvalue(n); l > 1.1*2*math.Sqrt(7) || l < 0.8*2*math.Sqrt(7) {
			t.Errorf("%s: second eigenvalue %.2f, want about %.2f", spec, l, 2*math.Sqrt(7))
		}
	}
	n := parsed(t, "xpander:degree=5,lift=4,seed=3")
	for u := range model.SwitchID(n.NumSwitches()) {
		nodes := map[int]bool{}
		for _, v := range neighbours(n, u) {
			nodes[int(v)/4] = true
		}
		if len(nodes) != 5 || nodes[int(u)/4] {
			t.Errorf("switch %d is linked to meta-nodes %v", u, nodes)
		}
	}
}

// TestWordNetworks: two words are linked if and only if one follows the other.
func TestWordNetworks(t *testing.T) {
	for _, spec := range []string{"kautz:d=2,n=3", "kautz:d=3,n=2", "kautz:d=1,n=3", "debruijn:d=2,n=4", "debruijn:d=3,n=2"} {
		n := parsed(t, spec)
		word := func(u model.SwitchID) []string { return strings.Split(strings.TrimPrefix(n.SwitchName(u), "s"), ".") }
		follows := func(u, v model.SwitchID) bool {
			return strings.Join(word(u)[1:], ".") == strings.Join(word(v)[:len(word(v))-1], ".")
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			for i, letter := range word(u) {
				if strings.HasPrefix(spec, "kautz") && i > 0 && letter == word(u)[i-1] {
					t.Errorf("%s: word %v", spec, word(u))
				}
			}
			for v := range model.SwitchID(n.NumSwitches()) {
				if want := u != v && (follows(u, v) || follows(v, u)); contains(neighbours(n, u), v) != want {
					t.Errorf("%s: %v and %v linked: %v", spec, word(u), word(v), !want)
				}
			}
		}
	}
}

// TestButterflyPaths: from each switch of the first stage to each of the last one leads one path that only goes on (Dally, Towles 2004, section 4.1).
func TestButterflyPaths(t *testing.T) {
	n := parsed(t, "butterfly:k=3,n=3")
	for u := range model.SwitchID(9) {
		ways := map[model.SwitchID]int{u: 1}
		for range 2 {
			next := map[model.SwitchID]int{}
			for v, k := range ways {
				for _, w := range neighbours(n, v) {
					if w/9 == v/9+1 {
						next[w] += k
					}
				}
			}
			ways = next
		}
		for v := model.SwitchID(18); v < 27; v++ {
			if ways[v] != 1 {
				t.Errorf("%d paths from %d to %d", ways[v], u, v)
			}
		}
	}
}

// girth returns the length of the shortest cycle. Cost: a search from each switch.
func girth(n *model.Network) int {
	best := math.MaxInt
	for root := range model.SwitchID(n.NumSwitches()) {
		depth, parent := make([]int, n.NumSwitches()), make([]model.SwitchID, n.NumSwitches())
		depth[root] = 1
		for queue := []model.SwitchID{root}; len(queue) > 0; queue = queue[1:] {
			u := queue[0]
			for _, v := range neighbours(n, u) {
				if depth[v] == 0 {
					depth[v], parent[v] = depth[u]+1, u
					queue = append(queue, v)
				} else if u == root || parent[u] != v {
					best = min(best, depth[u]+depth[v]-1)
				}
			}
		}
	}
	return best
}

// secondEigenvalue returns the greatest absolute eigenvalue of a regular network except for its degree, by power iteration without the constant vector.
func secondEigenvalue(n *model.Network) float64 {
	x := make([]float64, n.NumSwitches())
	for u := range x {
		x[u] = math.Sin(float64(u * u))
	}
	norm := 0.0
	for range 300 {
		mean := 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		y := make([]float64, len(x))
		norm = 0
		for u := range x {
			for _, v := range neighbours(n, model.SwitchID(u)) {
				y[u] += x[v] - mean
			}
			norm += y[u] * y[u]
		}
		norm = math.Sqrt(norm)
		for u := range y {
			y[u] /= norm
		}
		x = y
	}
	return norm
}

func neighbours(n *model.Network, u model.SwitchID) (list []model.SwitchID) {
	for _, c := range n.Out(u) {
		if v := n.Head(c); v != model.NoSwitch {
			list = append(list, v)
		}
	}
	return list
}

func neighbourCount(n *model.Network, u model.SwitchID) int { return len(neighbours(n, u)) }

func contains(list []model.SwitchID, u model.SwitchID) bool {
	for _, v := range list {
		if u == v {
			return true
		}
	}
	return false
}

// TestFoldedTorus: links of a folded torus join switches whose places are at most two apart, and every place has one switch.
func TestFoldedTorus(t *testing.T) {
	n := parsed(t, "torus:5x6x2,folded=xy")
	places := map[string]bool{}
	at := func(u model.SwitchID) (p [3]int) {
		if _, err := fmt.Sscanf(n.SwitchName(u), "at%d.%d.%d", &p[0], &p[1], &p[2]); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		p := at(u)
		places[fmt.Sprint(p)] = true
		for _, v := range neighbours(n, u) {
			q := at(v)
			for d := range p {
				if gap := p[d] - q[d]; gap > 2 || gap < -2 {
					t.Errorf("a link from %v to %v", p, q)
				}
			}
		}
	}
	if len(places) != 60 {
		t.Errorf("%d places", len(places))
	}
	if err := modeltest.Different(n, parsed(t, "torus:5x6x2")); err == nil {
		t.Error("the names are those of an unfolded torus")
	}
}
