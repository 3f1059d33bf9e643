package cert

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

// messages judges a message-deadlock-free claim of c.
func (e *evidence) messages(c *Certificate, claim *Claim) error {
	if e.gated != nil {
		return reject(claim.Claim, "gates are judged of one network only")
	}
	networks := *claim.Messages
	used := int32(0)
	for i, v := range networks {
		if v < 0 || v > used {
			return reject(claim.Claim, "class %d is in virtual network %d, where %d would be the next one", i, v, used)
		}
		if v == used {
			used++
		}
	}
	if len(networks) < 2 {
		return reject(claim.Claim, "%d classes of messages do not wait for others", len(networks))
	}
	if claim.Evidence == EvidenceSharedNetwork {
		if int(used) == len(networks) {
			return reject(claim.Claim, "no two classes share a virtual network")
		}
		return e.bothWays(claim)
	}
	if int(used) < len(networks) {
		return reject(claim.Claim, "%d classes share %d virtual networks", len(networks), used)
	}
	if verdictOn(c, ClaimDeadlockFree) != claim.Verdict {
		return reject(claim.Claim, "rests on %s, which the certificate does not have %s", ClaimDeadlockFree, claim.Verdict)
	}
	return nil
}

func verdictOn(c *Certificate, name string) string {
	for i := range c.Claims {
		if c.Claims[i].Claim == name {
			return c.Claims[i].Verdict
		}
	}
	return ""
}

// bothWays judges two packets that go from one endpoint to the other, and back.
func (e *evidence) bothWays(claim *Claim) error {
	if len(claim.Packets) != 2 {
		return reject(claim.Claim, "%d packets, where one each way is shown", len(claim.Packets))
	}
	_, ends := e.between()
	for i := range claim.Packets {
		p, other := &claim.Packets[i], &claim.Packets[1-i]
		at, err := e.follow(claim.Claim, i, p)
		if err != nil {
			return err
		}
		end := ends[p.Destination]
		if at.vc/e.vcs != e.eject(end) {
			return reject(claim.Claim, "packet %d ends on VC %d, not at its destination", i, at.vc)
		}
		if int(end) != other.Source {
			return reject(claim.Claim, "packet %d goes to endpoint %d, the other comes from %d", i, end, other.Source)
		}
		if err := e.neverLost(claim, i); err != nil {
			return err
		}
	}
	if claim.Packets[0].Source > claim.Packets[1].Source {
		return reject(claim.Claim, "the packets are not in order")
	}
	return nil
}

// neverLost judges that no packet with the source, destination and class of packet i, whatever
// permitted hops it takes, is dropped or ejected at another endpoint.
func (e *evidence) neverLost(claim *Claim, i int) error {
	p := &claim.Packets[i]
	_, ends := e.between()
	first := state{p.Path[0], p.Path[1]}
	seen, queue := map[state]bool{first: true}, []state{first}
	for ; len(queue) > 0; queue = queue[1:] {
		hops := e.next(p.Destination, queue[0], nil)
		if len(hops) == 0 {
			return reject(claim.Claim, "a packet like packet %d can be dropped at %v, which frees the VCs behind it", i, queue[0])
		}
		for _, to := range hops {
			switch c := to.vc / e.vcs; {
			case c == e.eject(ends[p.Destination]):
			case c >= e.eject(0):
				return reject(claim.Claim, "a packet like packet %d can be ejected on VC %d, not at its destination", i, to.vc)
			case !seen[to]:
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return nil
}
