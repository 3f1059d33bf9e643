// Package infiniband reads and writes networks in the formats of InfiniBand tools: output of ibnetdiscover and iblinkinfo, OpenSM's
// opensm-subnet.lst and the tables of ibdiagnet. An Index finds the switches, ports and LIDs of a network for the packages that read tables
// of it: lft, levels and multicast. Package folder finds all files of a fabric.
//
// Read first: fabric.go, then ibnetdiscover.go, subnet.go, portlist.go with linkinfo.go and portsreport.go; index.go finds switches,
// ports and LIDs; address.go gives LIDs.
package infiniband
