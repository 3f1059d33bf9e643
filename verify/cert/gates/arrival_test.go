package gates

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/verify/cert"
)

// TestWholeAndThrough compares both methods with a test of the gate before each flit.
func TestWholeAndThrough(t *testing.T) {
	t.Parallel()
	outcomes := map[string]int{}
	for seed := range uint64(30_000) {
		r := rand.New(rand.NewPCG(seed, 5))
		y := drawnJourney(t, r)
		for j := range len(y.beyond) - 1 {
			if y.beyond[j] == 0 {
				continue
			}
			for _, way := range []struct {
				name string
				held func(j int) bool
				at   func(j, passed int) (flits []int, there []bool)
			}{{"whole", y.isClosedWhole, y.wholeAt}, {"through", y.isClosedByFlit, y.throughAt}} {
				want := false
				for passed := 0; passed < y.beyond[j] && (passed == 0 || y.ByFlit); passed++ {
					flits, there := way.at(j, passed)
					want = want || y.shut(j+1, flits, there)
				}
				if got := way.held(j); got != want {
					t.Fatalf("seed %d, %s, hop %d: kept %v, flit by flit %v\n%+v\nflits %v", seed, way.name, j, got, want, y.Gates, y.flits)
				}
				if outcomes[way.name]++; want {
					outcomes[way.name+", kept"]++
				}
			}
		}
	}
	for name, n := range outcomes {
		if n < 5000 {
			t.Errorf("%s: only %d times", name, n)
		}
	}
}

// drawnJourney returns a random packet on channels 0, 1, ... with two VCs each, among other packets.
func drawnJourney(t *testing.T, r *rand.Rand) *journey {
	const vcs = 2
	places := 2 + r.IntN(5)
	g := &cert.Gates{Packet: 1 + r.IntN(6), Reserved: r.IntN(3) == 0, ByFlit: r.IntN(3) > 0, VCs: []string{"own", "any", "all"}[r.IntN(3)], Most: int64(r.IntN(3))}
	g.Buffer = g.Packet + r.IntN(8)
	g.Level = r.IntN(g.Buffer)
	for range 1 + r.IntN(4) {
		g.Weights = append(g.Weights, int64(r.IntN(3)))
	}
	for c := range int32(places) {
		ahead := c + 1
		switch {
		case r.IntN(3) == 0: // back to an earlier channel, as on a ring
			ahead = int32(r.IntN(places))
		case int(ahead) == places || r.IntN(6) == 0:
			ahead = -1
		}
		g.Ahead = append(g.Ahead, ahead)
	}
	x := &deadlock{gated: &gated{Gates: g, Routing: fabric(t, vcs, (places+1)/2), vcs: vcs}, on: map[int32][]presence{}, taken: map[int32]int{}}
	var path cert.Ints
	flits := make([]int32, places)
	for c := range int32(places) {
		path = append(path, c*vcs+int32(r.IntN(vcs)), 0)
	}
	tail := r.IntN(places)
	for range g.Packet {
		flits[tail+r.IntN(places-tail)]++
	}
	for flits[tail] == 0 {
		tail++
	}
	for v := range int32(places * vcs) {
		for range r.IntN(2) {
			x.on[v] = append(x.on[v], presence{1, 0})
			x.taken[v] += r.IntN(g.Buffer + 1)
		}
	}
	x.claim = &cert.Claim{Packets: []cert.Packet{{Path: path, Destination: 1}}}
	x.flits, x.tail = [][]int32{flits}, []int{tail}
	y, err := x.journey(0)
	if err != nil {
		panic(err)
	}
	return y
}

// wholeAt returns the flits by place after some flits have passed the hop after place j. The packet was
// whole in one VC before; the flits behind have stopped in place.
func (y *journey) wholeAt(j, passed int) (flits []int, there []bool) {
	flits, there = make([]int, len(y.beyond)), make([]bool, len(y.beyond))
	left := y.Packet
	for p := y.tail[0]; p < j; p++ {
		flits[p] = int(y.flits[0][p])
		left -= flits[p]
	}
	flits[j], flits[j+1] = left-passed, passed
	for p := range flits {
		there[p] = flits[p] > 0
	}
	for p := y.tail[0]; p < j; p++ {
		there[p] = true // its tail is there or before
	}
	return flits, there
}

// throughAt returns the same for a packet whose flits move to their places one by one, the first flit to
// the last place.
func (y *journey) throughAt(j, passed int) (flits []int, there []bool) {
	flits, there = make([]int, len(y.beyond)), make([]bool, len(y.beyond))
	rest := passed
	for p := len(flits) - 1; p >= 0; p-- {
		flits[p] = min(rest, int(y.flits[0][p]))
		rest -= flits[p]
	}
	flits[j]++
	for p := range there {
		there[p] = p <= j || passed > 0 // its head has been there
	}
	return flits, there
}

// shut reports whether the gate of a place is closed by the other packets and these flits.
func (y *journey) shut(place int, flits []int, there []bool) bool {
	nearly := func(v int32) bool {
		sum, packets := y.taken[v], len(y.on[v])
		for p := range flits {
			if y.vc(0, p) == v && there[p] {
				sum, packets = sum+flits[p], packets+1
			}
		}
		if y.Reserved {
			sum = packets * y.Packet
		}
		return sum >= y.Buffer-y.Level
	}
	weight := int64(0)
	v := y.vc(0, place)
	c, index := v/2, v%2
	for i := 0; i < len(y.Weights) && c >= 0; i++ {
		own, other := nearly(c*2+index), nearly(c*2+1-index)
		if own && y.Gates.VCs == "own" || (own || other) && y.Gates.VCs == "any" || own && other && y.Gates.VCs == "all" {
			weight += y.Weights[i]
		}
		c = y.Ahead[c]
	}
	return weight > y.Most
}
