// Package turnaddition reproduces the turn addition paper: the throughput of random networks and of joined
// fat trees, and the turns that are prohibited at joining links.
package turnaddition
