package cert_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// randomRouting returns a random table or relation, the generator that it comes from, and whether Check judges it.
func randomRouting(seed uint64) (*rand.Rand, Subject, bool) {
	rng := rand.New(rand.NewPCG(seed, 31))
	s := randomTable(rng, seed%2 == 0)
	if seed%4 >= 2 {
		s = randomRelation(rng, seed%2 == 0)
	}
	return rng, s, Check(certify(s)) == nil
}

// TestMinimalRefuted claims for packets to all reachable states of random tables and relations that their last hop refutes minimal. Check
// agrees with brute force.
func TestMinimalRefuted(t *testing.T) {
	counts := map[bool]int{}
	for seed := range uint64(40) {
		_, s, judged := randomRouting(seed)
		if !judged {
			continue
		}
		n := explore(&s)
		n.lastHops(func(p Packet, before, after int) {
			want := before < len(s.Network.Switches) && after >= before
			counts[want]++
			err := Check(&Certificate{Schema: Schema, Subject: s, Claims: []Claim{{Claim: ClaimMinimal, Verdict: Refuted, Evidence: EvidenceFarther,
				Packets: []Packet{p}}}})
			if (err == nil) != want {
				t.Errorf("seed %d: a hop from distance %d to %d: %v", seed, before, after, err)
			}
		})
	}
	if counts[true] < 20 || counts[false] < 20 {
		t.Errorf("too few hops of each kind: %v", counts)
	}
	t.Log(counts)
}
