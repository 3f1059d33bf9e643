package cert_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	. "github.com/turnproof/turnproof/verify/cert"
)

// TestPacketSteps compares the steps of kind 2 about packets that hold one VC each with all moves from the empty network.
func TestPacketSteps(t *testing.T) {
	t.Parallel()
	var subjects []Subject
	for _, name := range []string{"unreachable", "no-worms", "no-worms-mixed"} {
		subjects = append(subjects, kept(t, name).Subject)
	}
	seeds := longtest.Cases[uint64](12, 300)
	for seed := range seeds {
		subjects = append(subjects, randomRelation(rand.New(rand.NewPCG(seed, 32)), seed%2 == 0))
	}
	count := map[string]int{}
	for k, s := range subjects {
		s.Switching, s.Premises = []string{"vct", "saf"}[k%2], nil
		w, rng := numberWorms(&s), rand.New(rand.NewPCG(uint64(k), 32))
		for range 25 + 150*max(0, 1-k) { // more of the first one, whose packets would have to change places
			if len(w.states) == 0 {
				break
			}
			var places [][]int32
			var literals []int32
			vcs := map[int32]bool{}
			for _, i := range rng.Perm(len(w.states))[:min(len(w.states), 1+rng.IntN(3))] {
				places, literals = append(places, []int32{int32(i)}), append(literals, -w.lies(int32(i)))
				vcs[w.states[i].vc] = true
			}
			if len(vcs) < len(places) {
				if stepIsShown(t, &s, EvidenceUnreachable, 1, literals...) {
					t.Errorf("subject %d: states %v on one VC are a step of kind 1", k, literals)
				}
				continue
			}
			meet, ends := w.meet(places...)
			if !ends {
				continue
			}
			if got := stepIsShown(t, &s, EvidenceUnreachable, 2, literals...); got == meet {
				t.Errorf("subject %d: %v: shown %v, the packets come together: %v", k, literals, got, meet)
			}
			count[fmt.Sprint(len(places), meet)]++
		}
	}
	for _, name := range []string{"1 true", "2 true", "3 true", "2 false"} {
		if count[name] == 0 {
			t.Errorf("no step with %s: %v", name, count)
		}
	}
	t.Log(count)
}

// TestPacketsByPropagation gives the judge proofs without lemmas. They are accepted exactly if an order of elimination
// exists, because then propagation takes each VC away.
func TestPacketsByPropagation(t *testing.T) {
	t.Parallel()
	var count [2]int
	for seed := range longtest.Share[uint64](1000, 3) {
		rng := rand.New(rand.NewPCG(seed, 33))
		s := randomRelation(rng, seed%2 == 0)
		if s.Switching = "vct"; seed%3 == 0 && hasChoice(&s) {
			s.Waiting = WaitingOne
		}
		refuted, accepted := isBlocked(s), Check(provedBySteps(&s, EvidenceUnreachable, 0, 0)) == nil
		if refuted == accepted {
			t.Errorf("seed %d: packets block each other: %v, a proof without lemmas is accepted: %v", seed, refuted, accepted)
		}
		if accepted {
			count[0]++
		} else {
			count[1]++
		}
	}
	if count[0] < longtest.Share(100, 3) || count[1] < longtest.Share(100, 3) {
		t.Errorf("%d accepted, %d refuted", count[0], count[1])
	}
}

// TestPacketRejects changes what a proof about packets rests on.
func TestPacketRejects(t *testing.T) {
	changedSteps(t, "unreachable", EvidenceUnreachable, map[string]func(c *Certificate, steps *Ints){
		"":                              func(*Certificate, *Ints) {},
		"a packet can hold several VCs": func(c *Certificate, _ *Ints) { c.Subject.Switching, c.Subject.Premises = "wormhole", nil },
		"is cut off":                    func(_ *Certificate, steps *Ints) { *steps = (*steps)[:len(*steps)-2] },
		"is not shown":                  func(_ *Certificate, steps *Ints) { *steps = Ints{0, 0} },
		"0 literals of kind 3":          func(_ *Certificate, steps *Ints) { *steps = append(Ints{3, 0}, *steps...) },
		"nothing about multicast packe": func(c *Certificate, _ *Ints) {
			c.Subject.Multicast = &Multicast{Groups: []Group{{49152, 0, Ints{0, 1, 1}}}}
		},
	})
}
