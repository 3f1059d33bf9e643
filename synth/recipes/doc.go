// Package recipes decides lists of pairs of hosts, called recipes, under one routing: whether their packets can close a dependency cycle,
// and the fewest pairs to leave out so that none is left.
//
// The routing must give each pair one path. Cycles within a ring that flow control protects do not count. Package verify/cert/recipes
// judges every answer.
//
// A first call:
//
//	s, err := recipes.New(relation, rings, isUnprotected)
//	a, err := s.Decide(ctx, limit, pairs)
//	fmt.Println(a.Cycle, a.Drop, a.Least)
//
// Read first: set.go, then graph.go, fewest.go; the judge: verify/cert/recipes.
package recipes
