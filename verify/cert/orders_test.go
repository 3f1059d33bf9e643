package cert_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// This file holds the judges of orders against their definitions.

// rises says whether every dependency of a subject leads to a greater rank.
func (n *naive) rises(ranks Ints) bool {
	for dep := range n.deps {
		if ranks[dep[0]] >= ranks[dep[1]] {
			return false
		}
	}
	return true
}

// drains says whether every state on a VC between switches that has next hops has one to an
// ejection channel or to a greater rank.
func (n *naive) drains(ranks Ints) bool {
	for d := range n.paths {
		for at := range n.paths[d] {
			next := n.next(d, at)
			if n.isLink(at.vc) && len(next) > 0 && !slices.ContainsFunc(next, func(to state) bool {
				return !n.isLink(to.vc) || ranks[to.vc] > ranks[at.vc]
			}) {
				return false
			}
		}
	}
	return true
}

// TestOrders judges ranks of random subjects as numberings and as orders of elimination: valid
// ranks, ranks with two exchanged, and random ranks.
func TestOrders(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for seed := range uint64(240) {
		rng := rand.New(rand.NewPCG(seed, 13))
		s := randomTable(rng, seed%3 == 0)
		if seed%2 == 0 {
			s = randomRelation(rng, seed%3 == 0)
		}
		s.Switching = "vct"
		n, claims := explore(&s), certify(s).Claims
		size := len(s.Network.Links) / 2 * s.Network.VCs
		judge := func(claim, evidence string, ranks Ints, want bool) {
			c := &Certificate{Schema: Schema, Subject: s, Claims: []Claim{{Claim: claim, Verdict: Proved, Evidence: evidence, Ranks: &ranks}}}
			if err := Check(c); (err == nil) != want {
				t.Fatalf("seed %d: %s by %v: %v, want %v", seed, evidence, ranks, err, want)
			}
			if count[evidence]++; want {
				count[evidence+" holds"]++
			}
		}
		both := func(ranks Ints) {
			judge(ClaimAcyclic, EvidenceNumbering, ranks, n.rises(ranks))
			judge(ClaimDeadlockFree, EvidenceElimination, ranks, n.drains(ranks))
		}
		orders := []Ints{{}}
		for _, v := range rng.Perm(size) {
			orders[0] = append(orders[0], int32(v))
		}
		for _, c := range claims {
			if c.Evidence == EvidenceNumbering || c.Evidence == EvidenceElimination {
				orders = append(orders, *c.Ranks)
			}
		}
		for _, ranks := range orders {
			both(ranks)
			for a := range ranks {
				b := rng.IntN(size)
				other := slices.Clone(ranks)
				other[a], other[b] = other[b], other[a]
				both(other)
			}
		}
	}
	t.Log(count)
	for _, evidence := range []string{EvidenceNumbering, EvidenceElimination} {
		if holds := count[evidence+" holds"]; holds < 500 || count[evidence]-holds < 500 {
			t.Errorf("%s: %d of %d hold", evidence, holds, count[evidence])
		}
	}
}
