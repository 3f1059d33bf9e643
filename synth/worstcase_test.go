package synth_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
)

// routed returns a routing of a network: a word, a method, or a program after the prefix "program:".
func routed(t *testing.T, spec, word string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := resolve.Routing(t.Context(), word, "", n, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Relation
}

// follow adds to load what a packet in state s with this probability puts on the channels. It walks every path.
func follow(r model.Relation, s model.State, probability float64, load []float64) {
	c, _ := r.Network().Channel(s.VC)
	load[c] += probability
	if r.Network().Kind(c) == model.Eject {
		return
	}
	hops, weights, sum := r.Next(s, nil), []uint32(nil), 0.0
	if w, ok := r.(model.HopWeighted); ok {
		weights = w.HopWeights(s, nil)
	}
	for i := range hops {
		if weights == nil {
			sum++
		} else {
			sum += float64(weights[i])
		}
	}
	for i, h := range hops {
		w := 1.0
		if weights != nil {
			w = float64(weights[i])
		}
		follow(r, model.State{VC: h.VC, Dest: s.Dest, Class: h.Class}, probability*w/sum, load)
	}
}

// loadsByWalks returns the loads of a pair of hosts by channel.
func loadsByWalks(r model.Relation, from, to model.HostID) []float64 {
	n, load, lids := r.Network(), make([]float64, r.Network().NumChannels()), 0.0
	for d := range model.DestID(r.Destinations()) {
		if r.DestinationHost(d) == to {
			lids++
		}
	}
	for d := range model.DestID(r.Destinations()) {
		if r.DestinationHost(d) != to {
			continue
		}
		classes, all := r.Inject(from, d, nil), 0.0
		weights := model.Weights(r, from, d, classes, nil)
		for _, w := range weights {
			all += float64(w)
		}
		for i, k := range classes {
			follow(r, model.State{VC: n.VC(n.InjectChannel(from), 0), Dest: d, Class: k}, float64(weights[i])/all/lids, load)
		}
	}
	return load
}

// worstOfAll returns the largest load of a channel under any permutation. It tries all of them.
func worstOfAll(r model.Relation) float64 {
	n := r.Network()
	loads := make([][][]float64, n.NumHosts())
	for from := range loads {
		loads[from] = make([][]float64, n.NumHosts())
		for to := range loads[from] {
			if from != to {
				loads[from][to] = loadsByWalks(r, model.HostID(from), model.HostID(to))
			}
		}
	}
	most, to := 0.0, make([]int, n.NumHosts())
	for h := range to {
		to[h] = h
	}
	var permute func(k int)
	permute = func(k int) {
		if k == len(to) {
			for c := range n.NumChannels() {
				sum := 0.0
				for h, t := range to {
					if h != t {
						sum += loads[h][t][c]
					}
				}
				most = max(most, sum)
			}
			return
		}
		for i := k; i < len(to); i++ {
			to[k], to[i] = to[i], to[k]
			permute(k + 1)
			to[k], to[i] = to[i], to[k]
		}
	}
	permute(0)
	return most
}

// underPermutation returns the flow of routing r if the hosts send as w says.
func underPermutation(t *testing.T, r model.Relation, w *synth.WorstCase) *synth.Flow {
	t.Helper()
	n := r.Network()
	traffic, err := model.GroupTraffic(n, make([]int32, n.NumHosts()), [][]float64{{0}})
	if err != nil {
		t.Fatal(err)
	}
	for h, to := range w.To {
		if to == model.NoHost {
			continue
		}
		if err := traffic.Set(model.HostID(h), to, 1); err != nil {
			t.Fatal(err)
		}
	}
	f, err := synth.MeasureFlow(t.Context(), r, traffic)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestWorstCaseAgainstAllPermutations compares FindWorstCase with all permutations of up to 7 hosts, whose loads come from walks
// along every path. The permutation that FindWorstCase returns has the load that it states.
func TestWorstCaseAgainstAllPermutations(t *testing.T) {
	cases := []string{
		"ring:5 minimal", "ring:6 minimal", "ring:7,vcs=2 dor", "mesh:3x2 dor", "mesh:3x2 minimal", "mesh:3x2 odd-even", "mesh:2x2,hosts=1 west-first",
		"mesh:3x1,hosts=2 dor", "mesh:2x1,hosts=3 dor", "hypercube:2 e-cube",
		"random:switches=6,degree=3,seed=1 updown", "random:switches=7,degree=4,seed=2 lturn-alpha", "random:switches=7,degree=4,seed=3 turn-addition",
		"random:switches=6,degree=3,parallel=true,seed=4 tp", "random:switches=7,degree=4,seed=5 rturn-beta", "random:switches=3,degree=2,hosts=2,seed=1 updown",
		"mesh:3x2,vcs=2 duato", "fattree:k=2,levels=2 updown",
	}
	for _, word := range cases {
		spec, routing, _ := strings.Cut(word, " ")
		t.Run(word, func(t *testing.T) {
			r := routed(t, spec, routing)
			if k := r.Network().NumHosts(); k > 7 {
				t.Fatalf("%d hosts", k)
			}
			w, err := synth.FindWorstCase(t.Context(), r, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := worstOfAll(r)
			if math.Abs(w.Load-want) > 1e-11 {
				t.Errorf("load %v, want %v", w.Load, want)
			}
			f := underPermutation(t, r, w)
			if most, _ := f.MaxLoad(); math.Abs(most-w.Load) > 1e-11 || math.Abs(f.Load[w.Channel]-w.Load) > 1e-11 {
				t.Errorf("its permutation has load %v, on its channel %v, want %v", most, f.Load[w.Channel], w.Load)
			}
		})
	}
}

// TestWorstCasePublished compares worst-case throughputs with those of papers.
//
// Sources: A. Singh, W. J. Dally, B. Towles and A. K. Gupta, Locality-preserving randomized oblivious routing on torus networks, SPAA, 2002: on
// the 8-ary 2-cube, as a part of its capacity (1 flit a clock and host), dimension order 0.25, ROMM 0.208, Valiant 0.5. Derived: on a
// mesh of k x k the last channel of a row can carry the packets of k-1 hosts, and no channel more; on
// 3 x 3 x 3 a channel of the second dimension those of 3 hosts to 6, or of 6 to 3.
func TestWorstCasePublished(t *testing.T) {
	for _, c := range []struct {
		spec, routing string
		want, within  float64
	}{
		{"torus:8x8,vcs=2", "dor", 0.25, 1e-9},
		{"mesh:4x4", "dor", 1. / 3, 1e-9},
		{"mesh:8x8", "dor", 1. / 7, 1e-9},
		{"mesh:3x3x3", "dor", 1. / 3, 1e-9},
		{"torus:8x8,vcs=2", torusProgram(t, "valiant", valiantTorus), 0.5, 1e-9},
		{"torus:8x8,vcs=2", torusProgram(t, "romm", rommTorus), 0.208, 0.001},
	} {
		t.Run(c.spec+" "+c.routing, func(t *testing.T) {
			if c.routing != "dor" {
				longtest.Only(t, "TestWorstCaseAgainstAllPermutations has other routings than dor")
			}
			w, err := synth.FindWorstCase(t.Context(), routed(t, c.spec, c.routing), 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := w.Throughput(); math.Abs(got-c.want) > c.within {
				t.Errorf("worst-case throughput %v, want %v", got, c.want)
			}
		})
	}
}

// torusProgram writes a routing program for the 8-ary 2-cube. At distance 4 a bit of the state decides between the two directions.
func torusProgram(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name+".star")
	if err := os.WriteFile(path, []byte(onTorus+text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const onTorus = `
family = torus(8, 8)
vcs = 2
states = 256

def dimension_order(cur, to, vc, bits):
    for d in range(2):
        far = (to[d] - cur[d]) % 8
        if far != 0:
            return [(plus(d) if far < 4 or far == 4 and (bits // (d + 1)) % 2 == 0 else minus(d), vc)]
    return [EJECT]

def route(cur, dst, inp, state):
    middle = (state % 8, state // 8 % 8)
    if inp.vc == 0 and cur != middle:
        return dimension_order(cur, middle, 0, state // 64)
    return dimension_order(cur, dst, 1, state // 64)
`

const valiantTorus = `
def inject(src, dst):
    return range(256)
`

const rommTorus = `
def line(at, to, bit):
    far = (to - at) % 8
    if far < 4 or far == 4 and bit == 0:
        return [(at + i) % 8 for i in range(far + 1)]
    return [(at - i) % 8 for i in range(9 - far)]

def inject(src, dst):
    return [x + 8 * y + 64 * bits for bits in range(4)
            for x in line(src.x, dst.x, bits % 2) for y in line(src.y, dst.y, bits // 2)]
`
