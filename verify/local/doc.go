// Package local proves what a routing program does on every connected network, or on all networks that have the premise of the
// program: that it is deadlock-free, connected and livelock-free.
//
// The program is run on unknown switches (verify/cert/everysize). This package searches what the proof needs:
//
//   - A predicate is a condition that the program itself tests, on the switches of a packet.
//   - The condition of a class of packets is a disjunction of cubes; a cube says of each predicate whether it holds.
//   - A rank is a tuple of numbers of the two switches of a channel. It increases with every dependency.
//   - A small network is one with up to six switches, or a member of a named family. A program that is wrong fails on one.
//
// A first call:
//
//	p, err := program.Read("hop-count.star")
//	r, err := local.Prove(ctx, p, local.Options{})
//	// r.Claims, r.Ranks, r.Witness, r.Certificate
//
// Reading order: prove.go, predicates.go, closure.go, ranks.go, clauses.go, inequalities.go, small.go, certificate.go.
//
// What the search finds is no proof. The checker lists the obligations again and judges the proof of each.
//
// Read first: prove.go; predicates.go, closure.go (conditions), attempts.go, ranks.go with possible.go, small.go
// with smaller.go (counterexamples), reasons.go, search.go (proofs); the judge:
// verify/cert/everysize/nettheorem.go with netrun.go, netaxioms.go, nettrees.go.
package local
