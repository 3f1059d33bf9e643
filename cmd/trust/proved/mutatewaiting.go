package proved

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file changes how packets wait.

var ofWaiting = []mutation{
	{"waiting", func(rng *rand.Rand, c *cert.Certificate) bool {
		c.Subject.Waiting = pick(rng, []string{"", cert.WaitingOne, cert.WaitingMixed, "any"})
		return true
	}},
	{"waiting, with choices", func(rng *rand.Rand, c *cert.Certificate) bool {
		if c.Subject.Relation == nil {
			return false
		}
		c.Subject.Waiting, c.Subject.Relation.Commits = cert.WaitingOne, nil
		for i := range c.Claims {
			if k := &c.Claims[i]; k.Evidence == cert.EvidenceConfiguration || k.Evidence == cert.EvidenceWorms {
				k.Chosen = chosenOf(c.Subject.Relation, k.Packets, rng)
			}
		}
		return true
	}},
	{"waiting for any", func(_ *rand.Rand, c *cert.Certificate) bool {
		if c.Subject.Waiting == "" {
			return false
		}
		c.Subject.Waiting = ""
		if c.Subject.Relation != nil {
			c.Subject.Relation.Commits = nil
		}
		for i := range c.Claims {
			c.Claims[i].Chosen = nil
		}
		return true
	}},
	{"flags of commitment", func(rng *rand.Rand, c *cert.Certificate) bool {
		r := c.Subject.Relation
		return r != nil && r.Commits != nil && numbers(rng, r.Commits)
	}},
	{"flag of commitment turned", func(rng *rand.Rand, c *cert.Certificate) bool {
		r := c.Subject.Relation
		if r == nil || r.Commits == nil || len(*r.Commits) == 0 {
			return false
		}
		(*r.Commits)[rng.IntN(len(*r.Commits))] ^= 1
		return true
	}},
	{"chosen VCs", onClaim(func(c *cert.Claim) bool { return c.Chosen != nil }, func(rng *rand.Rand, c *cert.Claim) bool { return numbers(rng, c.Chosen) })},
	{"no chosen VC", onClaim(func(c *cert.Claim) bool { return c.Chosen != nil && len(*c.Chosen) > 0 }, func(rng *rand.Rand, c *cert.Claim) bool {
		(*c.Chosen)[rng.IntN(len(*c.Chosen))] = -1
		return true
	})},
	{"chosen VCs of others", onClaim(anyClaim, func(_ *rand.Rand, c *cert.Claim) bool { c.Chosen = new(cert.Ints); return true })},
}

// chosenOf draws for each packet one of the next VCs at the end of its path, -1 if there are none.
func chosenOf(r *cert.Relation, packets []cert.Packet, rng *rand.Rand) *cert.Ints {
	list := make(cert.Ints, len(packets))
	for k, p := range packets {
		list[k] = -1
		for i := 0; i+3 < len(r.States) && len(p.Path) > 1; i += 4 + 2*int(max(0, r.States[i+3])) {
			end := p.Path[len(p.Path)-2:]
			n := int(r.States[i+3])
			if int(r.States[i]) == p.Destination && r.States[i+1] == end[0] && r.States[i+2] == end[1] && n > 0 && i+4+2*n <= len(r.States) {
				list[k] = r.States[i+4+2*rng.IntN(n)]
			}
		}
	}
	return &list
}
