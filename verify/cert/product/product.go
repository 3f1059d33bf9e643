// Package product judges dimension-order routing on a mesh or torus by its lines.
package product

import (
	"fmt"
	"math"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// The routing in one dimension does not depend on the other coordinates. So one line of k
// switches represents all lines of its dimension, on a network of any size.
//
// Why lines suffice. The switches are tuples of coordinates, one per line. A packet corrects the
// coordinates in the order of the lines. Let d be a dependency between two VCs.
//
//   - If both VCs are in one dimension, d is a dependency of that line, with the other
//     coordinates fixed. Each dependency of a line arises: a packet whose other
//     coordinates are right already, or are corrected later, has it.
//   - Otherwise the second VC is in a later dimension than the first.
//
// So a cycle of dependencies stays within one line. A cycle exists if and only if some
// line has one (Dally and Seitz 1987, section 5, for the torus). No packet of a deadlock
// configuration of a line may eject, so it is a deadlock configuration of the whole network.
// A packet arrives if and only if it arrives on each line in turn. It passes one switch, and on
// each line one switch less than on that line alone.
//
// The argument needs each pair of coordinates of a line, for all other coordinates. The
// subject guarantees them: every switch has the same number of endpoints, at least one, and
// each endpoint sends to all others.

func init() { cert.Register([]cert.SubjectKind{subjectKind()}, evidenceKinds()) }

// subjectKind returns the kind of subject that this package judges.
func subjectKind() cert.SubjectKind {
	return cert.SubjectKind{
		Name: "product", Title: "a product",
		Has:     func(s *cert.Subject) bool { return s.Product != nil },
		Open:    open,
		Summary: summary,
	}
}

var subject = []string{subjectKind().Name}

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() []cert.Kind {
	return []cert.Kind{
		{Subjects: subject, Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceLines, Judge: cert.JudgeBy((*product).judge)},
		{Subjects: subject, Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceLines, Judge: cert.JudgeBy((*product).judge)},
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceAcyclic, Judge: cert.JudgeBy((*product).acyclic)},
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceLines, Judge: cert.JudgeBy((*product).judge)},
		{Subjects: subject, Claim: cert.ClaimReached, Verdict: cert.Proved, Evidence: cert.EvidenceLines, Judge: cert.JudgeBy((*product).reached)},
		{Subjects: subject, Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceLines, Fields: []string{"pairs"},
			Judge: cert.JudgeBy((*product).judge)},
		{Subjects: subject, Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceLines, Fields: []string{"hops"},
			Judge: cert.JudgeBy((*product).judge)},
	}
}

func summary(s *cert.Subject) string {
	sides := make([]string, len(s.Product.Lines))
	for i := range s.Product.Lines {
		sides[i] = fmt.Sprint(len(s.Product.Lines[i].Network.Switches))
	}
	return fmt.Sprintf("dimension order on a grid of sides %s (in the order of correction), %d endpoints per switch",
		strings.Join(sides, ", "), s.Product.Hosts)
}

// lines returns the lines of a product as certificates, and validates their form.
func lines(c *cert.Certificate) ([]*cert.Certificate, error) {
	p := c.Subject.Product
	if p.Hosts < 1 || len(p.Lines) == 0 {
		return nil, cert.Reject("subject", "a product of %d lines with %d endpoints per switch", len(p.Lines), p.Hosts)
	}
	list := make([]*cert.Certificate, len(p.Lines))
	for i := range p.Lines {
		l := &p.Lines[i]
		k := len(l.Network.Switches)
		if k == 0 {
			return nil, cert.Reject("subject", "line %d has no switches", i)
		}
		if l.Network.VCs != p.Lines[0].Network.VCs {
			return nil, cert.Reject("subject", "line %d has %d VCs, line 0 has %d", i, l.Network.VCs, p.Lines[0].Network.VCs)
		}
		if l.Network.Hosts != k || len(l.Network.Endpoints) != k || l.Relation.Sources != k || len(l.Relation.Destinations) != k {
			return nil, cert.Reject("subject", "line %d has not one endpoint at each of its %d switches, which sends to all others", i, k)
		}
		for e := range k {
			if len(l.Network.Attach) != 2*k || l.Network.Attach[2*e] != int32(e) || l.Relation.Destinations[e] != int32(e) {
				return nil, cert.Reject("subject", "endpoint %d of line %d is not at switch %d, or not destination %d", e, i, e, e)
			}
		}
		list[i] = &cert.Certificate{Schema: cert.Schema, Claims: l.Claims,
			Subject: cert.Subject{Switching: c.Subject.Switching, Waiting: c.Subject.Waiting, Network: l.Network, Relation: &l.Relation}}
	}
	return list, nil
}

// product is an opened product.
type product struct {
	c         *cert.Certificate
	lines     []*cert.Certificate
	endpoints int64
}

// open judges the lines of a product, each as a certificate of its own.
func open(c *cert.Certificate) (any, error) {
	parts, err := lines(c)
	if err != nil {
		return nil, err
	}
	for i, part := range parts {
		if err := cert.Check(part); err != nil {
			return nil, cert.Reject("subject", "line %d: %v", i, err)
		}
	}
	endpoints, err := countEndpoints(c.Subject.Product)
	return &product{c, parts, endpoints}, err
}

func (p *product) acyclic(*cert.Claim) error { return cert.RestsOnAcyclic(p.c) }

// reached judges that a run reaches a deadlock, by the claim of some line. The packets of a line correct no other
// coordinate, so the moves of the line are moves of the whole network.
func (p *product) reached(claim *cert.Claim) error {
	for _, part := range p.lines {
		if part.Claim(cert.ClaimReached) != nil {
			return nil
		}
	}
	return cert.Reject(claim.Claim, "no line claims it")
}

// judge judges a claim by the claims of the lines.
func (p *product) judge(claim *cert.Claim) error {
	parts, endpoints := p.lines, p.endpoints
	proved, refuted := 0, 0
	for _, part := range parts {
		switch l := part.Claim(claim.Claim); {
		case l == nil:
		case l.Verdict == cert.Proved:
			proved++
		default:
			refuted++
		}
	}
	if claim.Verdict == cert.Refuted && refuted == 0 || claim.Verdict == cert.Proved && proved < len(parts) {
		return cert.Reject(claim.Claim, "of %d lines it is proved for %d and refuted for %d", len(parts), proved, refuted)
	}
	if claim.Hops != nil { // a packet that a line loses does not go on in the next
		for i, part := range parts {
			if l := part.Claim(cert.ClaimConnected); l == nil || l.Verdict != cert.Proved {
				return cert.Reject(claim.Claim, "line %d is not proved connected, so its longest path need not be part of the path of a packet", i)
			}
		}
	}
	hops := mostHops(parts, endpoints)
	switch {
	case claim.Pairs != nil && *claim.Pairs != endpoints*(endpoints-1):
		return cert.Reject(claim.Claim, "%d pairs of source and destination, not %d", endpoints*(endpoints-1), *claim.Pairs)
	case claim.Hops != nil && *claim.Hops != hops:
		return cert.Reject(claim.Claim, "a packet passes %d switches at most, not %d", hops, *claim.Hops)
	}
	return nil
}

// countEndpoints returns the number of endpoints of a product, and rejects one of more than
// 2^31-1, so that the number of pairs fits in 62 bits.
func countEndpoints(p *cert.Product) (int64, error) {
	count := int64(p.Hosts)
	for i := range p.Lines {
		side := int64(len(p.Lines[i].Network.Switches))
		if count > math.MaxInt32/side {
			return 0, cert.Reject("subject", "a product of more than %d endpoints", math.MaxInt32)
		}
		count *= side
	}
	if count > math.MaxInt32 { // lines of one switch each
		return 0, cert.Reject("subject", "a product of more than %d endpoints", math.MaxInt32)
	}
	return count, nil
}

// mostHops returns the most switches that a packet passes, by what the lines claim.
func mostHops(parts []*cert.Certificate, endpoints int64) int64 {
	if endpoints == 1 {
		return 0 // there is no other endpoint to send to
	}
	hops := int64(1)
	for _, part := range parts {
		if l := part.Claim(cert.ClaimLivelockFree); l != nil && l.Hops != nil {
			hops += max(*l.Hops, 1) - 1
		}
	}
	return hops
}
