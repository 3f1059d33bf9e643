package cert

import (
	"math/rand/v2"
	"testing"
)

// vcPaths are paths over the channels 0 to 5, any of which may follow another one. Paths of one pair are next to
// each other.
type vcPaths struct {
	channels [][]int32
	pair     []int // by path
}

func randomVCPaths(rng *rand.Rand) (p vcPaths) {
	for i := range 2 + rng.IntN(3) {
		var path []int32
		for _, c := range rng.Perm(4 + rng.IntN(2))[:2+rng.IntN(2)] {
			path = append(path, int32(c))
		}
		p.channels = append(p.channels, path)
		if i == 0 || rng.IntN(2) > 0 {
			p.pair = append(p.pair, i)
		} else {
			p.pair = append(p.pair, p.pair[i-1])
		}
	}
	return p
}

// closes reports whether the paths, whose hops have these VCs, close a cycle. It follows dependencies from each vertex
// for as many steps as there are vertices.
func (p vcPaths) closes(vcs [][]int) bool {
	type vertex struct {
		channel int32
		vc      int
	}
	next := map[vertex][]vertex{}
	for i, path := range p.channels {
		for k := range path[1:] {
			v := vertex{path[k], vcs[i][k]}
			next[v] = append(next[v], vertex{path[k+1], vcs[i][k+1]})
		}
	}
	for start := range next {
		reached := map[vertex]bool{start: true}
		for range len(next) + 1 {
			after := map[vertex]bool{}
			for v := range reached {
				for _, w := range next[v] {
					after[w] = true
				}
			}
			if after[start] {
				return true
			}
			reached = after
		}
	}
	return false
}

// assignments calls visit for all VCs of all hops that the rule permits, until visit returns true.
func (p vcPaths) assignments(rule vcRule, k int, visit func([][]int) bool) bool {
	vcs := make([][]int, len(p.channels))
	var fill func(i, hop int) bool
	fill = func(i, hop int) bool {
		if i == len(vcs) {
			return visit(vcs)
		}
		if hop == len(p.channels[i]) {
			return fill(i+1, 0)
		}
		if hop == 0 {
			vcs[i] = make([]int, len(p.channels[i]))
		}
		for v := range k {
			switch {
			case rule.rising && hop > 0 && v < vcs[i][hop-1], !rule.byHop() && hop > 0 && v != vcs[i][0],
				rule.pairs && i > 0 && p.pair[i] == p.pair[i-1] && v != vcs[i-1][0]:
				continue
			}
			vcs[i][hop] = v
			if fill(i, hop+1) {
				return true
			}
		}
		return false
	}
	return fill(0, 0)
}

// proof returns the clauses that the judge takes for the paths.
func (p vcPaths) proof(t *testing.T, rule vcRule, k int) *vcProof {
	t.Helper()
	proof := &vcProof{vcRule: rule, k: int64(k), uses: map[[2]int64]int32{}}
	r := &Routing{Wiring: &Wiring{VCs: 1, links: 6}}
	var packets []Packet
	for i, path := range p.channels {
		packet := Packet{Source: p.pair[i], Path: []int32{100, 0}}
		for _, c := range path {
			packet.Path = append(packet.Path, c, 0)
		}
		packets = append(packets, packet)
	}
	for i := range packets {
		if err := proof.demand(r, packets, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := proof.number(); err != nil {
		t.Fatal(err)
	}
	proof.base()
	return proof
}

// permits reports whether these VCs contradict the clauses before any step.
func (p vcPaths) permits(proof *vcProof, vcs [][]int) bool {
	var not []int32
	d := -1
	for i := range p.channels {
		if !proof.pairs || i == 0 || p.pair[i] != p.pair[i-1] {
			d++
		}
		for hop, v := range vcs[i] {
			choice := proof.demands[d].first
			if proof.byHop() {
				choice += int64(hop)
			}
			for other := range proof.k {
				if int64(v) == other {
					not = append(not, -proof.chosen(choice, other))
				} else {
					not = append(not, proof.chosen(choice, other))
				}
			}
		}
	}
	return !proof.derives(not)
}

// TestVCClauses checks that the clauses of the judge leave VCs without a cycle if and only if there are some among all
// VCs that the rule permits.
func TestVCClauses(t *testing.T) {
	count := map[[2]bool]int{}
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 7))
		p := randomVCPaths(rng)
		for n, rule := range []vcRule{{}, {pairs: true}, {rising: true}, {free: true}} {
			k := 1 + rng.IntN(3)
			if rule.byHop() {
				k = 1 + rng.IntN(2)
			}
			proof := p.proof(t, rule, k)
			want := p.assignments(rule, k, func(vcs [][]int) bool { return !p.closes(vcs) })
			got := p.assignments(rule, k, func(vcs [][]int) bool { return p.permits(proof, vcs) && !p.closes(vcs) })
			count[[2]bool{want, rule.byHop()}]++
			if got != want {
				t.Fatalf("seed %d, rule %d, %d VCs: the clauses leave some: %v; there are some: %v; %v", seed, n, k, got, want, p)
			}
		}
	}
	for _, byHop := range []bool{false, true} {
		if count[[2]bool{false, byHop}] < 20 || count[[2]bool{true, byHop}] < 100 {
			t.Errorf("%v: too similar", count)
		}
	}
}

// TestVCRings checks which clauses are taken as rings.
func TestVCRings(t *testing.T) {
	p := vcPaths{[][]int32{{0, 1}, {1, 2}, {2, 0}, {1, 0}, {3, 4}, {4, 3}}, []int{0, 1, 2, 3, 4, 5}}
	proof := p.proof(t, vcRule{}, 1)
	use := func(from, to int64) int32 { return -proof.uses[[2]int64{from, to}] }
	for i, c := range []struct {
		literals []int32
		want     bool
	}{
		{[]int32{use(0, 1), use(1, 2), use(2, 0)}, true}, {[]int32{use(2, 0), use(0, 1), use(1, 2)}, true}, {[]int32{use(0, 1), use(1, 0)}, true},
		{nil, false}, {[]int32{use(0, 1), use(1, 2)}, false}, {[]int32{use(0, 1), use(1, 0), use(1, 2), use(2, 0)}, false},
		{[]int32{use(0, 1), use(1, 0), use(3, 4), use(4, 3)}, false}, {[]int32{-use(0, 1), use(1, 0)}, false}, {[]int32{-1, use(1, 0)}, false},
		{[]int32{use(1, 2), use(0, 1), use(1, 0)}, false},
	} {
		if got := proof.isRing(c.literals); got != c.want {
			t.Errorf("%d, %v: %v", i, c.literals, got)
		}
	}
}
