// Package check implements the command check. It decides whether a routing is deadlock-free,
// connected and livelock-free: for the network as given, after each single failure (--fail), or
// after a repair of the forwarding tables (--mend).
package check
