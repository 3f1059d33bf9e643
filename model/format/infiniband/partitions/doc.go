// Package partitions reads which hosts talk from the partition configuration of OpenSM (partitions.conf).
//
// A first call:
//
//	flows, err := partitions.Read(file, network)
//
// Importing the package registers the format for files of flows (lists.RegisterFlows).
package partitions
