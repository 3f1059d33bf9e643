// Package vlan knows several paths over Ethernet: VLANs, each a tree within a
// network that may have loops, and which of them a host sends in.
//
// A switch keeps a frame to the tree of the VLAN that its tag names, and there
// is one way in a tree; so a sender chooses a path by choosing a VLAN.
//
// Five words. A VLAN is an identifier with links that form no cycle; a Set is
// VLANs with what every host uses for every destination; a member of a VLAN is
// a host whose port takes part in it; untagged is a port whose frames carry no
// tag, so that the host need not know of VLANs; a priority is what PFC pauses
// one by one, and what has buffers of its own: a virtual channel.
//
// A first call:
//
//	set, err := vlan.DimensionOrder(mesh, nil, 2) // identifiers from 2 on
//	rel := set.Relation() // for cdg, verify and engine
//
// How few VLANs given paths need is found by synth/vlans; files are read and
// written by model/format.
//
// Sources: T. Kudoh, M. Matsuda, H. Tezuka, Y. Kodama, O. Tatebe and
// S. Sekiguchi, VLAN-based routing, IPSJ Trans. ACS 45 (SIG 6), 2004, for the
// method; T. Otsuka, M. Koibuchi, A. Jouraku, T. Kudoh and H. Amano, Path
// assignment methods in VLAN-based multi-path Ethernet ("VLAN Ethernet"), for
// the sets of meshes; IEEE 802.1Q for what switches do.
package vlan
