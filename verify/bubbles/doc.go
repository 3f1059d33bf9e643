// Package bubbles decides routings whose flow control keeps rings from filling up: it finds ranks, or a run into a
// deadlock.
//
// A proof has ranks by VC, equal in each ring, such that every waiting packet has a hop to a greater rank or to the
// next VC of its ring. Package verify/cert/bubbles has the rules and their proof. The ranks are found by
// elimination, as in package waits, with a ring as one VC.
//
// Sources: see package model/bubble. Cost: O(reachable states × hops).
//
// Read first: rule.go, network.go; run.go, then search.go, best.go, cycle.go (cycles that nothing protects).
package bubbles
