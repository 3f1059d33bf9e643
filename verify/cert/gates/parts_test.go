package gates

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/verify/cert"
)

// fabric returns a routing on two switches that are joined by cables, with an endpoint at each. No packets are sent.
func fabric(t *testing.T, vcs, cables int) *cert.Routing {
	t.Helper()
	w := cert.Network{VCs: vcs, Switches: []string{"a", "b"}, Endpoints: []string{"0", "1"}, Attach: cert.Ints{0, 0, 1, 0}, Hosts: 2}
	for port := range int32(cables) {
		w.Links = append(w.Links, 0, port+1, 1, port+1)
	}
	r, err := cert.OpenRouting(&cert.Certificate{Subject: cert.Subject{Switching: "vct", Network: w,
		Relation: &cert.Relation{Classes: 1, Sources: 2, Destinations: cert.Ints{0, 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestComesOnce checks that a packet whose path visits a VC twice is rejected.
func TestComesOnce(t *testing.T) {
	x := &deadlock{gated: &gated{Gates: &cert.Gates{Packet: 3, Buffer: 3}}, claim: &cert.Claim{Packets: []cert.Packet{{Path: cert.Ints{5, 0, 6, 0, 5, 0}}}}, flits: [][]int32{{1, 1, 1}}}
	if err := x.arrive(0); err == nil || !strings.Contains(err.Error(), "passes VC 5 twice") {
		t.Error(err)
	}
}

// TestBehind checks that a packet is behind another one on its VC only if the other one is leaving.
func TestBehind(t *testing.T) {
	r := fabric(t, 1, 50)
	for _, c := range []struct {
		path  cert.Ints // of the other packet
		flits []int32
		want  bool
	}{{cert.Ints{7, 0}, []int32{3}, false}, {cert.Ints{6, 0, 7, 0}, []int32{1, 2}, false}, {cert.Ints{7, 0, 8, 0}, []int32{1, 2}, true}, {cert.Ints{7, 0, 8, 0}, []int32{0, 3}, false}} {
		x := &deadlock{gated: &gated{Routing: r, vcs: 1, Gates: &cert.Gates{Packet: 3}}, on: map[int32][]presence{},
			claim: &cert.Claim{Packets: []cert.Packet{{Path: cert.Ints{7, 0}}, {Path: c.path}}}, flits: [][]int32{{3}, c.flits}, tail: []int{0, 0}}
		for i := range x.claim.Packets {
			for j := range x.flits[i] {
				x.on[x.vc(i, j)] = append(x.on[x.vc(i, j)], presence{i, j})
			}
		}
		if got := x.behind(0, 0); got != c.want {
			t.Errorf("behind a packet on %v with flits %v: %v", c.path, c.flits, got)
		}
	}
}

// TestFullest checks packets of several sizes in several buffers.
func TestFullest(t *testing.T) {
	for _, c := range []struct {
		packet, buffer int
		reserved       bool
		whole, partly  int
	}{{4, 10, false, 8, 10}, {4, 10, true, 8, 12}, {4, 8, false, 8, 8}, {4, 8, true, 8, 8}, {4, 11, false, 8, 11}, {3, 7, false, 6, 7}, {3, 7, true, 6, 9}, {1, 5, false, 5, 5}, {1, 5, true, 5, 5}} {
		g := &gated{Gates: &cert.Gates{Packet: c.packet, Buffer: c.buffer, Reserved: c.reserved}}
		if whole, partly := g.maxSlots(); whole != c.whole || partly != c.partly {
			t.Errorf("%+v: %d, %d", c, whole, partly)
		}
	}
}

// TestPassedUntil compares the last round in which packets pass through a VC, from all VCs except
// one, with a direct computation.
func TestPassedUntil(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 8))
		g, passes := &gated{passed: make([][2]passing, 1)}, map[int32]int32{}
		for range 1 + r.IntN(8) {
			from, round := int32(r.IntN(4)), int32(1+r.IntN(6))
			g.pass(from, 0, round)
			passes[from] = max(passes[from], round)
		}
		for except := range int32(4) {
			want := int32(0)
			for from, round := range passes {
				if from != except {
					want = max(want, round)
				}
			}
			if got := g.passedUntil(0, except); got != want {
				t.Fatalf("seed %d: until %d except from %d, want %d", seed, got, except, want)
			}
		}
	}
}

// TestMeasure checks the tail of a packet of three flits, and that an endpoint takes no more packets than
// its channel has VCs.
func TestMeasure(t *testing.T) {
	r := fabric(t, 1, 50)
	home := cert.Packet{Destination: 1, Path: cert.Ints{6, 0, 7, 0, r.Ejection(1), 0}}
	x := &deadlock{gated: &gated{Routing: r, vcs: 1, Gates: &cert.Gates{Packet: 3}}, claim: &cert.Claim{Packets: []cert.Packet{home, home}}}
	for i, flits := range [][]int32{{1, 1, 0}, {0, 2, 0}} {
		if err := x.measure(i, flits); err != nil || x.tail[i] != i {
			t.Errorf("packet %d: tail %v, %v", i, x.tail, err)
		}
	}
	if err := x.ejections(); err == nil || !strings.Contains(err.Error(), "2 packets have arrived in part") {
		t.Error(err)
	}
	x.gated.Routing, x.vcs, x.claim.Packets[1].Path[4], x.claim.Packets[0].Path[4] = fabric(t, 2, 50), 2, 2*r.Ejection(1), 2*r.Ejection(1)+1
	if err := x.ejections(); err != nil {
		t.Error(err)
	}
}

// TestKept checks that packets keep an ejection channel of two VCs only if they come from two other VCs.
func TestKept(t *testing.T) {
	r := fabric(t, 2, 1)
	to := 2*r.Ejection(0) + 2 // of endpoint 1
	for _, c := range []struct {
		kept   []passing
		except int32
		want   int32
	}{{nil, 3, 0}, {[]passing{{1, 4}}, 3, 0}, {[]passing{{1, 4}, {2, 6}}, 3, 4}, {[]passing{{1, 4}, {2, 6}}, 2, 0}, {[]passing{{1, 4}, {2, 6}, {3, 5}}, 7, 5},
		{[]passing{{1, 4}, {2, 6}, {3, 5}}, 2, 4}} {
		g := &gated{Routing: r, vcs: 2, kept: make([][]passing, 2)}
		for _, p := range c.kept {
			g.keep(p.from, to, p.round-1)
			g.keep(p.from, to, p.round)
			g.keep(p.from, to, 1)
		}
		if got := g.keptUntil(to+1, c.except); got != c.want {
			t.Errorf("%v keep the channel from VC %d until round %d, want %d", c.kept, c.except, got, c.want)
		}
	}
}
