package minimum

// gossip returns a lower bound for sets that join all switches, or 0 if some switch has no hosts.
//
// Theorem: let a connected network have n ≥ 2 switches and m links. A set of turns that closes no
// cycle and joins every switch to every other one prohibits at least 2(m-n+1) turns. The proof is
// in verify/cert/gossip.go, beside the checker.
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
