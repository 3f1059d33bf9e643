// Package messages judges the claim message-deadlock-free: no deadlock arises if messages wait
// for messages that they cause.
//
// Read first: messages.go, protocol.go with waits.go and judge.go, then messagestates.go, clauses.go and
// worms.go.
package messages

import "github.com/turnproof/turnproof/verify/cert"

// The classes of messages have an order, such as request before reply. An endpoint consumes a
// message after it has sent the messages that this one causes; these are of later classes. It
// consumes messages of the last class in any case. Each virtual network is a copy of the subject. The
// endpoints have queues of their own for it, and each channel has VCs of its own. So a claim about
// the subject holds in each virtual network, as long as everything that arrives there is consumed.
//
// Why separate networks suffice: the network of the last class is deadlock-free, because
// everything that arrives is consumed. So an endpoint can send messages of the last class, and
// consumes the messages that cause them in finite time. By induction this holds down to the first class. (Y. H. Song and T. M. Pinkston, IEEE
// Transactions on Parallel and Distributed Systems 14(3), 2003; A. Hansson, K. Goossens and
// A. Rădulescu, VLSI Design 2007, 95859.)
//
// Why two classes in one network do not suffice: suppose messages of the earlier class fill the queues
// of endpoints a and b, and all VCs that packets between a and b can reach. Before it consumes another message, each endpoint
// has to send a message of the later class. That message waits behind the endpoint's own
// messages to the other. A packet that is dropped, or ejected at a third endpoint, would free its
// VC and then all VCs behind it. So no packet between a and b may be lost like that.

var (
	// subjects are those of evidence for packets that only room keeps back.
	subjects = []string{"table", "relation"}
	inRings  = append(subjects, "bubbles")
	// all are the subjects of evidence that does not look at waits in a virtual network.
	all = append(inRings, "gates")
)

func init() { cert.Register(nil, evidenceKinds()) }

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() []cert.Kind {
	return []cert.Kind{
		{Subjects: all, Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNetworks,
			Fields: []string{"messages"}, Judge: cert.JudgeRouting(judge), Premises: premises},
		{Subjects: all, Claim: cert.ClaimMessages, Verdict: cert.Refuted, Evidence: cert.EvidenceSharedNetwork,
			Fields: []string{"packets", "messages"}, Judge: cert.JudgeRouting(judge),
			Premises: func(s *cert.Subject) []string {
				return append(premises(s), "any host may send messages of any class to any other")
			}},
		{Subjects: all, Claim: cert.ClaimMessages, Verdict: cert.Refuted, Evidence: cert.EvidenceDeadlocked,
			Fields: []string{"messages"}, Judge: cert.JudgeRouting(judge), Premises: premises},
		{Subjects: all, Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNetworkOrder,
			Fields: []string{"protocol"}, Judge: cert.JudgeRouting(networkOrder), Premises: protocolPremises},
		{Subjects: inRings, Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceMessageElimination,
			Fields: []string{"ranks", "protocol", "tables"}, Judge: withRings(ranks), Premises: protocolPremises},
		{Subjects: inRings, Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceMessageNumbering,
			Fields: []string{"ranks", "protocol", "tables"}, Judge: withRings(ranks), Premises: protocolPremises},
		{Subjects: inRings, Claim: cert.ClaimMessages, Verdict: cert.Refuted, Evidence: cert.EvidenceMessageDeadlock,
			Fields: []string{"packets", "protocol", "carries", "tables"}, Judge: withRings(deadlock),
			Premises: placePremises},
		{Subjects: subjects, Claim: cert.ClaimMessages, Verdict: cert.Refuted, Evidence: cert.EvidenceMessageWorms,
			Fields: []string{"packets", "holds", "protocol", "carries", "tables"}, Judge: cert.JudgeRouting(worms),
			Premises: placePremises, Needs: []cert.Need{cert.NeedLong}},
		{Subjects: subjects, Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNoMessages,
			Fields: []string{"steps", "protocol"}, Judge: cert.JudgeRouting(noMessages),
			Premises: protocolPremises, Needs: []cert.Need{cert.NeedAlone, cert.NeedShape}},
	}
}

// placePremises returns the premises of a deadlock of messages.
func placePremises(s *cert.Subject) []string {
	return append(protocolPremises(s), "buffers, queues and tables may be as small, and messages as many, as the deadlock needs, "+
		"any host of a role may take part in a transaction with any other")
}

// protocolPremises returns the premises of each claim about a protocol.
func protocolPremises(s *cert.Subject) []string {
	text := "a host consumes a message once it has room for all that this one causes, and takes this room at once, " +
		"hosts keep the messages of each virtual network in queues of their own, and send them in order, messages of a host " +
		"to itself need no room, and a lost message ends its transaction"
	if s.Multicast != nil {
		text += ", packets of multicast groups may be in each virtual network, and hosts consume them at once"
	}
	if s.Table != nil && s.Table.Sources > int(s.Network.Hosts) || s.Relation != nil && s.Relation.Sources > int(s.Network.Hosts) {
		text += ", management traffic may be in each virtual network, and is consumed at once"
	}
	return []string{text}
}

// premises returns the premises of each message-deadlock-free claim.
func premises(*cert.Subject) []string {
	return []string{"a host consumes a message once it has sent the messages that this one causes, and messages of the last " +
		"class always, hosts keep the messages of each virtual network in queues of their own"}
}

// judge judges a message-deadlock-free claim.
func judge(e *cert.Routing, claim *cert.Claim) error {
	networks := *claim.Messages
	used := int32(0)
	for i, v := range networks {
		if v < 0 || v > used {
			return cert.Reject(claim.Claim, "class %d is in virtual network %d, where %d would be the next one", i, v, used)
		}
		if v == used {
			used++
		}
	}
	if len(networks) < 2 {
		return cert.Reject(claim.Claim, "%d classes of messages do not wait for others", len(networks))
	}
	if rel := e.Certificate.Subject.Relation; rel != nil && rel.Flows != nil && !goBack(e, *rel.Flows, len(networks)) {
		return cert.Reject(claim.Claim, "messages cause others, but the flows of the subject do not lead back")
	}
	if claim.Evidence == cert.EvidenceSharedNetwork {
		if int(used) == len(networks) {
			return cert.Reject(claim.Claim, "no two classes share a virtual network")
		}
		return bothWays(e, claim)
	}
	if int(used) < len(networks) {
		return cert.Reject(claim.Claim, "%d classes share %d virtual networks", len(networks), used)
	}
	return restsOnRouting(e, claim)
}

// restsOnRouting judges that the certificate has the same verdict on one virtual network. A proof also needs that a message takes all of the
// room at its host at once: gates by flit can hold back its rest while another message has arrived on another VC.
func restsOnRouting(e *cert.Routing, claim *cert.Claim) error {
	if free := e.Certificate.Claim(cert.ClaimDeadlockFree); free == nil || free.Verdict != claim.Verdict {
		return cert.Reject(claim.Claim, "rests on %s, which the certificate does not have %s", cert.ClaimDeadlockFree, claim.Verdict)
	}
	if g := e.Certificate.Subject.Gates; g != nil && g.ByFlit && e.VCs > 1 && claim.Verdict == cert.Proved {
		return cert.Reject(claim.Claim, "gates by flit, and %d VCs of each ejection channel", e.VCs)
	}
	return nil
}

// goBack reports whether the flows have all messages that messages of two classes cause: replies. Messages of other classes go anywhere.
func goBack(e *cert.Routing, flows cert.Ints, classes int) bool {
	_, ends := e.Traffic()
	for i := 0; i < len(flows); i += 2 {
		for d, end := range ends {
			if end == flows[i] && !e.Talks(ends[flows[i+1]], int32(d)) {
				return false
			}
		}
	}
	return classes == 2
}

// bothWays judges two packets that go from one endpoint to the other, and back.
func bothWays(e *cert.Routing, claim *cert.Claim) error {
	if len(claim.Packets) != 2 {
		return cert.Reject(claim.Claim, "%d packets, where one each way is shown", len(claim.Packets))
	}
	_, ends := e.Traffic()
	for i := range claim.Packets {
		p, other := &claim.Packets[i], &claim.Packets[1-i]
		at, err := e.Follow(claim.Claim, i, p)
		if err != nil {
			return err
		}
		end := ends[p.Destination]
		if at.VC/e.VCs != e.Ejection(end) {
			return cert.Reject(claim.Claim, "packet %d ends on VC %d, not at its destination", i, at.VC)
		}
		if p.Source >= int(e.Certificate.Subject.Network.Hosts) {
			return cert.Reject(claim.Claim, "packet %d comes from endpoint %d, a management endpoint", i, p.Source)
		}
		if int(end) != other.Source {
			return cert.Reject(claim.Claim, "packet %d goes to endpoint %d, the other comes from %d", i, end, other.Source)
		}
		if err := neverLost(e, claim, i); err != nil {
			return err
		}
	}
	if claim.Packets[0].Source > claim.Packets[1].Source {
		return cert.Reject(claim.Claim, "the packets are not in order")
	}
	return nil
}

// neverLost judges that no packet with the source, destination and class of packet i is dropped
// or ejected at another endpoint, whichever permitted hops it takes.
func neverLost(e *cert.Routing, claim *cert.Claim, i int) error {
	p := &claim.Packets[i]
	_, ends := e.Traffic()
	first := cert.State{VC: p.Path[0], Class: p.Path[1]}
	seen, queue := map[cert.State]bool{first: true}, []cert.State{first}
	for ; len(queue) > 0; queue = queue[1:] {
		hops := e.Next(p.Destination, queue[0], nil)
		if len(hops) == 0 {
			return cert.Reject(claim.Claim, "a packet like packet %d can be dropped at %v, which frees the VCs behind it", i, queue[0])
		}
		for _, to := range hops {
			switch c := to.VC / e.VCs; {
			case c == e.Ejection(ends[p.Destination]):
			case c >= e.Ejection(0):
				return cert.Reject(claim.Claim, "a packet like packet %d can be ejected on VC %d, not at its destination", i, to.VC)
			case !seen[to]:
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return nil
}
