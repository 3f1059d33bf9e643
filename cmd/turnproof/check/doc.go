// Package check is the command check: it decides whether a routing is deadlock-free, connected and
// livelock-free, for the network as it is, after failures, or after a repair of its tables.
package check
