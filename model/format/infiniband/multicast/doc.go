// Package multicast reads multicast tables of InfiniBand, and the service levels of multicast groups.
//
// Read first: read.go, holes.go.
package multicast
