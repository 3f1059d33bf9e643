package family

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify"
)

// TestAgainstGrids compares verdicts for every size with explicit searches. A set is acyclic
// if and only if it closes no cycle on any of some small grids. It is connected if
// and only if it connects all pairs on each of them.
func TestAgainstGrids(t *testing.T) {
	for _, c := range []struct {
		name        string
		uTurns      bool
		least, most int // sides
		each        int // one set in each
	}{
		{"mesh:2", false, 2, 4, 1}, {"mesh:2", true, 2, 4, 29}, {"mesh:3", false, 2, 3, 40_009}, {"torus:1", false, 3, 6, 1}, {"torus:2", false, 3, 5, 0},
		{"torus:2,vcs=2,rule=reset", false, 3, 5, 3}, {"torus:2,vcs=2,rule=keep", false, 3, 5, 3}, {"torus:2,vcs=2,rule=stop", false, 3, 5, 3}, {"torus:2,vcs=2,rule=nf+1", false, 3, 5, 1},
	} {
		t.Run(fmt.Sprint(c.name, " ", c.uTurns), func(t *testing.T) {
			t.Parallel()
			s, d, con := parse(t, c.name, space.Options{UTurns: c.uTurns})
			members := grids(t, s, c.least, c.most)
			random := rand.New(rand.NewPCG(7, 8))
			var sets []space.Set
			for k := 0; c.each > 0 && k < 1<<len(s.Turns); k += c.each {
				sets = append(sets, space.Set{uint64(k)})
			}
			for range 60 { // mostly allowed, so that some are connected
				set := s.All()
				for range random.IntN(len(s.Turns)) {
					set = set.Without(random.IntN(len(s.Turns)))
				}
				sets = append(sets, set)
			}
			for _, set := range sets {
				v, err := d.Decide(set)
				if err != nil {
					t.Fatal(err)
				}
				free, connected := true, true
				for _, m := range members {
					allowed := m.Allowed(set)
					if _, ok := cdg.FromTurns(allowed).Numbering(); !ok {
						free = false
					}
					if connected {
						rep, err := verify.CheckTurns(t.Context(), allowed, verify.TurnOptions{})
						if err != nil {
							t.Fatal(err)
						}
						connected = rep.Unreachable == 0
					}
				}
				if v.Acyclic != free || con.Connected(set) != connected {
					t.Fatalf("prohibits %v: free %v, connected %v, on small grids %v, %v", s.Names(s.All().Minus(set)), v.Acyclic, con.Connected(set), free, connected)
				}
			}
		})
	}
}

// grids returns all grids of a space with sides between bounds, ascending.
func grids(t *testing.T, s *space.Space, least, most int) (list []*Member) {
	t.Helper()
	sides := make([]int, s.Dims)
	var choose func(i int)
	choose = func(i int) {
		if i < len(sides) {
			for sides[i] = least; sides[i] <= most; sides[i]++ {
				choose(i + 1)
			}
			return
		}
		m, err := Grid(s, sides)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	choose(0)
	return list
}

// TestAgainstTrees checks that acyclic sets have no cycle on random networks: on random trees
// with random orders of children, and on the canonical tree.
func TestAgainstTrees(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, tree := range []space.Tree{space.AnyTree, space.CanonicalTree, space.AnyCoordinates} {
		s, d, con := parse(t, "hv", space.Options{Tree: tree})
		var free []space.Set
		for k := range 1 << len(s.Turns) {
			if v, err := d.Decide(space.Set{uint64(k)}); err != nil {
				t.Fatal(err)
			} else if v.Acyclic {
				free = append(free, v.Set)
			}
		}
		cyclic := 0
		for range 400 {
			m := randomTreeMember(t, s, random)
			for range 20 {
				set := free[random.IntN(len(free))]
				allowed := m.Allowed(set)
				if _, ok := cdg.FromTurns(allowed).Numbering(); !ok {
					t.Fatalf("%s: prohibits %v: a cycle on %v", tree, s.Names(s.All().Minus(set)), m.At)
				}
				if con.Connected(set) {
					if rep, err := verify.CheckTurns(t.Context(), allowed, verify.TurnOptions{}); err != nil || rep.Unreachable > 0 {
						t.Fatalf("%s: prohibits %v: pairs lost on %v, %v", tree, s.Names(s.All().Minus(set)), m.At, err)
					}
				}
			}
			if _, ok := cdg.FromTurns(m.Allowed(s.All())).Numbering(); !ok {
				cyclic++
			}
		}
		if cyclic < 100 {
			t.Errorf("%s: only %d networks have a cycle at all", tree, cyclic)
		}
	}
}

// randomTreeMember returns a random network of the family.
func randomTreeMember(t *testing.T, s *space.Space, random *rand.Rand) *Member {
	t.Helper()
	switches := 4 + random.IntN(6)
	have := map[[2]int]bool{}
	for v := 1; v < switches; v++ {
		have[[2]int{random.IntN(v), v}] = true
	}
	for range random.IntN(2 * switches) {
		if u, v := random.IntN(switches), random.IntN(switches); u < v {
			have[[2]int{u, v}] = true
		}
	}
	var links [][2]int
	for l := range have {
		links = append(links, l)
	}
	slices.SortFunc(links, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	n, err := network(switches, links)
	if err != nil {
		t.Fatal(err)
	}
	at := make([][]int, switches)
	switch s.Tree {
	case space.CanonicalTree:
		m, err := canonicalMember(s, n)
		if err != nil {
			t.Fatal(err)
		}
		return m
	case space.AnyCoordinates:
		for u, h := range random.Perm(switches) {
			at[u] = []int{h, random.IntN(5)}
		}
		return treeMember(s, n, at)
	}
	near := make([][]int, switches)
	for _, l := range links {
		near[l[0]], near[l[1]] = append(near[l[0]], l[1]), append(near[l[1]], l[0])
	}
	depth := make([]int, switches)
	for u := range depth {
		depth[u] = -1
	}
	depth[0] = 0
	queue := []int{0}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for _, v := range near[u] {
			if depth[v] < 0 {
				depth[v] = depth[u] + 1
				queue = append(queue, v)
			}
		}
	}
	children := make([][]int, switches)
	for v := 1; v < switches; v++ {
		var above []int
		for _, u := range near[v] {
			if depth[u] == depth[v]-1 {
				above = append(above, u)
			}
		}
		p := above[random.IntN(len(above))]
		children[p] = append(children[p], v)
	}
	next := 0
	var visit func(u int)
	visit = func(u int) {
		at[u] = []int{next, depth[u]}
		next++
		for _, i := range random.Perm(len(children[u])) {
			visit(children[u][i])
		}
	}
	visit(0)
	return treeMember(s, n, at)
}
