package relations

import (
	"slices"

	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/cert/transition" // the judge
	"github.com/turnproof/turnproof/verify/transition"
)

// This file writes certificates, and has them checked.

// MixtureCertificate returns the evidence for a mixture, after the checker has accepted it. It returns nil if nothing is decided. An error is
// an internal one.
func (c *Change) MixtureCertificate(m *transition.Mixture, about transition.About) (*cert.Certificate, error) {
	var claims []cert.Claim
	switch {
	case m.Undecided != "":
	case m.Cycle != nil:
		claims = append(claims, cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceMixedCycle,
			Packets: encode.Packets(m.Packets)})
	default:
		claims = append(claims, states(cert.ClaimDeadlockFree))
	}
	v := anyEntries(m.Part() == transition.Destination && !m.Drained())
	if c.isLoopFree(v) {
		claims = append(claims, states(cert.ClaimLivelockFree))
	}
	if len(claims) == 0 {
		return nil, nil
	}
	return c.certificate(cert.Transition{Parts: string(m.Part()), Drained: m.Drained()}, about, claims...)
}

func states(claim string) cert.Claim {
	return cert.Claim{Claim: claim, Verdict: cert.Proved, Evidence: cert.EvidenceStates}
}

// isLoopFree reports whether no packet can come back to a state: whether states without a next state that remains leave one after the other
// until none is left.
func (c *Change) isLoopFree(v view) bool {
	for d := range model.DestID(c.NumDestinations()) {
		left, into, nodes := map[node]int{}, map[node][]node{}, 0
		var done []node
		c.eachNode(d, v, func(at node) {
			nodes++
			c.eachSide(at, d, v, func(side int, _ []model.VCID, next []int32) {
				for _, to := range next {
					if to >= 0 {
						n := node{to, v.late && side == after}
						left[at]++
						into[n] = append(into[n], at)
					}
				}
			})
			if left[at] == 0 {
				done = append(done, at)
			}
		})
		for i := 0; i < len(done); i++ {
			for _, n := range into[done[i]] {
				if left[n]--; left[n] == 0 {
					done = append(done, n)
				}
			}
		}
		if len(done) < nodes {
			return false
		}
	}
	return true
}

// StepsCertificate returns the evidence that steps are safe, after the checker has accepted it. bound may be nil. An error is an internal one.
func (c *Change) StepsCertificate(part transition.Part, steps []transition.Step, bound *transition.Bound, about transition.About) (*cert.Certificate, error) {
	t := cert.Transition{Parts: string(part), Steps: transition.EncodeSteps(steps)}
	claims := []cert.Claim{states(cert.ClaimDeadlockFree), states(cert.ClaimLivelockFree)}
	if bound != nil {
		claims = append(claims, bound.Claim())
	}
	return c.certificate(t, about, claims...)
}

// NoOrderCertificate returns the evidence that no order of single parts is safe, after the checker has accepted it: the sets of changed
// parts that can be reached, each ascending. The change must be Exact. An error is an internal one.
func (c *Change) NoOrderCertificate(part transition.Part, drained bool, sets [][]int32, about transition.About) (*cert.Certificate, error) {
	return c.certificate(cert.Transition{Parts: string(part), Drained: drained}, about, transition.NoOrderClaim(sets))
}

// certificate completes a certificate and has it checked.
func (c *Change) certificate(t cert.Transition, about transition.About, claims ...cert.Claim) (*cert.Certificate, error) {
	t.OldRelation, t.NewRelation = c.listed(before), c.listed(after)
	t.Drops = c.drops
	if c.one {
		t.Waiting = cert.WaitingOne
	}
	return transition.Certify(verify.NetworkSubject(c.net, about.Switching), t, about, claims...)
}

// listed returns the states with the next hops of one side.
func (c *Change) listed(side int) *cert.Relation {
	r := &cert.Relation{Classes: c.classes, Sources: c.rel[before].Sources(), Inject: cert.Ints{}, States: cert.Ints{}}
	for d := range model.DestID(c.NumDestinations()) {
		r.Destinations = append(r.Destinations, int32(c.rel[before].DestinationHost(d)))
		for i := c.first[d]; i < c.first[d+1]; i++ {
			s := c.states[i]
			list, _ := c.hops[side].of(i)
			r.States = append(r.States, int32(d), int32(s.vc), int32(s.class), int32(len(list)))
			for _, v := range list {
				r.States = append(r.States, int32(v), int32(s.class))
			}
		}
	}
	for h := range model.HostID(r.Sources) {
		for d := range model.DestID(c.NumDestinations()) {
			if !model.Sends(c.rel[before], h, d) {
				continue
			}
			for _, k := range slices.Sorted(slices.Values(c.rel[before].Inject(h, d, nil))) {
				r.Inject = append(r.Inject, int32(h), int32(d), int32(k))
			}
		}
	}
	return r
}
