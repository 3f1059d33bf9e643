// Package states reads two states of a network, checks each, and decides whether one can replace the other in any order.
//
// The commands compare and reroute call it:
//
//	s, err := states.Read(c)
//	err = s.Join(ctx)
//	m, certificate, err := s.AnyOrder(ctx, transition.Entry, false)
//
// Read first: read.go, anyorder.go; doubts.go (input that gives reason to doubt verdicts), lost.go (pairs without a path), before.go (parts that are gone).
package states
