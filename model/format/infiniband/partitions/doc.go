// Package partitions reads which hosts talk from the partition configuration of OpenSM (partitions.conf).
//
// A first call:
//
//	file, err := textfile.Open("partitions.conf", nil)
//	flows, err := partitions.Read(file, network, format.Options{})
//
// Importing the package registers the format for files of flows (lists.RegisterFlows).
package partitions
