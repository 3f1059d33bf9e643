package bounds

import (
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/turns"
)

// This file judges a bound that follows from connectedness alone.
//
// Theorem: consider a connected network of n >= 2 switches and m links. A set of turns that
// closes no cycle, and connects every switch to every other, prohibits at least 2(m-n+1) turns.
//
// Proof. Number the channels such that every allowed turn increases the number. A turn "falls"
// if its number decreases; such a turn is prohibited. Regard the numbers as times: at its time a
// channel transfers to its head all that its tail knows. Initially a switch knows itself. In the
// end every switch knows every other. Let T be the first time at which some switch r knows all.
//
// Counting. For a time t and a switch v, let p be the number of channels out of v by t, q the
// number into v after t, and c the number of cables that have both. The p*q pairs, except c U-turns,
// are falling turns that span t. Falling turns between two channels by t, or between two after
// t, count in addition; call them inner. If p and q are at least 1, then
// pq-c >= pq-min(p,q) >= p+q-2, since for p <= q the difference is (p-1)(q-2). Call v tight if at
// most p+q-2 turns at v fall. Then no inner turn falls, and c = min(p,q) >= 1. The sum of p+q
// over all switches is 2m.
//
// Lemma. Let t be a time, a = (u,w) the first channel after t, and let p and q of u be at least
// 1. Then u is not tight. The q channels into u after t come after a, and each falls onto a, except
// the reverse of a. If no inner turn falls, the reverse of a is the only one. Then no cable
// has one channel out by t and the other in after t, so c = 0.
//
// Every switch other than r has a channel out by T; otherwise r would not know it. It also has a
// channel in after T, since it does not know all yet. So its p and q are at least 1 at T. If each
// prohibits p+q-2 turns and r prohibits p+q, the sum is 2m-2(n-1), and the theorem holds.
//
// (1) r has channels out by T. Take t = T. The channel at T, (z,r), falls onto the p channels out of
// r, except its reverse. Let e = 1 if its reverse is among them, else e = 0. These falls are
// inner. So at least p-e+pq-c turns at r fall, where c <= min(p-e,q). This is at least p+q-1:
// if q <= p-e, the difference is q(p-2)+1-e, where p = 1 implies q <= 1-e; otherwise it is
// (p-1)(q-1). If the theorem fails, all other switches are tight, and exactly p+q-1 turns at r fall.
// If e = 1: suppose no channel enters r between (r,z) and T. Then before T z knows all that r
// knows, and with what z transfers to r at T, z knows all before T, a contradiction. So some channel
// enters r then, and it falls onto (r,z). With this inner fall there are p-e+pq-c+1 >= p+q.
// If e = 0: with q = 0, p = p+q turns at r fall. Otherwise the first channel a after T leaves r, by
// the lemma. All q channels into r after T fall onto a, except its reverse. This is one more
// inner fall, unless q = 1 and that channel is the reverse of a. But then c = 0, and at least
// 2p >= p+1 turns at r fall.
//
// (2) r has no channel out by T. Let b = (r,z) be its first channel out, and t just before b. Every
// other switch has a channel out by T and a channel in after t; otherwise it would not know r. At
// r, p = 0, and each of its q channels in after t falls onto b, except the reverse of b. If the
// reverse of b is not after t, q = p+q turns at r fall. If it is, take t just after b instead.
// All switches except r and z still have p and q of at least 1, since they learn of r after b.
// Now p = 1 at r, and at least q-1 turns at r fall, those onto b. Let P and Q be the numbers of z;
// P >= 1. b enters z and falls onto the P channels out of z by t, none of which is its reverse:
// P inner falls, and PQ-c others. It suffices that (1+q)+(P+Q)-2 turns at r and z fall together,
// that is, q-1 at r and P+Q at z. With Q = 0, P turns at z fall. With Q >= 1, at least
// P+(P+Q-2) fall, so P >= 2 or c = 0 suffices. If P = c = 1, at least Q turns at z fall, one fewer
// than needed. If the theorem fails, all other switches are tight, and no further turn falls at r
// or z. Let a be the first channel after t. By the lemma a leaves r or z. If a leaves r, the
// reverse of b falls onto it as well. If a leaves z, the Q channels into z after t fall onto it,
// except its reverse. Without a further fall that is the only one, and then c = 0, because a is
// not out by t. So one more turn falls.
//
// The idea of T is from the 2n-2 calls of one-way gossip (F. Harary and A. J. Schwenk,
// Journal of the Franklin Institute 297, 1974). Trees, rings and meshes reach the bound.
func gossip(t *turns.Set, claim *cert.Claim) error {
	if t.VCs != 1 {
		return cert.Reject(claim.Claim, "%d VCs per channel; the theorem needs 1", t.VCs)
	}
	for u, hosts := range t.HostsAt {
		if hosts == 0 {
			return cert.Reject(claim.Claim, "switch %d has no host, so it need not be connected", u)
		}
	}
	if t.Switches < 2 || !isConnected(t) {
		return cert.Reject(claim.Claim, "%d switches that links do not connect", t.Switches)
	}
	for _, closed := range t.Closed {
		if closed {
			return cert.Reject(claim.Claim, "some VCs are closed; the theorem needs links in both directions")
		}
	}
	bound := int64(t.LinkVCs()) - 2*int64(t.Switches) + 2
	if bound < 1 || *claim.Bound != bound {
		return cert.Reject(claim.Claim, "the theorem shows a bound of %d, not %d", bound, *claim.Bound)
	}
	return nil
}

// isConnected reports whether links connect all switches.
func isConnected(t *turns.Set) bool {
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
