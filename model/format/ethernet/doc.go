// Package ethernet reads a folder with the dumps of the switches of a routed Ethernet fabric (RoCE): routes, addresses, neighbours.
// The result is a network whose hosts are the prefixes that switches are connected to, and the relation of the routes.
//
// Terms: a port is an interface with a cable. The peer of a port is the port at the other end. A host prefix is a prefix that a switch
// is connected to by an interface that leads to no other switch. An atom is a set of addresses of one host prefix that the routes of
// no switch tell apart.
//
// A frame goes at each switch by the longest prefix that contains its destination, over any of the next hops: a hash chooses one before
// the frame waits. It ends at a switch that is connected to the host prefix. A frame in a forwarding loop dies by its TTL: the relation
// delivers it to the switch where it dies, which is no destination.
//
// The package registers itself with package format.
//
// Read first: read.go, then folder.go, links.go (cables), hops.go (where next hops lead), atoms.go (destinations
// that routes tell apart), build.go, relation.go, symmetry.go; valleys.go; qos.go with qosdoubts.go (frames with
// DSCPs); after failures after.go, reroute.go with plan.go and modelled.go, orbits.go with failsymmetry.go.
package ethernet
