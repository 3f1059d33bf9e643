// Package floonoc reads configurations of floogen, the generator of FlooNoC: the network, its routing, the pairs that talk, and what the
// routers state about buffers and classes of messages.
//
// Read first: read.go, graph.go, then route.go, rules.go.
package floonoc
