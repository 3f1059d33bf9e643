// Package config writes the configuration of switches and hosts for verified VLANs on Ethernet:
// scripts for Linux bridges and hosts, and tables for SONiC.
//
// Five terms. An entry is a static address in the table of a switch: VLAN, MAC, port. A trunk
// is a port to another switch; all its VLANs are tagged. A PVID is the VLAN of untagged frames.
// PFC pauses one priority on a link. A placeholder is an address made from the number of a host
// without a given address.
//
// A first call:
//
//	files, err := config.Files(set, config.Linux, &config.Options{})
//	for name, content := range files { fmt.Println(name, len(content)) }
//
// The files implement vlan.Set.Relation, which was verified, and nothing else. Switches learn
// no addresses and run no spanning tree. Every destination address has an entry, and frames to
// other addresses are dropped. With Options.Flood switches flood; vlan.Set.Flooding is then the
// relation to verify.
//
// The package does not size buffers, set speeds or connect to switches. The README.txt of Files
// lists what the operator must do.
//
// Sources: IEEE 802.1Q-2018, sections 6.9 (ingress filtering, PVID, port default priority), 8.8
// (static filtering entries), clause 36 (priority-based flow control, once 802.1Qbb);
// bridge(8), ip-link(8), dcb-pfc(8), dcb-app(8) of iproute2; SONiC's YANG models and
// Configuration.md in sonic-buildimage, and sonic-swss of 2026-08-21.
//
// Read first: plan.go, then linux.go, sonic.go.
package config
