package cert

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Parts that certificates of this package's generators do not bring to their ends.

func TestIsProduct(t *testing.T) {
	for _, c := range []struct {
		n, a, b int
		want    bool
	}{
		{0, 0, 0, true}, {0, 3, 0, true}, {0, 0, 3, true}, {3, 3, 0, false}, {3, 0, 3, false}, {3, 0, 0, false},
		{6, 2, 3, true}, {6, 3, 2, true}, {7, 2, 3, false}, {8, 2, 3, false}, {6, 3, 3, false}, {9, 2, 3, false}, {5, 2, 3, false},
		{0, 1 << 62, 4, false}, // whose product does not fit
	} {
		if got := isProduct(c.n, c.a, c.b); got != c.want {
			t.Errorf("%d is %d times %d: %v", c.n, c.a, c.b, got)
		}
	}
}

// TestLocate finds each state on a channel with many, the last of its destination, and none that
// is of another destination.
func TestLocate(t *testing.T) {
	const most = 9
	for many := int32(1); many <= most; many++ {
		r := &relation{network: &network{vcs: 1}, Relation: &Relation{}}
		for range 3 { // destinations; a state is its length, VC, class and no hops
			for class := range many {
				r.from = append(r.from, len(r.States))
				r.States = append(r.States, 3, 0, 2*class, 0)
			}
		}
		r.from = append(r.from, len(r.States))
		for d := range 3 {
			s := &reach{relation: r, lo: d * int(many), hi: (d + 1) * int(many), channel: []int{d * int(many)}}
			for class := range 2 * many {
				want := int(class) / 2
				if class%2 == 1 {
					want = -1
				}
				if got := s.locate(state{0, class}); got != want {
					t.Errorf("%d states, destination %d, class %d: at %d, not %d", many, d, class, got, want)
				}
			}
		}
	}
}

// TestComesOnce: a packet that passes a VC twice is not followed on its way.
func TestComesOnce(t *testing.T) {
	x := &gatedDeadlock{Gates: &Gates{Packet: 3, Buffer: 3}, claim: &Claim{Packets: []Packet{{Path: Ints{5, 0, 6, 0, 5, 0}}}}, flits: [][]int32{{1, 1, 1}}}
	if err := x.comes(0); err == nil || !strings.Contains(err.Error(), "passes VC 5 twice") {
		t.Error(err)
	}
}

// TestBehind: a packet whose head stands in a VC is not before another one there, one that is leaving is.
func TestBehind(t *testing.T) {
	n := &network{vcs: 1, links: 100, endpoints: 2}
	w := &relation{network: n, Relation: &Relation{Sources: 2, Destinations: Ints{0, 1}}}
	for _, c := range []struct {
		path  Ints // of the other packet
		flits []int32
		want  bool
	}{{Ints{7, 0}, []int32{3}, false}, {Ints{6, 0, 7, 0}, []int32{1, 2}, false}, {Ints{7, 0, 8, 0}, []int32{1, 2}, true}, {Ints{7, 0, 8, 0}, []int32{0, 3}, false}} {
		x := &gatedDeadlock{evidence: &evidence{network: n, routing: w}, Gates: &Gates{Packet: 3}, on: map[int32][]standing{},
			claim: &Claim{Packets: []Packet{{Path: Ints{7, 0}}, {Path: c.path}}}, flits: [][]int32{{3}, c.flits}, tail: []int{0, 0}}
		for i := range x.claim.Packets {
			for j := range x.flits[i] {
				x.on[x.vc(i, j)] = append(x.on[x.vc(i, j)], standing{i, j})
			}
		}
		if got := x.behind(0, 0); got != c.want {
			t.Errorf("behind a packet on %v with flits %v: %v", c.path, c.flits, got)
		}
	}
}

// TestGatesOfTables: gates are judged for relations only.
func TestGatesOfTables(t *testing.T) {
	c := kept(t, "gates-frozen")
	if _, err := newGated(c, &network{vcs: 1}, &table{}); err == nil || !strings.Contains(err.Error(), "gates with a table") {
		t.Error(err)
	}
}

// TestFullest: packets of 4 flits in buffers of 10 slots.
func TestFullest(t *testing.T) {
	for _, c := range []struct {
		packet, buffer int
		reserved       bool
		whole, partly  int
	}{{4, 10, false, 8, 10}, {4, 10, true, 8, 12}, {4, 8, false, 8, 8}, {4, 8, true, 8, 8}, {4, 11, false, 8, 11}, {3, 7, false, 6, 7}, {3, 7, true, 6, 9}, {1, 5, false, 5, 5}, {1, 5, true, 5, 5}} {
		g := &gated{Gates: &Gates{Packet: c.packet, Buffer: c.buffer, Reserved: c.reserved}}
		if whole, partly := g.fullest(); whole != c.whole || partly != c.partly {
			t.Errorf("%+v: %d, %d", c, whole, partly)
		}
	}
}

// TestPassedUntil: the latest round in which packets pass through a VC, from any VC but one.
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
				t.Fatalf("seed %d: until %d but from %d, want %d", seed, got, except, want)
			}
		}
	}
}

// TestManyTurns: a refutation of more turns than can be numbered is not begun.
func TestManyTurns(t *testing.T) {
	x := &turnSet{network: &network{vcs: 1, links: 2}, enters: []int32{0, 0}, outs: []int{mostTurns + 2}}
	if err := x.refutation(&Claim{Steps: &Ints{}}, false); err == nil || !strings.Contains(err.Error(), "turns") || strings.Contains(err.Error(), "step") {
		t.Error(err)
	}
}

// TestWayOfHosts: a clause says that hosts are parted, so both switches must have some.
func TestWayOfHosts(t *testing.T) {
	for _, c := range []struct {
		from, to int32
		wrong    bool
	}{{0, 1, false}, {0, 2, true}, {2, 0, true}, {0, 0, true}, {-1, 0, true}, {0, -1, true}, {3, 0, true}, {0, 3, true}} {
		x := &turnSet{network: &network{vcs: 1, switches: 3}, hostsAt: []int64{1, 1, 0}}
		r := &refutation{turnSet: x}
		if err := r.way(0, nil, c.from, c.to); (err != nil) != c.wrong {
			t.Errorf("from %d to %d: %v", c.from, c.to, err)
		}
	}
}

// TestArrives: on a ring where any way may be taken, every state leads home, the first and those that are home too.
func TestArrives(t *testing.T) {
	s := onRing("vct", anyHops)
	n, err := rebuild(&s.Network)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRelation(&s, n)
	if err != nil {
		t.Fatal(err)
	}
	for d, e := range r.Destinations {
		for i := r.firstOf[d]; i < r.firstOf[d+1]; i++ {
			if !r.arrives(d, r.key(i)) {
				t.Errorf("%v does not lead to destination %d", r.key(i), d)
			}
		}
		if !r.arrives(d, state{r.eject(e) * r.vcs, 0}) {
			t.Errorf("at destination %d a packet has not arrived", d)
		}
		if other := r.Destinations[(d+1)%4]; r.arrives(d, state{r.eject(other) * r.vcs, 0}) {
			t.Errorf("at endpoint %d a packet to destination %d has arrived", other, d)
		}
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	for _, c := range []struct {
		text string
		at   int
		want string
	}{{"a\nb", 0, "a"}, {long, 60, long[:100]}, {long, 61, long[41:141]}, {long, 200, long[180:]}, {long, 201, long[:100]}, {long + "\nx", 150, long[130:]}} {
		if got := string(excerpt([]byte(c.text), c.at)); got != c.want {
			t.Errorf("%d: %q, want %q", c.at, got, c.want)
		}
	}
}

// TestMeasure: where the tail of a packet of three flits is, and that no more arrive at an endpoint than its channel has VCs.
func TestMeasure(t *testing.T) {
	n := &network{vcs: 1, links: 100, endpoints: 2}
	w := &relation{network: n, Relation: &Relation{Sources: 2, Destinations: Ints{0, 1}}}
	home := Packet{Destination: 1, Path: Ints{6, 0, 7, 0, n.eject(1), 0}}
	x := &gatedDeadlock{evidence: &evidence{network: n, routing: w}, Gates: &Gates{Packet: 3}, claim: &Claim{Packets: []Packet{home, home}}}
	for i, flits := range [][]int32{{1, 1, 0}, {0, 2, 0}} {
		if err := x.measure(i, flits); err != nil || x.tail[i] != i {
			t.Errorf("packet %d: tail %v, %v", i, x.tail, err)
		}
	}
	if err := x.ejections(); err == nil || !strings.Contains(err.Error(), "2 packets have arrived in part") {
		t.Error(err)
	}
	n.vcs, x.claim.Packets[1].Path[4], x.claim.Packets[0].Path[4] = 2, 2*n.eject(1), 2*n.eject(1)+1
	if err := x.ejections(); err != nil {
		t.Error(err)
	}
}
