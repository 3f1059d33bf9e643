// Package summary describes certificates in words.
package summary

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// Text describes a certificate for people: the subject, the files it was read from,
// each claim with its verdict and evidence, and the premises of a proof.
// It does not judge; cert.Check does. Each line is plain text, whatever the certificate holds.
func Text(c *cert.Certificate) string {
	var b plainLines
	b.add(subjectLine(&c.Subject))
	b.add("routing: " + routingSummary(&c.Subject))
	if c.Subject.Multicast != nil {
		b.add(multicastLine(c.Subject.Multicast.Groups))
	}
	if c.Subject.Waiting != "" {
		b.add(waitingLine(&c.Subject))
	}
	for _, in := range c.Subject.Inputs {
		fmt.Fprintf(&b, "input: %s %q\n", in.SHA256, in.Name)
	}
	for _, p := range c.Subject.Premises {
		fmt.Fprintf(&b, "premise: %s: %s (%s)\n", p.Name, p.Value, p.Source)
	}
	for i := range c.Claims {
		b.add(claimLine(&c.Claims[i]))
	}
	for i := range c.Claims {
		if line := premisesLine(&c.Subject, &c.Claims[i]); line != "" {
			b.add(line)
		}
	}
	if kind := cert.SubjectKindOf(&c.Subject); kind != nil && kind.Theorem != nil {
		b.add("theorem: " + kind.Theorem(c))
	}
	return b.String()
}

func subjectLine(s *cert.Subject) string {
	if kind := cert.SubjectKindOf(s); kind != nil && kind.Network != nil {
		return "subject: " + kind.Network(s)
	}
	n := &s.Network
	return fmt.Sprintf("subject: %d switches, %d links, %d hosts, %d management endpoints, %d VCs per channel, %.20s switching",
		len(n.Switches), len(n.Links)/4, n.Hosts, len(n.Endpoints)-n.Hosts, n.VCs, s.Switching)
}

func routingSummary(s *cert.Subject) string {
	if kind := cert.SubjectKindOf(s); kind != nil {
		return kind.Summary(s)
	}
	return "none"
}

// multicastLine names the multicast groups.
func multicastLine(groups []cert.Group) string {
	const shown = 8
	var list []string
	for i, g := range groups {
		if i == shown {
			list = append(list, fmt.Sprintf("and %d more", len(groups)-i))
			break
		}
		list = append(list, fmt.Sprintf("0x%04x with class %d", g.MLID, g.Class))
	}
	return fmt.Sprintf("multicast: %d groups, %s", len(groups), strings.Join(list, ", "))
}

// claimLine returns a claim, its verdict, its kind of evidence and the size of each field.
func claimLine(c *cert.Claim) string {
	line := fmt.Sprintf("claim: %s %s by %s", c.Claim, c.Verdict, c.Evidence)
	for _, say := range fieldSummaries {
		if text := say(c); text != "" {
			line += ", " + text
		}
	}
	return line
}

// fieldSummaries describe the fields of a claim. Each returns "" if its field is absent.
var fieldSummaries = []func(c *cert.Claim) string{
	listSize("%d ranks", func(c *cert.Claim) *cert.Ints { return c.Ranks }),
	count("%d pairs", func(c *cert.Claim) *int64 { return c.Pairs }),
	count("%d of them unreachable", func(c *cert.Claim) *int64 { return c.Unreachable }),
	count("%d switches at most", func(c *cert.Claim) *int64 { return c.Hops }),
	packetsSummary,
	listSize("%d VCs", func(c *cert.Claim) *cert.Ints { return c.Cycle }),
	func(c *cert.Claim) string {
		if c.Tree == nil {
			return ""
		}
		return "a tree"
	},
	func(c *cert.Claim) string {
		switch {
		case c.Bound == nil:
			return ""
		case len(c.Packets) > 0:
			return fmt.Sprintf("at least %d VCs are needed", *c.Bound)
		case c.Evidence == cert.EvidenceFewest:
			return fmt.Sprintf("at least %d steps are needed", *c.Bound)
		case c.Evidence == cert.EvidenceStops:
			return fmt.Sprintf("at least %d destinations stop", *c.Bound)
		case c.Evidence == cert.EvidenceFewestPairs:
			return fmt.Sprintf("at least %d pairs are left out", *c.Bound)
		}
		return fmt.Sprintf("at least %d turns are prohibited", *c.Bound)
	},
	func(c *cert.Claim) string {
		if c.Packing == nil {
			return ""
		}
		return fmt.Sprintf("%d cycles", len(c.Packing.Weights))
	},
	listSize("%d numbers of steps", func(c *cert.Claim) *cert.Ints { return c.Steps }),
	sizesSummary,
	networksSummary,
	listSize("%d classes of messages", func(c *cert.Claim) *cert.Ints { return c.Messages }),
	listSize("%d moves", func(c *cert.Claim) *cert.Ints { return c.Moves }),
	func(c *cert.Claim) string {
		if c.Protocol == nil {
			return ""
		}
		return fmt.Sprintf("%d classes of messages in %d virtual networks", len(c.Protocol.Classes), c.Protocol.Networks)
	},
	func(c *cert.Claim) string { return c.End },
}

// sizesSummary describes the evidence for every size.
func sizesSummary(c *cert.Claim) string {
	if c.Sizes == nil {
		return ""
	}
	return fmt.Sprintf("%d classes of packets, %d ranks, %d numbers of proofs", len(c.Sizes.Classes), len(c.Sizes.Ranks), len(c.Sizes.Proofs))
}

// networksSummary describes the evidence for every network.
func networksSummary(c *cert.Claim) string {
	e := c.Networks
	if e == nil {
		return ""
	}
	return fmt.Sprintf("%d classes of packets, %d ranks, %d numbers of proofs", len(e.Classes), len(e.Ranks), len(e.Proofs))
}

// count describes a number.
func count(format string, of func(*cert.Claim) *int64) func(*cert.Claim) string {
	return func(c *cert.Claim) string {
		if n := of(c); n != nil {
			return fmt.Sprintf(format, *n)
		}
		return ""
	}
}

// listSize describes a list by its length.
func listSize(format string, of func(*cert.Claim) *cert.Ints) func(*cert.Claim) string {
	return func(c *cert.Claim) string {
		if list := of(c); list != nil {
			return fmt.Sprintf(format, len(*list))
		}
		return ""
	}
}

func packetsSummary(c *cert.Claim) string {
	switch len(c.Packets) {
	case 0:
		return ""
	case 1:
	default:
		return fmt.Sprintf("%d packets", len(c.Packets))
	}
	p := &c.Packets[0]
	if p.Group != nil {
		return fmt.Sprintf("a packet from endpoint %d to multicast group number %d", p.Source, *p.Group)
	}
	return fmt.Sprintf("a packet from endpoint %d to destination %d", p.Source, p.Destination)
}

// premisesLine returns the premises of a claim, or "".
func premisesLine(s *cert.Subject, c *cert.Claim) string {
	var list []string
	label := "premises: "
	switch c.Claim {
	case cert.ClaimDeadlockFree:
		list = deadlockPremises(s)
	case cert.ClaimMessages:
		label = "premises of classes: "
	default:
		return ""
	}
	if kind := premisesKind(c); kind != nil {
		list = append(list, kind.Open(s)...)
	}
	return label + strings.Join(list, ", ")
}

// premisesKind returns a kind with premises for the claim and evidence of c, or nil.
func premisesKind(c *cert.Claim) *cert.Kind {
	for _, k := range cert.Kinds() {
		if k.Claim == c.Claim && k.Evidence == c.Evidence && (k.Premises != nil || k.Needs != nil) {
			return &k
		}
	}
	return nil
}

// deadlockPremises returns the premises of each deadlock-free claim.
func deadlockPremises(s *cert.Subject) (list []string) {
	if s.Streams != nil { // these say themselves who consumes what
		return nil
	}
	if s.Switching != "wormhole" {
		list = append(list, "a buffer holds whole packets")
	}
	waiting, without := s.Waiting, "packets with no next hop are dropped"
	if t := s.Transition; t != nil && t.OldRelation != nil {
		if waiting = t.Waiting; !t.Drops {
			without = "packets with no next hop keep their VC"
		}
	}
	list = append(list, waitingPremise(waiting), "arrived packets are consumed", without, "messages do not wait for one another")
	if s.Multicast != nil {
		list = append(list, "a multicast packet keeps its buffer until each copy has the next one")
	}
	return list
}

// waitingLine says for which next hops packets wait. The subject must have Waiting.
func waitingLine(s *cert.Subject) string {
	if s.Relation == nil || s.Relation.Commits == nil {
		return fmt.Sprintf("waiting: %.20s", s.Waiting)
	}
	one := 0
	for _, flag := range *s.Relation.Commits {
		one += int(flag)
	}
	return fmt.Sprintf("waiting: %.20s, for one next hop in %d states", s.Waiting, one)
}

func waitingPremise(waiting string) string {
	const anyOf, oneOf = "a packet waits for any VC permitted and keeps asking",
		"a packet waits for the one permitted VC that was chosen when it arrived, whichever that is"
	switch waiting {
	case cert.WaitingOne:
		return oneOf
	case cert.WaitingMixed:
		return anyOf + ", or in some states for one that was chosen when it arrived, whichever that is"
	}
	return anyOf
}

// plainLines collects lines. Each call to Write or add adds one line and escapes its
// characters that are not plain.
type plainLines struct{ strings.Builder }

// Write implements io.Writer.
func (b *plainLines) Write(line []byte) (int, error) {
	b.add(string(line))
	return len(line), nil
}

// add adds a line.
func (b *plainLines) add(line string) {
	b.WriteString(cert.Plain(strings.TrimSuffix(line, "\n")) + "\n")
}
