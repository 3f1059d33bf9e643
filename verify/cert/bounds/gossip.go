package bounds

import (
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/turns"
)

// This file judges a bound that rests on connectedness alone.
//
// Theorem: on a connected network of n switches and m links, n at least 2, a set of turns
// that closes no cycle and leads from every switch to every other prohibits at least
// 2(m-n+1) turns.
//
// Proof. Number the channels so that every allowed turn rises; turns that fall are then
// prohibited. Call the numbers times: at its time a channel passes on all that its tail
// knows by then. In the end every switch knows of every other. Let T be the first time at
// which some switch, r, knows of all.
//
// Counting. For a time t and a switch v let p be its channels out by t, q those into it after
// t, and c the cables among the pq pairs; the other pairs fall, they straddle t. Turns that
// fall within the times by t, or within those after t, come on top, call them inner. If p and q
// are at least 1, pq-c is at least pq-min(p,q), and that at least p+q-2: for p at most q the
// difference is (p-1)(q-2). If v has no more than p+q-2 falls, call it tight: then no fall is
// inner, and c = min(p,q) is at least 1. Over all switches p+q is 2m in sum.
//
// Tight switches do not begin: let t be a time, a = (u,w) the first channel after t, and p and q
// of u at least 1. Then u is not tight: the q channels into u after t come after a and fall on
// it, but for the reverse of a; without an inner fall that is the only one, so no cable has its
// one channel out by t and the other in after t, c is 0.
//
// Every switch but r has a channel out by T, or r would not know of it, and one into it after
// T, since it does not know of all yet: p and q are at least 1 at T. If all of them prohibit p+q-2,
// and r prohibits p+q, these are 2m-2(n-1) in sum, and the theorem holds.
//
// (1) r has channels out by T; take t = T. The channel at T, (z,r), falls onto the p out of r but
// for its reverse; let e be 1 if that is among them, else 0. These are inner. So r has at least
// p-e+pq-c falls, c at most min(p-e,q), which is at least p+q-1: if q is at most p-e, the
// difference is q(p-2)+1-e, where p = 1 leaves q at most 1-e; else it is (p-1)(q-1). So if the
// theorem failed, all other switches would be tight, and r would have p+q-1 falls, no more.
// If e is 1: had no channel come into r between (r,z) and T, then z would have known all that r
// knew before T, and with what it told r at T, all: before T. So one did, and it falls on (r,z):
// one more inner fall, p-e+pq-c+1 and so p+q in all.
// If e is 0: with q = 0 r has p falls, p+q. Else the first channel after T, a, leaves r, since
// tight switches do not begin. Of the q channels into r after T all fall on a but its reverse:
// one more inner fall, unless q is 1 and that is the reverse of a. But then c is 0, and r has at
// least 2p falls, which is not less than p+1.
//
// (2) r has none by T. Let b = (r,z) be its first channel out, t just before it. Every other switch
// has one out by T, and one in after t, or it would not know of r. Here p of r is 0, and each of
// its q channels in after t falls on b, but for the reverse of b. If that is not after t, r has q
// falls, p+q. If it is, take t just after b instead. All but r and z still have p and q of at least
// 1, for what they know of r they learn after b. Now p of r is 1, and r has q-1 falls at least,
// those on b. Write P and Q for z; P is at least 1. b, into z, falls on the P channels out of z by t,
// none of which is its reverse: P inner falls, and PQ-c others. It is enough that r and z have
// (1+q)+(P+Q)-2 falls together, which is q-1 and P+Q. With Q = 0 z has P, with Q at least 1
// it has P+(P+Q-2) at least, so it is enough that P is 2 or more, or c is 0. If P and c are 1, z has at
// least Q falls, one less than is wanted: if the theorem failed, all other switches would be tight,
// and r and z would have no further fall. Let a be the first channel after t. It leaves r or z, since
// tight switches do not begin. If it leaves r, the reverse of b falls on it, too. If it leaves z, the
// Q into z after t fall on it but its reverse; without a further fall that is the only one, and c
// would be 0, for a is not out by t. So there is one more fall.
//
// The idea of T is that of the 2n-2 calls of one-way gossip (F. Harary and A. J. Schwenk,
// J. Franklin Inst. 297, 1974). Trees, rings and meshes meet the bound.
func gossip(t *turns.Set, claim *cert.Claim) error {
	if t.VCs != 1 {
		return cert.Reject(claim.Claim, "%d VCs per channel, the theorem is of one", t.VCs)
	}
	for u, hosts := range t.HostsAt {
		if hosts == 0 {
			return cert.Reject(claim.Claim, "switch %d has no host, so it need not be connected", u)
		}
	}
	if t.Switches < 2 || !joined(t) {
		return cert.Reject(claim.Claim, "%d switches, which are not joined by links", t.Switches)
	}
	for _, closed := range t.Closed {
		if closed {
			return cert.Reject(claim.Claim, "some VCs are closed, the theorem is of links in both directions")
		}
	}
	bound := int64(t.LinkVCs()) - 2*int64(t.Switches) + 2
	if bound < 1 || *claim.Bound != bound {
		return cert.Reject(claim.Claim, "the theorem shows a bound of %d, not %d", bound, *claim.Bound)
	}
	return nil
}

// joined reports whether links join all switches.
func joined(t *turns.Set) bool {
	near := make([][]int32, t.Switches)
	for c := range t.LinkVCs() {
		near[t.Tail[c]] = append(near[t.Tail[c]], t.Enters[c])
	}
	found := make([]bool, t.Switches)
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
