// Package infiniband reads and writes networks in the formats of InfiniBand tools: ibnetdiscover output and OpenSM's opensm-subnet.lst. An
// Index finds the switches, ports and LIDs of a network for the packages that read tables of it: lft, levels and multicast. Package folder
// finds all files of a fabric.
//
// Read first: fabric.go, then ibnetdiscover.go, subnet.go; index.go finds switches, ports and LIDs; address.go
// gives LIDs.
package infiniband
