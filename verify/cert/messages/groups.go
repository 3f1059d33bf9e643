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
