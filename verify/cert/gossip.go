package cert

// This file judges a bound that rests on connectedness alone.
//
// Theorem: on a connected network of n switches and m links, n at least 2, a set of turns
// that closes no cycle and leads from every switch to every other prohibits at least
// 2(m-n)+1 turns.
//
// Proof. Number the channels so that every allowed turn rises; turns that fall are then
// prohibited. Call the numbers times: at its time a channel passes on all that its tail
// knows by then. In the end every switch knows of every other.
// Let T be the first time at which some switch, r, knows of all. Every other switch has a
// channel out of it by T, or r would not know of it, and one into it after T, since it does
// not know of all yet. For a time t and a switch v let p be its channels out by t, q
// those into it after t. Of the pq pairs at most min(p,q) are a cable, the others
// are turns that fall. If p and q are at least 1, pq-min(p,q) is at least p+q-2: for p
// at most q the difference is (p-1)(q-2). Over all switches p+q is 2m in sum. So the
// switches other than r prohibit at least 2m-2(n-1)-(p+q of r) turns, and it is left to
// show that r makes up for its p+q, but for 1.
// (1) r has channels out by T; let t be T. The channel at T leads into r, so it falls onto
// the p out of r but its own cable, if that is among them (e is 1 then, else 0). Of the pq
// pairs at most min(p-e,q) are cables. So r prohibits p-e+pq-min(p-e,q) turns, which is not
// less than p+q-1: if q is at most p-e, the difference is q(p-2)+1-e, where p = 1 leaves q at
// most 1-e; else it is (p-1)(q-1).
// (2) It has none by T. Let t be just before its first channel out, to z. Every other
// switch has one out by T, and one in after t, or it would not know of r. Here p is 0. Each
// of the q channels into r after t falls onto the first one out, but for that from z.
//
// The idea of T is that of the 2n-2 calls of one-way gossip (F. Harary and A. J. Schwenk,
// J. Franklin Inst. 297, 1974). Whether 2(m-n+1) holds is open: no network is known where
// less is enough.
func (t *turnSet) gossip(claim *Claim, both bool) error {
	if t.vcs != 1 {
		return reject(claim.Claim, "%d VCs per channel, the theorem is of one", t.vcs)
	}
	for u, hosts := range t.hostsAt {
		if hosts == 0 {
			return reject(claim.Claim, "switch %d has no host, so it need not be connected", u)
		}
	}
	if t.switches < 2 || !t.joined() {
		return reject(claim.Claim, "%d switches, which are not joined by links", t.switches)
	}
	for _, closed := range t.closed {
		if closed {
			return reject(claim.Claim, "some VCs are closed, the theorem is of links in both directions")
		}
	}
	bound := int64(t.linkVCs()) - 2*int64(t.switches) + 1
	if both {
		bound++ // of an odd number the next even one
	}
	if bound < 1 || *claim.Bound != bound {
		return reject(claim.Claim, "the theorem shows a bound of %d, not %d", bound, *claim.Bound)
	}
	return nil
}

// joined reports whether links join all switches.
func (t *turnSet) joined() bool {
	near := make([][]int32, t.switches)
	for c := range t.linkVCs() {
		near[t.tail[c]] = append(near[t.tail[c]], t.enters[c])
	}
	found := make([]bool, t.switches)
	found[0] = true
	queue := []int32{0}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for _, v := range near[u] {
			if !found[v] {
				found[v] = true
				queue = append(queue, v)
			}
		}
	}
	for _, f := range found {
		if !f {
			return false
		}
	}
	return true
}
