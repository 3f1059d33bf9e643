// Package vlans finds a small number of VLANs that carry given paths, such that each path is
// inside one tree.
//
// Terms. A way is a path as the set of its links. A demand is a list of alternative ways, one of
// which must be carried, for one or more pairs of hosts. A forest is the set of links of a VLAN
// while the VLAN is being built. Two demands clash if no way of the one and way of the other fit
// into one tree. A bound is a number of VLANs below which no solution exists.
//
// A first call:
//
//	paths, err := vlans.Collect(ctx, relation, 0, nil)
//	found, err := vlans.Find(ctx, paths, vlans.Options{})
//	set, err := vlans.Set(paths, found, vlans.Plan{FirstID: 2})
//
// Search runs these three steps, also for several priorities. Made.Bound computes a bound for
// existing VLANs.
//
// The package does not decide whether the paths are deadlock-free: verify decides this for the
// resulting set.
//
// Sources: Otsuka et al., VLAN Ethernet, for the number of VLANs on meshes; J. Mudigonda, P.
// Yalagandula, M. Al-Fares and J. C. Mogul, SPAIN: COTS data-center Ethernet for multipathing over
// arbitrary topologies, NSDI, 2010, section 3, for packing paths into VLANs by first fit. The
// bounds and the search are our own.
//
// Read first: find.go, then bound.go, count.go, exact.go; plan.go makes the set; make.go does all of it,
// measure.go measures the set.
package vlans
