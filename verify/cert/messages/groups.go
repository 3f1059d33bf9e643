package messages

import "github.com/turnproof/turnproof/verify/cert"

// judgeGroups judges ranks of a protocol beside multicast groups, whose packets can be in each virtual network: each copy leads to a greater rank, and
// holds no branch while others wait.
func (x *protocol) judgeGroups(claim *cert.Claim) error {
	s, ranks, first := &x.Certificate.Subject, *claim.Ranks, x.Networks*x.links
	switch {
	case s.Switching == "wormhole" && !s.Facts.HoldsCopies():
		return cert.Reject(claim.Claim, "an order of places shows nothing for packets of multicast groups that are longer than a buffer")
	case len(*claim.Tables) > 0 || len(ranks) != x.places():
		return cert.Reject(claim.Claim, "%d ranks for %d places, %d tables alone; want one rank for each place", len(ranks), x.places(), len(*claim.Tables))
	}
	for v := range x.Networks {
		queues := first + v*int(x.Endpoints)
		if err := x.JudgeCopies(claim.Claim, ranks[v*x.links:(v+1)*x.links], func(e int32) int32 { return ranks[queues+int(e)] }); err != nil {
			return err
		}
	}
	return nil
}

// managers returns the endpoints that send packets from or to management endpoints to destination d.
func managers(e *cert.Routing, d int) (from []int32) {
	sources, ends := e.Traffic()
	hosts := e.Certificate.Subject.Network.Hosts
	for s := range sources {
		if (s >= hosts || int(ends[d]) >= hosts) && len(e.Injections(s, d)) > 0 {
			from = append(from, int32(s))
		}
	}
	return from
}

// judgeManagement judges ranks of a protocol beside management traffic, which can be in each virtual network: each next hop of its packets leads
// to a greater rank.
func (x *protocol) judgeManagement(claim *cert.Claim) error {
	ranks := *claim.Ranks
	for d := range x.ends {
		from := managers(x.Routing, d)
		switch {
		case from == nil:
			continue
		case x.inRings:
			return cert.Reject(claim.Claim, "ranks in rings show nothing for messages beside management traffic")
		case len(*claim.Tables) > 0 || len(ranks) != x.places():
			return cert.Reject(claim.Claim, "%d ranks for %d places, %d tables alone; want one rank for each place", len(ranks), x.places(), len(*claim.Tables))
		}
		err := x.visit(d, from, func(at cert.State, hops []cert.State) error {
			for _, to := range hops {
				for v := 0; v < x.Networks && int(to.VC) < x.links; v++ {
					if a, b := x.placeIn(v, at.VC), x.placeIn(v, to.VC); ranks[b] <= ranks[a] {
						return cert.Reject(claim.Claim, "management traffic at place %d waits for place %d, whose rank is not greater", a, b)
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
