// Package advise finds what helps when a routing is refuted: how many virtual channels make its paths deadlock-free, a
// routing that is proved on the same network, and the turns by which tables leave up*/down*.
//
// A first call:
//
//	a, err := advise.Find(ctx, table, advise.Options{Route: route})
//	fmt.Println(a.Layers)   // VCs that are enough for these paths, or 0
//	fmt.Println(a.IsProved) // whether the routing of the options is proved on the network
//	fmt.Println(a.Ranking)  // the turns that go up after down, or nil
//
// Each statement is proved before it is returned (verify.Check, whose evidence the checker accepts).
//
// Read first: advise.go, ranking.go.
package advise
