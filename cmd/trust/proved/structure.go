package proved

import (
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/turnproof/turnproof/cmd/trust/mutate"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file changes several values of a certificate together, so that they still fit each other.

var structured = []func(rng *rand.Rand, c *cert.Certificate){otherEvidence, otherPort, dropHop, rearrangePackets, chooseHops, waitForAny}

// otherPort gives a port of a switch a greater number, in the network and in the table. This changes
// nothing if no other cable of the switch has a port between the two numbers.
func otherPort(rng *rand.Rand, c *cert.Certificate) {
	list := mutate.Pick(rng, []cert.Ints{c.Subject.Network.Links, c.Subject.Network.Attach})
	if len(list) == 0 {
		return
	}
	i := rng.IntN(len(list)/2) * 2
	u, was, is := list[i], list[i+1], list[i+1]+mutate.Pick(rng, []int32{1, 300, 1 << 20})
	list[i+1] = is
	if t := c.Subject.Table; t != nil {
		for j := int(u); j < len(t.Ports) && u >= 0; j += len(c.Subject.Network.Switches) {
			if t.Ports[j] == was {
				t.Ports[j] = is
			}
		}
	}
}

// entries calls f with the start of each state in a relation and its number of next hops, as far as
// the list is well formed.
func entries(states []int32, f func(i, hops int)) {
	for i := 0; i+3 < len(states) && states[i+3] >= 0; {
		hops := int(states[i+3])
		if i+4+2*hops > len(states) {
			return
		}
		f(i, hops)
		i += 4 + 2*hops
	}
}

// dropHop removes a next hop from a state, or the state.
func dropHop(rng *rand.Rand, c *cert.Certificate) {
	r := c.Subject.Relation
	if r == nil {
		return
	}
	var list [][2]int
	entries(r.States, func(i, hops int) { list = append(list, [2]int{i, hops}) })
	if len(list) == 0 {
		return
	}
	x := mutate.Pick(rng, list)
	i, hops := x[0], x[1]
	if hops == 0 || rng.IntN(4) == 0 {
		r.States = slices.Delete(r.States, i, i+4+2*hops)
		return
	}
	j := i + 4 + 2*rng.IntN(hops)
	r.States[i+3]--
	r.States = slices.Delete(r.States, j, j+2)
}

// rearrangePackets rearranges the packets of a claim, with the lists that have a number for each.
func rearrangePackets(rng *rand.Rand, c *cert.Certificate) {
	for i := range c.Claims {
		k := &c.Claims[i]
		if len(k.Packets) == 0 || rng.IntN(2) == 0 {
			continue
		}
		places := mutate.Order(rng, len(k.Packets))
		for _, list := range []*cert.Ints{k.Holds, k.Chosen} {
			if list != nil && len(*list) == len(k.Packets) {
				mutate.Rearrange(reflect.ValueOf(list).Elem(), places)
			}
		}
		mutate.Rearrange(reflect.ValueOf(&k.Packets).Elem(), places)
	}
}

// chooseHops lets packets wait for one hop, and chooses a hop for each packet of a deadlock.
func chooseHops(rng *rand.Rand, c *cert.Certificate) {
	r := c.Subject.Relation
	if r == nil {
		return
	}
	c.Subject.Waiting, r.Commits = cert.WaitingOne, nil
	for i := range c.Claims {
		k := &c.Claims[i]
		if k.Evidence != cert.EvidenceConfiguration && k.Evidence != cert.EvidenceWorms {
			continue
		}
		chosen := slices.Repeat(cert.Ints{-1}, len(k.Packets))
		for n, p := range k.Packets {
			entries(r.States, func(i, hops int) {
				if end := len(p.Path) - 2; end >= 0 && hops > 0 && int(r.States[i]) == p.Destination && slices.Equal(r.States[i+1:i+3], p.Path[end:]) {
					chosen[n] = r.States[i+4+2*rng.IntN(hops)]
				}
			})
		}
		k.Chosen = &chosen
	}
}

// waitForAny lets packets wait for any hop.
func waitForAny(_ *rand.Rand, c *cert.Certificate) {
	c.Subject.Waiting = ""
	if c.Subject.Relation != nil {
		c.Subject.Relation.Commits = nil
	}
	for i := range c.Claims {
		c.Claims[i].Chosen = nil
	}
}

// otherEvidence gives the claim deadlock-free evidence of another kind, which may show the same.
func otherEvidence(rng *rand.Rand, c *cert.Certificate) {
	i := slices.IndexFunc(c.Claims, func(c cert.Claim) bool { return c.Claim == cert.ClaimDeadlockFree })
	if i < 0 {
		return
	}
	free := &c.Claims[i]
	switch numbering := c.Claims[0]; {
	case free.Evidence == cert.EvidenceAcyclic && numbering.Ranks != nil:
		ranks := slices.Clone(*numbering.Ranks)
		free.Evidence, free.Ranks = cert.EvidenceElimination, &ranks
	case free.Evidence == cert.EvidenceConfiguration:
		holds := slices.Repeat(cert.Ints{1}, len(free.Packets))
		free.Evidence, free.Holds = cert.EvidenceWorms, &holds
		if rng.IntN(4) > 0 {
			c.Subject.Switching = "wormhole"
		}
	case free.Evidence == cert.EvidenceElimination && free.Ranks != nil && c.Subject.Relation != nil:
		risingEscape(c.Subject.Relation.States, free)
	default:
		*free = cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceAcyclic}
	}
}

// risingEscape makes an escape of an elimination order: hops to a greater rank are escape hops.
func risingEscape(states []int32, free *cert.Claim) {
	rank := func(vc int32) int32 {
		if vc >= 0 && int(vc) < len(*free.Ranks) {
			return (*free.Ranks)[vc]
		}
		return -1
	}
	flags := cert.Ints{}
	entries(states, func(i, hops int) {
		for j := i + 4; j < i+4+2*hops; j += 2 {
			flags = append(flags, 0)
			if rank(states[j]) > rank(states[i+1]) {
				flags[len(flags)-1] = 1
			}
		}
	})
	free.Evidence, free.Escape = cert.EvidenceEscape, &flags
}
