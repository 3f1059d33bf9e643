package minimum

// This file is a lower bound for sets that keep all switches connected.
//
// Theorem: on a connected network of n switches and m links, n at least 2, a set of turns
// that closes no cycle and leads from every switch to every other prohibits at least
// 2(m-n+1) turns.
//
// The proof stands with the checker, in verify/cert/gossip.go.
func (x *instance) gossip() int {
	for _, hosted := range x.hosted {
		if !hosted {
			return 0
		}
	}
	if x.switches < 2 {
		return 0
	}
	return max(0, x.channels()-2*x.switches+2)
}
