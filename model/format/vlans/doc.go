// Package vlans reads and writes sets of VLANs, turnproof.vlans/1: the ports of each VLAN, and the VLANs in which hosts send.
//
// Read first: read.go, write.go.
package vlans
