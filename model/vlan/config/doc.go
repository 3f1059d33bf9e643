// Package config writes what switches and hosts are told, so that Ethernet runs
// the VLANs that were verified: scripts for Linux bridges and hosts, and tables
// for SONiC.
//
// Five words. An entry is a static address of a switch's table: VLAN, MAC, port;
// a trunk is a port to another switch, all of whose VLANs are tagged; a PVID is the
// VLAN of frames that come without a tag; PFC pauses one priority on a link; a
// placeholder is an address made from a host's number where none was given.
//
// A first call:
//
//	files, err := config.Files(set, config.Linux, &config.Options{})
//	for name, content := range files { fmt.Println(name, len(content)) }
//
// What it keeps to, since vlan.Set.Relation was verified and nothing else: switches
// learn no addresses and run no spanning tree, every address that frames are sent to has
// an entry, and a frame to any other goes nowhere (Options.Flood keeps flooding;
// then vlan.Set.Flooding is the relation to verify).
//
// It does not size buffers, set speeds or talk to switches. What else is left to
// the operator stands in the README.txt that Files yields.
//
// Sources: IEEE 802.1Q-2018, sections 6.9 (ingress filtering, PVID, port default
// priority), 8.8 (static filtering entries), clause 36 (priority-based flow control, once
// 802.1Qbb); bridge(8), ip-link(8), dcb-pfc(8), dcb-app(8) of iproute2; SONiC's
// YANG models and Configuration.md in sonic-buildimage, and sonic-swss of 2026-08-21.
package config
