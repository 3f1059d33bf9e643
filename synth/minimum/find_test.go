package minimum

import (
	"cmp"
	"os"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

func network(t testing.TB, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKnown: fewest prohibited turns that are known: complete graphs n(n-1)(n-2)/3, meshes
// 2(a-1)(b-1), tori 2k^2+4k, cubes a quarter of all turns. The bound meets them all.
func TestKnown(t *testing.T) {
	for spec, want := range map[string]int{
		"complete:4": 8, "complete:5": 20, "complete:6": 40, "mesh:3x3": 8, "mesh:4x4": 18, "mesh:3x5": 16, "torus:3x3": 30, "torus:4x4": 48, "hypercube:3": 12, "hypercube:4": 48,
		"line:5": 0, "ring:5": 2, "star:6": 0, "random:switches=12,degree=4,seed=2": -1, "random:switches=16,degree=4,seed=1": 43, "random:switches=16,degree=4,seed=2": 44,
	} {
		n := network(t, spec)
		r, err := Find(t.Context(), n, Options{Time: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		theorem := 2 * (n.NumLinks() - n.NumSwitches() + 1) // may be met before there is a packing
		if prohibited := r.Allowed.Complement().Len(); want >= 0 && r.Least != want || r.Least != r.Bound || prohibited != r.Least || max(r.Packing.Bound(), theorem) != r.Bound {
			t.Errorf("%s: %d prohibited, said %d, at least %d; %d were expected", spec, prohibited, r.Least, r.Bound, want)
		}
	}
}

// TestBoth: a turn together with its reverse: K4 4, K5 10, meshes (p-1)^2, the 3x3 torus 15,
// the 3-cube 6; on Petersen-like graphs more than half of the fewest single turns.
func TestBoth(t *testing.T) {
	for spec, want := range map[string]int{"complete:4": 4, "complete:5": 10, "mesh:3x3": 4, "mesh:4x4": 9, "torus:3x3": 15, "hypercube:3": 6,
		"ring:5": 1, "star:4": 0} {
		r, err := Find(t.Context(), network(t, spec), Options{Time: 5 * time.Second, Both: true})
		if err != nil {
			t.Fatal(err)
		}
		prohibited := r.Allowed.Complement()
		for turn := range prohibited.All() {
			n := r.Allowed.Network()
			in, _ := n.Channel(turn.In)
			out, _ := n.Channel(turn.Out)
			if !prohibited.Has(model.Turn{In: n.VC(n.Reverse(out), 0), Out: n.VC(n.Reverse(in), 0)}) {
				t.Fatalf("%s: the reverse of a prohibited turn is allowed", spec)
			}
		}
		if r.Least != want || r.Bound != want || prohibited.Len() != 2*want {
			t.Errorf("%s: %d pairs prohibited, at least %d, %d turns; %d pairs were expected", spec, r.Least, r.Bound, prohibited.Len(), want)
		}
	}
}

// TestLarge checks that on large networks the turns of a tree stay allowed, so that all pairs stay
// connected.
func TestLarge(t *testing.T) {
	n := network(t, "random:switches=320,degree=4,seed=3")
	tree, err := hv.NewTree(n, 0, hv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rank := make([]int32, n.NumLinkChannels()) // up before down, by depth
	order := make([]int32, len(rank))
	key := func(c int32) int32 {
		u, v := n.Tail(model.ChannelID(c)), n.Head(model.ChannelID(c))
		a, b := tree.Depth[u]*1000+int32(u), tree.Depth[v]*1000+int32(v)
		if b < a {
			return -a
		}
		return a + 1
	}
	for c := range order {
		order[c] = int32(c)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a, b)) })
	for i, c := range order {
		rank[c] = int32(i)
	}
	r, err := Find(t.Context(), n, Options{Time: 500 * time.Millisecond, Start: [][]int32{rank}, Tree: tree.Up})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.CheckTurns(t.Context(), r.Allowed, verify.TurnOptions{Gossip: true})
	if err != nil || rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved || rep.Bound != 642 || r.Bound < 642 {
		t.Errorf("%d prohibited, at least %d, %v: %+v", r.Least, r.Bound, err, rep)
	}
}

// TestDisjoint checks that cycles without a common turn give a bound. On complete graphs the bound
// is the optimum.
func TestDisjoint(t *testing.T) {
	for spec, want := range map[string]int{"complete:4": 8, "complete:5": 20, "complete:7": 70, "ring:5": 2, "line:4": 0, "mesh:3x3": 8} {
		x := newInstance(network(t, spec))
		pack := x.disjoint(t.Context())
		if got := pack.Bound(); got != want {
			t.Errorf("%s: %d, want %d", spec, got, want)
		}
		if want > 0 {
			if reason, err := checker(x.net, Claimed{Packing: pack}); err != nil || reason != "" {
				t.Errorf("%s: %s, %v", spec, reason, err)
			}
		}
	}
	r, err := Find(t.Context(), network(t, "complete:17"), Options{Time: 20 * time.Second})
	if err != nil || r.Least != 17*16*15/3 || r.Bound != r.Least {
		t.Errorf("complete:17, which has too many turns for linear programming: %d, at least %d, %v", r.Least, r.Bound, err)
	}
}

// TestDisjointTurns checks that no turn is in two of the cycles; for pairs, neither a turn nor its
// reverse.
func TestDisjointTurns(t *testing.T) {
	most := 0
	rapid.Check(t, func(rt *rapid.T) {
		x := newInstance(modeltest.Network(rt, 7))
		x.both = rapid.Bool().Draw(rt, "both")
		row, _ := x.decisions()
		number := map[turn]int32{}
		for i, pair := range x.turns {
			number[pair] = int32(i)
		}
		pack, used := x.disjoint(t.Context()), map[int32]int{}
		for i, cycle := range pack.Cycles {
			for k, in := range cycle {
				i1, ok := number[turn{in, cycle[(k+1)%len(cycle)]}]
				if !ok {
					rt.Fatalf("cycle %v has no turn after channel %d", cycle, in)
				}
				if other, ok := used[row[i1]]; ok && other != i {
					rt.Fatalf("cycles %d and %d share a turn", other, i)
				}
				used[row[i1]] = i
			}
		}
		most = max(most, len(pack.Cycles))
	})
	if most < 4 {
		t.Errorf("%d cycles at most", most)
	}
}

// TestNamed uses graphs on which connected hosts, or pairs of a turn and its reverse, need more
// prohibited turns than cycles alone. The checker accepts the steps of the proof.
func TestNamed(t *testing.T) {
	refutations := 0
	for _, c := range []struct {
		name               string
		switches           int
		link               func(u, v int) bool // u < v
		free, joined, both int                 // fewest turns
	}{
		{"Petersen", 10, func(u, v int) bool {
			return v < 5 && (v-u == 1 || v-u == 4) || v-u == 5 || u >= 5 && (v-u == 2 || v-u == 3)
		}, 12, 12, 14},
		{"K3,3", 6, func(u, v int) bool { return u < 3 && v >= 3 }, 9, 9, 10},
		{"K4,4", 8, func(u, v int) bool { return u < 4 && v >= 4 }, 24, 25, 28},
		{"Heawood", 14, func(u, v int) bool {
			return v-u == 1 || v-u == 13 || u%2 == 0 && v-u == 5 || v%2 == 0 && u+14-v == 5
		}, 15, 16, 18},
	} {
		if c.name == "Heawood" && os.Getenv("TURNPROOF_LONG") == "" {
			continue
		}
		b := model.NewBuilder()
		ports := make([]model.Port, c.switches)
		port := func(u int) model.Port { ports[u]++; return ports[u] }
		for u := range c.switches {
			b.AddSwitch(model.Switch{Ports: 8})
			b.AddHost(model.Host{Switch: model.SwitchID(u), Port: port(u)})
		}
		for u := range c.switches {
			for v := range c.switches {
				if u < v && c.link(u, v) {
					b.AddLink(model.SwitchID(u), port(u), model.SwitchID(v), port(v))
				}
			}
		}
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		for o, want := range map[*Options]int{{Cyclefree: true}: c.free, {}: c.joined, {Both: true}: c.both / 2} {
			o.Time = time.Minute
			r, err := Find(t.Context(), n, *o)
			if err != nil || r.Least != want || r.Bound != want {
				t.Fatalf("%s, %+v: %+v, %v; %d were expected", c.name, *o, r, err, want)
			}
			x := newInstance(n)
			x.both = o.Both
			if acceptsResult(t, x, r) {
				refutations++
			}
		}
	}
	if refutations < 3 {
		t.Errorf("%d results have steps", refutations)
	}
}
