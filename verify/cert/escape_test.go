package cert_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	. "github.com/turnproof/turnproof/verify/cert"
)

// This file holds the judge of escapes against brute force.

// drawnEscape is some of the hops of a relation, and what of it holds.
type drawnEscape struct {
	flags Ints
	stuck bool                     // a state has neither escape hop nor ejection
	after map[int32]map[int32]bool // by VC that an escape hop leads to: the escape VCs that packets on it may request
	soon  map[int32]map[int32]bool // the same for their next hop only
}

// drawEscape draws the hops of an escape; likely says which are likely.
func drawEscape(rng *rand.Rand, s Subject, likely func(vc int32) bool) *drawnEscape {
	n := explore(&s)
	x := &drawnEscape{after: map[int32]map[int32]bool{}, soon: map[int32]map[int32]bool{}}
	type hop struct {
		d        int
		from, to state
	}
	is := map[hop]bool{}
	everywhere := rng.IntN(4) > 0 // each state has an escape
	for list := s.Relation.States; len(list) > 0; list = list[4+2*list[3]:] {
		d, at, out := int(list[0]), state{list[1], list[2]}, false
		for k := range list[3] {
			to := state{list[4+2*k], list[5+2*k]}
			flag := int32(0)
			last := everywhere && !out && k == list[3]-1
			if n.isLink(to.vc) && (last || likely(to.vc) != (rng.IntN(12) == 0)) {
				is[hop{d, at, to}], flag = true, 1
				if x.after[to.vc] == nil {
					x.after[to.vc], x.soon[to.vc] = map[int32]bool{}, map[int32]bool{}
				}
			}
			out = out || flag == 1 || !n.isLink(to.vc)
			x.flags = append(x.flags, flag)
		}
		x.stuck = x.stuck || !out
	}
	for d := range n.ends {
		for at := range n.paths[d] {
			if x.after[at.vc] != nil {
				n.asks(d, at, func(from, to state) bool { return is[hop{d, from, to}] }, x.after[at.vc], map[state]bool{})
				for _, to := range n.next(d, at) {
					if is[hop{d, at, to}] {
						x.soon[at.vc][to.vc] = true
					}
				}
			}
		}
	}
	return x
}

// holds is the definition of the evidence.
func (x *drawnEscape) holds(ranks Ints) bool {
	for v, rank := range ranks {
		if (rank >= 0) != (x.after[int32(v)] != nil) {
			return false
		}
	}
	for a, list := range x.after {
		for b := range list {
			if ranks[a] >= ranks[b] {
				return false
			}
		}
	}
	return !x.stuck
}

// TestEscapes uses parts of random relations as escapes: with valid ranks if there are any, with
// two ranks exchanged, and with random ranks.
func TestEscapes(t *testing.T) {
	t.Parallel()
	held, fell, low := 0, 0, 0
	for seed := range longtest.Share[uint64](600, 3) {
		rng := rand.New(rand.NewPCG(seed, 7))
		s := randomRelation(rng, seed%2 == 0)
		s.Switching = "wormhole"
		first := rng.IntN(2) == 0
		x := drawEscape(rng, s, func(vc int32) bool { return (vc%int32(s.Network.VCs) == 0) == first || s.Network.VCs == 1 })
		size := len(s.Network.Links) / 2 * s.Network.VCs
		judge := func(ranks Ints) {
			c := &Certificate{Schema: Schema, Subject: s, Claims: []Claim{{Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceEscape, Ranks: &ranks, Escape: &x.flags}}}
			err := Check(c)
			var no *Rejection
			switch {
			case x.holds(ranks) != (err == nil):
				t.Fatalf("seed %d: ranks %v: %v, by definition they hold: %v", seed, ranks, err, x.holds(ranks))
			case err == nil:
				held++
			case errors.As(err, &no) && strings.Contains(no.Reason, "is not below rank"):
				low++
			default:
				fell++
			}
		}
		ranks, ok := numbered(x.after, size)
		if !ok { // drawn
			ranks = slices.Repeat(Ints{-1}, size)
			order := rng.Perm(len(x.after))
			for v := range int32(size) {
				if x.after[v] != nil {
					ranks[v], order = int32(order[0]), order[1:]
				}
			}
		}
		judge(ranks)
		if some, ok := numbered(x.soon, size); ok {
			judge(some)
		}
		for v, rank := range ranks {
			if rank < 0 { // nothing leads there, so it has no rank
				more := slices.Clone(ranks)
				for w := range more {
					if more[w] >= 0 {
						more[w]++
					}
				}
				more[v] = 0
				judge(more)
				more = slices.Clone(ranks)
				more[v] = int32(size)
				judge(more)
			}
		}
		for a := range ranks {
			for b := range a {
				if ranks[a] >= 0 && ranks[b] >= 0 {
					other := slices.Clone(ranks)
					other[a], other[b] = other[b], other[a]
					judge(other)
				}
			}
		}
	}
	if held < longtest.Share(300, 3) || low < longtest.Share(1000, 3) || fell < longtest.Share(100, 3) {
		t.Errorf("%d hold, %d ask for less, %d are otherwise wrong", held, low, fell)
	}
}

// TestEscapeComesBack uses a packet that can leave its escape and later request the same VC again.
// The VC has no greater rank, so the evidence is rejected.
func TestEscapeComesBack(t *testing.T) {
	w := ring(3, 2)
	w.Links = w.Links[:8] // a line: channel 0 from switch 0 to 1, 1 back, 2 from 1 to 2
	judge := func(back bool) error {
		r := &Relation{Classes: 1, Sources: 1, Destinations: Ints{2}, Inject: Ints{0, 0, 0}}
		ranks, flags := Ints{0, -1, -1, -1, 1, -1, -1, -1}, Ints{1, 0, 1}
		r.States = Ints{0, 0, 0, 1, 4, 0, 0, 4, 0, 1, 18, 0, 0, 8, 0, 1, 0, 0}
		if back { // from VC 0 to VC 3, which is VC 1 of channel 1
			flags = Ints{0, 1, 1, 0, 1}
			r.States = Ints{0, 0, 0, 2, 3, 0, 4, 0, 0, 3, 0, 1, 0, 0, 0, 4, 0, 1, 18, 0, 0, 8, 0, 1, 0, 0}
		}
		return Check(&Certificate{Schema: Schema, Subject: Subject{Switching: "wormhole", Network: w, Relation: r},
			Claims: []Claim{{Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceEscape, Ranks: &ranks, Escape: &flags}}})
	}
	if err := judge(false); err != nil {
		t.Error(err)
	}
	if err := judge(true); err == nil || !strings.Contains(err.Error(), "rank 0 of VC 0 is not below rank 0") {
		t.Errorf("it comes back: %v", err)
	}
}
