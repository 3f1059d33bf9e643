// Package queues searches for a run from the empty network into a deadlock in which VCs hold flits of several packets. It is
// for wormhole switching with known sizes of packets and buffers.
//
// docs/theorems/queues.md has the rules of a run. A packet is given one VC after the other, and flits follow as far as they
// can. Find tries random runs on some of the VCs (region.go, walk.go). Runs stay possible if packets are left out, so Find
// returns only packets that block each other (keep.go). Package verify/cert judges the result by its own rules.
//
// Find does not prove anything if it finds no run. Its cost is bounded by the number of VCs and packets that it looks at.
//
// Read first: doc.go, run.go (moves), blocked.go; find.go with region.go, walk.go (random runs), keep.go
// (packets that the deadlock needs).
package queues
