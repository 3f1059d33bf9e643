package queues

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestLeaveOut leaves random packets out of random runs. The moves of the others stay possible, and their flits come at least as
// far: statement (b) of docs/theorems/queues.md.
func TestLeaveOut(t *testing.T) {
	repeated := 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		w := randomWalk(t, random)
		w.search(2_000 + random.IntN(20_000))
		in := map[*packet]bool{}
		for _, p := range w.order() {
			if p.trails != nil && random.IntN(3) > 0 {
				in[p] = true
			}
		}
		b := w.blocked()
		c := b.repeat(func(p *packet) bool { return in[p] })
		if c == nil {
			t.Fatalf("seed %d: some moves are impossible without other packets", seed)
		}
		var kept []*packet
		for _, p := range w.order() {
			if in[p] {
				kept = append(kept, p)
			}
		}
		for i, p := range c.order() {
			for k := range p.in {
				if p.in[k] < kept[i].in[k] {
					t.Fatalf("seed %d: %d flits reach place %d, and %d with other packets", seed, p.in[k], k, kept[i].in[k])
				}
			}
			repeated++
		}
	}
	if repeated < 1000 {
		t.Errorf("only %d packets: the test is too weak", repeated)
	}
}

// randomWalk returns the empty network with random sizes, a rule of reuse and a region.
func randomWalk(t *testing.T, random *rand.Rand) *walk {
	t.Helper()
	spec := []string{"ring:5", "ring:4,vcs=2", "mesh:3x3", "torus:3x3,vcs=2"}[random.IntN(4)]
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("minimal", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &Setup{Packet: 1 + random.IntN(6), Reuse: []facts.Reuse{facts.WhenEmpty, facts.WhenNotFull, facts.WhenUnused}[random.IntN(3)]}
	for range n.NumLinkChannels() {
		s.Buffers = append(s.Buffers, 1+random.IntN(5))
	}
	graph, err := cdg.Build(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	list := regions(graph)
	g, err := newRoutes(r, nil).newRegion(t.Context(), list[random.IntN(len(list))])
	if err != nil {
		t.Fatal(err)
	}
	return newWalk(newRun(n, s), g, random)
}
