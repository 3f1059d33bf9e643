// Package vlan models several paths over Ethernet by VLANs. Each VLAN is a tree within a
// network that may have loops, and a host chooses the VLAN of each frame.
//
// A switch keeps a frame on the tree of the VLAN that its tag names. A tree has one path
// between two switches, so a sender chooses a path by choosing a VLAN.
//
// Five terms. A VLAN is an identifier with links that form no cycle. A Set is a list of VLANs
// with the VLAN that each host uses for each destination. A member of a VLAN is a host whose
// port belongs to the VLAN. Frames at an untagged port carry no tag, so its host need not know
// VLANs. A priority is the unit that PFC pauses; each priority has its own buffers, which are a
// virtual channel.
//
// A first call:
//
//	set, err := vlan.DimensionOrder(mesh, nil, 2) // identifiers from 2 on
//	rel := set.Relation() // for cdg, verify and engine
//
// synth/vlans computes how few VLANs given paths need; model/format reads and writes files.
//
// Sources: T. Kudoh, M. Matsuda, H. Tezuka, Y. Kodama, O. Tatebe and S. Sekiguchi, VLAN-based
// routing, IPSJ Trans. ACS 45 (SIG 6), 2004, for the method; T. Otsuka, M. Koibuchi, A.
// Jouraku, T. Kudoh and H. Amano, Path assignment methods in VLAN-based multi-path Ethernet
// ("VLAN Ethernet"), for the sets of meshes; IEEE 802.1Q for the behaviour of switches.
//
// Read first: vlan.go, tree.go, forward.go; mesh.go.
package vlan
