// Package reroute implements the command reroute. It finds an order in which new forwarding tables replace old ones without a deadlock on
// the way.
package reroute
