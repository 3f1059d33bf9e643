package proved

import (
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file changes claims and their evidence.

// onClaim changes one claim that has what the change is about.
func onClaim(has func(*cert.Claim) bool, change func(*rand.Rand, *cert.Claim) bool) func(*rand.Rand, *cert.Certificate) bool {
	return func(rng *rand.Rand, c *cert.Certificate) bool {
		var list []*cert.Claim
		for i := range c.Claims {
			if has(&c.Claims[i]) {
				list = append(list, &c.Claims[i])
			}
		}
		return len(list) > 0 && change(rng, pick(rng, list))
	}
}

func anyClaim(*cert.Claim) bool { return true }

var ofClaims = []mutation{
	{"claim left out", func(rng *rand.Rand, c *cert.Certificate) bool {
		if len(c.Claims) == 0 {
			return false
		}
		i := rng.IntN(len(c.Claims))
		c.Claims = slices.Delete(c.Claims, i, i+1)
		return true
	}},
	{"claims in other order", func(rng *rand.Rand, c *cert.Certificate) bool {
		rng.Shuffle(len(c.Claims), func(i, j int) { c.Claims[i], c.Claims[j] = c.Claims[j], c.Claims[i] })
		return true
	}},
	{"name of the claim", onClaim(anyClaim, func(rng *rand.Rand, c *cert.Claim) bool {
		c.Claim = pick(rng, []string{cert.ClaimAcyclic, cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree, "true"})
		return true
	})},
	{"verdict", onClaim(anyClaim, func(rng *rand.Rand, c *cert.Claim) bool {
		c.Verdict = pick(rng, []string{cert.Proved, cert.Refuted, "undecided"})
		return true
	})},
	{"name of the evidence", onClaim(anyClaim, func(rng *rand.Rand, c *cert.Claim) bool {
		c.Evidence = pick(rng, []string{cert.EvidenceNumbering, cert.EvidenceCycle, cert.EvidenceAcyclic, cert.EvidenceElimination,
			cert.EvidenceEscape, cert.EvidenceConfiguration, cert.EvidenceWorms, cert.EvidenceWalk, cert.EvidenceLostPacket,
			cert.EvidenceLongest, cert.EvidenceLoop, cert.EvidenceLines})
		return true
	})},
	{"other evidence", otherEvidence},
	{"pairs", onClaim(func(c *cert.Claim) bool { return c.Pairs != nil }, func(rng *rand.Rand, c *cert.Claim) bool { return other(rng, c.Pairs) })},
	{"unreachable", onClaim(func(c *cert.Claim) bool { return c.Unreachable != nil }, func(rng *rand.Rand, c *cert.Claim) bool { return other(rng, c.Unreachable) })},
	{"hops", onClaim(func(c *cert.Claim) bool { return c.Hops != nil }, func(rng *rand.Rand, c *cert.Claim) bool { return other(rng, c.Hops) })},
	{"end", onClaim(func(c *cert.Claim) bool { return c.End != "" }, func(rng *rand.Rand, c *cert.Claim) bool {
		c.End = pick(rng, []string{cert.EndDropped, cert.EndWrongHost, cert.EndLooping, cert.EndNoClass, cert.EndNoPath, ""})
		return true
	})},
	{"escape flag", onClaim(func(c *cert.Claim) bool { return c.Escape != nil }, func(rng *rand.Rand, c *cert.Claim) bool { return numbers(rng, c.Escape) })},
	{"flag turned", onClaim(func(c *cert.Claim) bool { return c.Escape != nil && len(*c.Escape) > 0 }, func(rng *rand.Rand, c *cert.Claim) bool {
		(*c.Escape)[rng.IntN(len(*c.Escape))] ^= 1
		return true
	})},
	{"held", onClaim(func(c *cert.Claim) bool { return c.Holds != nil }, func(rng *rand.Rand, c *cert.Claim) bool { return numbers(rng, c.Holds) })},
	{"field of others", onClaim(anyClaim, func(rng *rand.Rand, c *cert.Claim) bool {
		switch rng.IntN(4) {
		case 0:
			c.Hops = new(int64)
		case 1:
			c.Ranks = new(cert.Ints)
		case 2:
			c.Bound = new(int64)
		default:
			c.Packets = nil
		}
		return rng.IntN(3) == 0
	})},
}

// otherEvidence gives the deadlock-free claim another kind, which may show the same.
func otherEvidence(rng *rand.Rand, c *cert.Certificate) bool {
	i := slices.IndexFunc(c.Claims, func(c cert.Claim) bool { return c.Claim == cert.ClaimDeadlockFree })
	if i < 0 {
		return false
	}
	free := &c.Claims[i]
	switch numbering := c.Claims[0]; {
	case free.Evidence == cert.EvidenceAcyclic && numbering.Ranks != nil:
		ranks := slices.Clone(*numbering.Ranks)
		free.Evidence, free.Ranks = cert.EvidenceElimination, &ranks
	case free.Evidence == cert.EvidenceConfiguration:
		free.Evidence, free.Holds = cert.EvidenceWorms, new(cert.Ints)
		*free.Holds = slices.Repeat(cert.Ints{1}, len(free.Packets))
		if rng.IntN(4) > 0 {
			c.Subject.Switching = "wormhole"
		}
	case free.Evidence == cert.EvidenceElimination && free.Ranks != nil && c.Subject.Relation != nil:
		allEscape(c, free)
	default:
		*free = cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceAcyclic}
	}
	return true
}

// allEscape makes an escape of an order: hops that rise are escape hops.
func allEscape(c *cert.Certificate, free *cert.Claim) {
	ranks, flags := *free.Ranks, cert.Ints{}
	states := c.Subject.Relation.States
	rankOf := func(vc int32) int32 {
		if vc >= 0 && int(vc) < len(ranks) {
			return ranks[vc]
		}
		return -1
	}
	for i := 0; i+3 < len(states) && states[i+3] >= 0; i += 4 + 2*int(states[i+3]) {
		for j := i + 4; j+1 < len(states) && j < i+4+2*int(states[i+3]); j += 2 {
			flags = append(flags, 0)
			if rankOf(states[j]) > rankOf(states[i+1]) {
				flags[len(flags)-1] = 1
			}
		}
	}
	free.Evidence, free.Escape = cert.EvidenceEscape, &flags
}

func hasRanks(c *cert.Claim) bool { return c.Ranks != nil && len(*c.Ranks) > 1 }

var ofRanks = []mutation{
	{"rank", onClaim(hasRanks, func(rng *rand.Rand, c *cert.Claim) bool { return numbers(rng, c.Ranks) })},
	{"ranks swapped", onClaim(hasRanks, func(rng *rand.Rand, c *cert.Claim) bool {
		x := *c.Ranks
		i, j := rng.IntN(len(x)), rng.IntN(len(x))
		x[i], x[j] = x[j], x[i]
		return true
	})},
	{"ranks next to each other swapped", onClaim(hasRanks, func(rng *rand.Rand, c *cert.Claim) bool {
		x := *c.Ranks
		for range 1 + rng.IntN(4) {
			k := int32(rng.IntN(len(x) - 1))
			i, j := slices.Index(x, k), slices.Index(x, k+1)
			if i < 0 || j < 0 {
				return false
			}
			x[i], x[j] = x[j], x[i]
		}
		return true
	})},
}

// onPacket changes one packet of a claim.
func onPacket(change func(*rand.Rand, *cert.Packet) bool) func(*rand.Rand, *cert.Certificate) bool {
	return onClaim(func(c *cert.Claim) bool { return len(c.Packets) > 0 }, func(rng *rand.Rand, c *cert.Claim) bool {
		return change(rng, &c.Packets[rng.IntN(len(c.Packets))])
	})
}

var ofPackets = []mutation{
	{"packet left out", onClaim(func(c *cert.Claim) bool { return len(c.Packets) > 1 }, func(rng *rand.Rand, c *cert.Claim) bool {
		i := rng.IntN(len(c.Packets))
		c.Packets = slices.Delete(c.Packets, i, i+1)
		if c.Holds != nil && i < len(*c.Holds) {
			*c.Holds = slices.Delete(*c.Holds, i, i+1)
		}
		return true
	})},
	{"packets rotated", onClaim(func(c *cert.Claim) bool { return len(c.Packets) > 1 }, func(rng *rand.Rand, c *cert.Claim) bool {
		i := 1 + rng.IntN(len(c.Packets)-1)
		c.Packets = slices.Concat(c.Packets[i:], c.Packets[:i])
		return true
	})},
	{"one VC more held", onClaim(func(c *cert.Claim) bool { return c.Holds != nil && len(*c.Holds) > 0 }, func(rng *rand.Rand, c *cert.Claim) bool {
		(*c.Holds)[rng.IntN(len(*c.Holds))]++
		return true
	})},
	{"packets twice over", onClaim(func(c *cert.Claim) bool { return len(c.Packets) > 0 }, func(rng *rand.Rand, c *cert.Claim) bool {
		c.Packets = slices.Concat(c.Packets, c.Packets)
		if c.Holds != nil {
			*c.Holds = slices.Concat(*c.Holds, *c.Holds)
		}
		return true
	})},
	{"packet's source", onPacket(func(rng *rand.Rand, p *cert.Packet) bool { return other(rng, &p.Source) })},
	{"packet's destination", onPacket(func(rng *rand.Rand, p *cert.Packet) bool { return other(rng, &p.Destination) })},
	{"packet's class", onPacket(func(rng *rand.Rand, p *cert.Packet) bool { return other(rng, &p.Class) })},
	{"packet's path", onPacket(func(rng *rand.Rand, p *cert.Packet) bool {
		path := cert.Ints(p.Path)
		changed := numbers(rng, &path)
		p.Path = path
		return changed
	})},
	{"one hop less", onPacket(func(rng *rand.Rand, p *cert.Packet) bool {
		if len(p.Path) < 2 {
			return false
		}
		p.Path = p.Path[:len(p.Path)-2]
		return true
	})},
	{"one hop again", onPacket(func(rng *rand.Rand, p *cert.Packet) bool {
		if len(p.Path) < 2 {
			return false
		}
		i := rng.IntN(len(p.Path)/2) * 2
		p.Path = append(p.Path, p.Path[i:i+2]...)
		return true
	})},
}
