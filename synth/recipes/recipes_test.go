package recipes

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	judge "github.com/turnproof/turnproof/verify/cert/recipes"
)

// randomPaths gives each pair one path by tables that are drawn: at each switch a packet goes to the next switch of a shortest path that is drawn.
func randomPaths(t *testing.T, spec string, rng *rand.Rand) model.Relation {
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n}
	for h := range model.HostID(n.NumHosts()) {
		r.Dests = append(r.Dests, h)
	}
	salt := rng.Uint64()
	distance := distances(n)
	r.Injects = func(model.HostID, model.DestID) []model.Class { return []model.Class{0} }
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		u, h := n.Head(c), model.HostID(s.Dest)
		to := n.Host(h).Switch
		if u == to {
			return []model.Hop{{VC: n.VC(n.EjectChannel(h), 0)}}
		}
		var list []model.ChannelID
		for _, o := range n.Out(u) {
			if v := n.Head(o); v != model.NoSwitch && distance[v][to] < distance[u][to] {
				list = append(list, o)
			}
		}
		k := rand.New(rand.NewPCG(salt, uint64(u)<<20|uint64(s.Dest))).IntN(len(list))
		return []model.Hop{{VC: n.VC(list[k], 0)}}
	}
	return r
}

// distances returns by two switches the links between them.
func distances(n *model.Network) [][]int {
	m := n.NumSwitches()
	d := make([][]int, m)
	for u := range d {
		d[u] = make([]int, m)
		for v := range d[u] {
			if d[u][v] = m; u == v {
				d[u][v] = 0
			}
		}
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		d[n.Tail(c)][n.Head(c)] = 1
	}
	for k := range m {
		for u := range m {
			for v := range m {
				d[u][v] = min(d[u][v], d[u][k]+d[k][v])
			}
		}
	}
	return d
}

// hasCycle reports whether paths have a dependency cycle, by taking away VCs that nothing depends on.
func hasCycle(paths [][]int32) bool {
	after := map[[2]int32]bool{}
	for _, p := range paths {
		for i := 1; i < len(p); i++ {
			after[[2]int32{p[i-1], p[i]}] = true
		}
	}
	for {
		into := map[int32]bool{}
		for e := range after {
			into[e[1]] = true
		}
		size := len(after)
		for e := range after {
			if !into[e[0]] {
				delete(after, e)
			}
		}
		if len(after) == size {
			return size > 0
		}
	}
}

// TestFewest compares the fewest pairs with all sets of pairs.
func TestFewest(t *testing.T) {
	harmful := 0
	for k := range uint64(240) {
		rng := rand.New(rand.NewPCG(7, k))
		r := randomPaths(t, []string{"ring:5", "ring:4", "mesh:2x2", "mesh:2x3"}[k%4], rng)
		s, err := New(r, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var pairs []Pair
		between := distances(r.Network())
		for range 60 {
			p := Pair{model.HostID(rng.IntN(r.Network().NumHosts())), model.HostID(rng.IntN(r.Network().NumHosts()))}
			if between[p.Source][p.Dest] >= 2 && len(pairs) < 8+int(k%6) {
				pairs = append(pairs, p)
			}
		}
		a, err := s.Decide(context.Background(), context.Background(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		least := len(pairs)
		for set := range uint64(1) << len(pairs) {
			var kept [][]int32
			for i, p := range pairs {
				if set>>i&1 == 0 {
					path, _ := s.Path(p)
					kept = append(kept, path)
				}
			}
			if n := bits.OnesCount64(set); n < least && !hasCycle(kept) {
				least = n
			}
		}
		if len(a.Drop) != least || a.Cycle != nil && a.Least != least || (a.Cycle == nil) != (least == 0) {
			t.Errorf("case %d: %d pairs out, proved %d, cycle %v; want %d", k, len(a.Drop), a.Least, a.Cycle, least)
		}
		if least > 0 {
			harmful++
		}
	}
	if harmful < 20 {
		t.Errorf("only %d recipes with a cycle", harmful)
	}
}

// TestJudge gives the judge answers that are wrong.
func TestJudge(t *testing.T) {
	r := &judge.Recipe{VCs: 3, Paths: [][]int32{{0, 1}, {1, 2}, {2, 0}, {2, 0}}}
	cycle := [][]int32{{0, 1, 2}}
	for _, x := range []struct {
		name  string
		a     judge.Answer
		good  bool
		least bool
	}{
		{"one is enough", judge.Answer{Dropped: []int32{0}, Ranks: []int32{2, 0, 1}, Cycles: cycle, Steps: []int32{0, 0}}, true, true},
		{"none is left out", judge.Answer{Ranks: []int32{0, 1, 2}}, false, true},
		{"two are not the fewest", judge.Answer{Dropped: []int32{2, 3}, Ranks: []int32{0, 1, 2}, Cycles: cycle, Steps: []int32{0, 0}}, true, false},
		{"no cycle", judge.Answer{Dropped: []int32{0}, Ranks: []int32{2, 0, 1}, Cycles: [][]int32{{0, 2}}, Steps: []int32{0, 0}}, true, false},
		{"twice", judge.Answer{Dropped: []int32{0, 0}, Ranks: []int32{2, 0, 1}}, false, false},
	} {
		if err := judge.Judge(r, &x.a); (err == nil) != x.good {
			t.Errorf("%s: %v", x.name, err)
		}
		if err := judge.JudgeLeast(r, &x.a); (err == nil) != x.least {
			t.Errorf("%s, fewest: %v", x.name, err)
		}
	}
	ring := &judge.Recipe{VCs: 3, Paths: r.Paths, Ring: []int32{0, 0, 0}, Next: []int32{1, 2, 0}}
	if err := judge.JudgeCycle(ring, cycle[0]); err == nil {
		t.Error("a cycle within a ring counts")
	}
	if err := judge.Judge(ring, &judge.Answer{Ranks: []int32{1, 1, 1}}); err != nil {
		t.Error(err)
	}
	if bad := (&judge.Recipe{VCs: 3, Paths: r.Paths, Ring: []int32{0, 0, 0}, Next: []int32{1, 2, 1}}); judge.Judge(bad, &judge.Answer{Ranks: []int32{1, 1, 1}}) == nil {
		t.Error("a ring that is none is accepted")
	}
}
