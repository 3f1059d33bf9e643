package cert

import (
	"slices"
	"strconv"
)

// This file judges a whole certificate: its form, its subject, then each claim by its
// evidence.
//
// Order of work for a table or a relation: this file judges the form. network.go rebuilds
// the network. walk.go or enumerate.go enumerates all reachable states, counts them, and
// compares every dependency with the ranks of the claims. Then the judges of kinds.go follow the
// packets shown as witnesses. The judges of other subjects are in the packages beside this one.
// Cost: linear in the certificate; a table costs one step per entry and class
// in use, and one per pair of endpoints.
//
// All judges of tables and relations assume, besides that the network and the routing
// are the true ones: an endpoint consumes every packet that arrives at it in finite
// time, whatever happens elsewhere. A packet with no next hop is dropped and frees
// its buffer. Messages do not wait for one another, except in the claim
// message-deadlock-free.

// Check returns nil if every claim of c holds, and else a *Rejection. It does not judge
// c.Digest: Read does.
func Check(c *Certificate) error {
	if c == nil {
		return Reject("file", "no certificate")
	}
	if strconv.IntSize < 64 {
		return Reject("file", "integers of this machine have %d bits; the sums that are judged need 64", strconv.IntSize)
	}
	if err := checkForm(c); err != nil {
		return err
	}
	if err := checkSubject(&c.Subject); err != nil {
		return err
	}
	subject := SubjectKindOf(&c.Subject)
	if subject == nil {
		return Reject("subject", "this program has no judge for it; its source should import verify/cert/kinds")
	}
	opened, err := subject.Open(c)
	if err != nil {
		return err
	}
	for i := range c.Claims {
		claim := &c.Claims[i]
		kind := kindFor(subject.Name, claim.Claim, claim.Verdict, claim.Evidence)
		if kind == nil {
			return Reject(claim.Claim, "evidence %.80q is not for %s", claim.Evidence, subject.Title)
		}
		if err := checkNeeds(&c.Subject, claim, kind); err != nil {
			return err
		}
		if err := kind.Judge(opened, claim); err != nil {
			return err
		}
	}
	return nil
}

// checkForm judges what can be judged without the network.
func checkForm(c *Certificate) error {
	schema := Schema
	if c.Blocks != nil {
		schema = StreamSchema
	}
	if c.Schema != schema {
		return Reject("file", "schema %.80q, not %q", c.Schema, schema)
	}
	switch c.Subject.Switching {
	case "vct", "saf", "wormhole":
	default:
		return Reject("subject", "switching %.80q, not vct, saf or wormhole", c.Subject.Switching)
	}
	if err := checkPremises(&c.Subject); err != nil {
		return err
	}
	return checkClaims(c.Claims, c.Subject.Waiting != "")
}

// checkClaims judges that the claims are in order, and that each has exactly the
// fields of its kind of evidence. If waiting is true, the subject has Waiting.
func checkClaims(claims []Claim, waiting bool) error {
	if len(claims) == 0 {
		return Reject("file", "no claim")
	}
	for i := range claims {
		c := &claims[i]
		kind := anyKind(c.Claim, c.Verdict, c.Evidence)
		if kind == nil {
			return Reject("file", "claim %.80q, verdict %.80q, evidence %.80q: there is no such combination", c.Claim, c.Verdict, c.Evidence)
		}
		if i > 0 && slices.Index(claimOrder, c.Claim) <= slices.Index(claimOrder, claims[i-1].Claim) {
			return Reject(c.Claim, "comes after %s; the claims are not in order, or not unique", claims[i-1].Claim)
		}
		if err := kind.checkFields(c, waiting); err != nil {
			return err
		}
		if err := kind.checkPackets(c); err != nil {
			return err
		}
	}
	return nil
}

// checkPackets rejects multicast packets in evidence that cannot have them.
func (k *Kind) checkPackets(c *Claim) error {
	for i := range c.Packets {
		if c.Packets[i].Group != nil && !k.Multicast {
			return Reject(c.Claim, "packet %d is of a multicast group, which evidence %s has none of", i, c.Evidence)
		}
	}
	return nil
}
