package messages

import "github.com/turnproof/turnproof/verify/cert"

// This file judges what becomes of messages that wait for those that they call for.
//
// Classes of messages stand in an order, request before reply: an endpoint consumes a
// message once it has sent what this one calls for, which is of later classes; messages of the last
// class are consumed whatever happens. Each virtual network is a copy of the subject: the
// endpoints have queues of their own for it, and every channel VCs of its own; so what is judged
// of the subject holds in each, as long as all that arrives there is consumed.
//
// Why separate networks suffice: the last class's network is deadlock-free, since
// all that arrives is consumed; so whatever class calls for it gets to send, and is
// consumed in finite time; and so on, down to the first. (Y. H. Song and T. M. Pinkston, IEEE
// Transactions on Parallel and Distributed Systems 14(3), 2003; A. Hansson, K. Goossens and
// A. Rădulescu, VLSI Design 2007, 95859.)
//
// Why two classes in one network do not: let endpoints a and b have filled their queues, and all
// VCs that packets from one to the other can reach, with messages of the earlier class. Each
// would have to send one of the later class before it consumes another, and that waits behind
// its own messages to the other. A packet that is dropped, or ejected at a third endpoint, would
// free its VC, and then all others behind it: so no packet from one to the other may be.

var subjects = []string{"table", "relation"}

// Kinds are the kinds of evidence that this package judges.
var Kinds = []cert.Kind{
	{Subjects: subjects, Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNetworks, Fields: []string{"messages"}, Judge: cert.JudgeBy(judge), Premises: premises},
	{Subjects: subjects, Claim: cert.ClaimMessages, Verdict: cert.Refuted, Evidence: cert.EvidenceSharedNetwork, Fields: []string{"packets", "messages"}, Judge: cert.JudgeBy(judge),
		Premises: func(s *cert.Subject) []string {
			return append(premises(s), "any host may send messages of any class to any other")
		}},
	{Subjects: subjects, Claim: cert.ClaimMessages, Verdict: cert.Refuted, Evidence: cert.EvidenceDeadlocked, Fields: []string{"messages"}, Judge: cert.JudgeBy(judge), Premises: premises},
}

// premises returns the premises of each message-deadlock-free claim.
func premises(*cert.Subject) []string {
	return []string{"a host consumes a message once it has sent what this one calls for, of later classes, and those of the last class whatever happens, hosts keep the messages of each virtual network in queues of their own"}
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
	if claim.Evidence == cert.EvidenceSharedNetwork {
		if int(used) == len(networks) {
			return cert.Reject(claim.Claim, "no two classes share a virtual network")
		}
		return bothWays(e, claim)
	}
	if int(used) < len(networks) {
		return cert.Reject(claim.Claim, "%d classes share %d virtual networks", len(networks), used)
	}
	if free := e.Certificate.Claim(cert.ClaimDeadlockFree); free == nil || free.Verdict != claim.Verdict {
		return cert.Reject(claim.Claim, "rests on %s, which the certificate does not have %s", cert.ClaimDeadlockFree, claim.Verdict)
	}
	return nil
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

// neverLost judges that no packet with the source, destination and class of packet i, whatever
// permitted hops it takes, is dropped or ejected at another endpoint.
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
