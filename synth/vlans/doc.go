// Package vlans finds few VLANs that carry given paths: each path inside one
// tree.
//
// Five words. A demand is what pairs of hosts want: one of its ways; a way is
// the links of a path; a forest is a VLAN's links while it grows; two demands
// clash if no ways of theirs fit into one tree; a bound is a number of VLANs below
// which nothing can work.
//
// A first call:
//
//	paths, err := vlans.Collect(ctx, relation, 0, nil)
//	found, err := vlans.Find(ctx, paths, vlans.Options{})
//	set, err := vlans.Set(paths, found, vlans.Plan{FirstID: 2})
//
// Search does these three steps, also for several priorities. Bound takes VLANs that exist.
//
// That the paths stay free of deadlock is not decided here: verify judges the
// set that comes out.
//
// Sources: Otsuka et al., VLAN Ethernet, for what is asked on meshes; J. Mudigonda,
// P. Yalagandula, M. Al-Fares and J. C. Mogul, SPAIN: COTS data-center Ethernet for
// multipathing over arbitrary topologies, NSDI, 2010, section 3, for packing
// paths into VLANs by first fit; the bounds and the search are ours.
package vlans
