// Package judge says what verify.Check is to decide about a network and a routing that package resolve has read.
//
// A first call:
//
//	s, err := resolve.Load(ctx, resolve.Request{Network: "mesh:4x4", Routing: "west-first"})
//	o, err := judge.Options(s)
//	report, err := verify.Check(ctx, s.Rel, o)
package judge
