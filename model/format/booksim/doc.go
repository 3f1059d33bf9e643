// Package booksim reads and writes files of BookSim 2: configurations, which select a network, a routing function and a run, and anynet
// network files with the routing that BookSim computes on them.
//
// Read first: config.go, then routing.go, run.go; anynet.go with anynetrouting.go.
package booksim
