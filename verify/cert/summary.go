package cert

import (
	"fmt"
	"strings"
)

// Summary describes a certificate for people: what is judged, from which
// files, each claim with its verdict and evidence, and what a proof supposes.
// It does not judge: see Check. Each line is plain text, whatever the certificate holds.
func Summary(c *Certificate) string {
	var b plainLines
	n := &c.Subject.Network
	if c.Subject.Family != nil {
		fmt.Fprintf(&b, "subject: all networks of the family %s\n", c.Subject.Family.name())
	} else {
		fmt.Fprintf(&b, "subject: %d switches, %d links, %d hosts, %d management endpoints, %d VCs per channel, %.20s switching\n",
			len(n.Switches), len(n.Links)/4, n.Hosts, len(n.Endpoints)-n.Hosts, n.VCs, c.Subject.Switching)
	}
	b.add(routingLine(&c.Subject))
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
		switch claim := &c.Claims[i]; claim.Claim {
		case ClaimDeadlockFree:
			fmt.Fprintf(&b, "premises: %s\n", premises(&c.Subject, claim.Evidence))
		case ClaimMessages:
			fmt.Fprintf(&b, "premises of classes: %s\n", classPremises(claim.Evidence))
		}
	}
	return b.String()
}

func routingLine(s *Subject) string {
	switch {
	case s.Table != nil:
		vcs := "VC by class"
		if s.Table.VCRows != nil {
			vcs = "VC by cable in, cable out and class"
		}
		return fmt.Sprintf("routing: forwarding table of %d destinations at %d switches, %d sources, %s\n",
			len(s.Table.Destinations), len(s.Network.Switches), s.Table.Sources, vcs)
	case s.Product != nil:
		sides := make([]string, len(s.Product.Lines))
		for i := range s.Product.Lines {
			sides[i] = fmt.Sprint(len(s.Product.Lines[i].Network.Switches))
		}
		return fmt.Sprintf("routing: dimension order on a grid of sides %s (in the order of correction), %d endpoints per switch\n",
			strings.Join(sides, ", "), s.Product.Hosts)
	case s.Relation != nil:
		return fmt.Sprintf("routing: relation by state, %d sources, %d destinations, %d classes\n",
			s.Relation.Sources, len(s.Relation.Destinations), s.Relation.Classes)
	case s.Family != nil:
		return fmt.Sprintf("routing: any turns of the classes %s\n", someTurns(s.Family.Allowed))
	case s.Turns != nil:
		vcs := len(s.Network.Links) / 2 * s.Network.VCs
		return fmt.Sprintf("routing: any turns of a set, %d turns between %d VCs\n", len(s.Turns.Next)-vcs, vcs)
	}
	return "routing: none\n"
}

// someTurns names the first of these turns, and says how many there are if some are left out.
func someTurns(allowed []string) string {
	text := strings.Join(allowed, " ")
	if len(text) <= 400 {
		return text
	}
	some := text[:strings.LastIndexByte(text[:401], ' ')+1]
	return fmt.Sprintf("%s... (%d in all)", some, len(allowed))
}

// multicastLine names the multicast groups.
func multicastLine(groups []Group) string {
	const shown = 8
	var list []string
	for i, g := range groups {
		if i == shown {
			list = append(list, fmt.Sprintf("and %d more", len(groups)-i))
			break
		}
		list = append(list, fmt.Sprintf("0x%04x with class %d", g.MLID, g.Class))
	}
	return fmt.Sprintf("multicast: %d groups, %s\n", len(groups), strings.Join(list, ", "))
}

// claimLine gives a claim, its verdict, and its evidence with its size.
func claimLine(c *Claim) string {
	line := fmt.Sprintf("claim: %s %s by %s", c.Claim, c.Verdict, c.Evidence)
	if c.Ranks != nil {
		line += fmt.Sprintf(", %d ranks", len(*c.Ranks))
	}
	if c.Pairs != nil {
		line += fmt.Sprintf(", %d pairs", *c.Pairs)
	}
	if c.Unreachable != nil {
		line += fmt.Sprintf(", %d of them unreachable", *c.Unreachable)
	}
	if c.Hops != nil {
		line += fmt.Sprintf(", %d switches at most", *c.Hops)
	}
	if len(c.Packets) == 1 {
		p := &c.Packets[0]
		if p.Group != nil {
			line += fmt.Sprintf(", a packet from endpoint %d to multicast group number %d", p.Source, *p.Group)
		} else {
			line += fmt.Sprintf(", a packet from endpoint %d to destination %d", p.Source, p.Destination)
		}
	} else if len(c.Packets) > 1 {
		line += fmt.Sprintf(", %d packets", len(c.Packets))
	}
	if c.Cycle != nil {
		line += fmt.Sprintf(", %d VCs", len(*c.Cycle))
	}
	if c.Tree != nil {
		line += ", a tree"
	}
	if c.Bound != nil {
		line += fmt.Sprintf(", at least %d turns are prohibited", *c.Bound)
	}
	if c.Packing != nil {
		line += fmt.Sprintf(", %d cycles", len(c.Packing.Weights))
	}
	if c.Steps != nil {
		line += fmt.Sprintf(", %d numbers of steps", len(*c.Steps))
	}
	if c.Messages != nil {
		line += fmt.Sprintf(", %d classes of messages", len(*c.Messages))
	}
	if c.End != "" {
		line += ", " + c.End
	}
	return line + "\n"
}

// premises are those of a deadlock-free claim.
func premises(s *Subject, evidence string) string {
	list := []string{waitingPremise(s.Waiting), "arrived packets are consumed", "packets with no next hop are dropped", "messages do not wait for one another"}
	if s.Multicast != nil {
		list = append(list, "a multicast packet keeps its buffer until each copy has the next one")
	}
	if s.Switching != "wormhole" {
		list = append([]string{"a buffer holds whole packets"}, list...)
	}
	switch evidence {
	case EvidenceEscape:
		list = append(list, "a VC takes a new packet only when it is empty, or has room for all of it")
	case EvidenceWorms:
		list = append(list, "packets may be of any length, and a VC holds flits of one packet at a time")
	case EvidenceConfiguration:
		if s.Switching == "wormhole" {
			list = append(list, "packets may be short enough to fit into the buffer of one VC")
		}
	case EvidenceGatedConfiguration:
		list = append(list, bufferSizes(s.Gates), "a packet may stay where it is while others come")
	case EvidenceGatedOrder:
		list = append(list, bufferSizes(s.Gates), "control information arrives in finite time, and a gate that nothing blocked for ever keeps closed opens while a packet waits")
	}
	return strings.Join(list, ", ")
}

func bufferSizes(g *Gates) string {
	if g == nil {
		return "no gates" // Check rejects it
	}
	return fmt.Sprintf("all packets have %d flits, and a buffer has room for %d", g.Packet, g.Buffer)
}

// classPremises are those of a message-deadlock-free claim.
func classPremises(evidence string) string {
	text := "a host consumes a message once it has sent what this one calls for, of later classes, and those of the last class whatever happens, hosts keep the messages of each virtual network in queues of their own"
	if evidence == EvidenceSharedNetwork {
		text += ", any host may send messages of any class to any other"
	}
	return text
}

// waitingLine says for which next hops packets wait. The subject must have Waiting.
func waitingLine(s *Subject) string {
	if s.Relation == nil || s.Relation.Commits == nil {
		return fmt.Sprintf("waiting: %.20s\n", s.Waiting)
	}
	one := 0
	for _, flag := range *s.Relation.Commits {
		one += int(flag)
	}
	return fmt.Sprintf("waiting: %.20s, for one next hop in %d states\n", s.Waiting, one)
}

func waitingPremise(waiting string) string {
	const anyOf, oneOf = "a packet waits for any VC permitted and keeps asking", "a packet waits for the one permitted VC that was chosen when it arrived, whichever that is"
	switch waiting {
	case WaitingOne:
		return oneOf
	case WaitingMixed:
		return anyOf + ", or in some states for one that was chosen when it arrived, whichever that is"
	}
	return anyOf
}
