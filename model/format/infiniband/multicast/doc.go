// Package multicast reads multicast tables of InfiniBand, and the service levels of multicast groups.
package multicast
