// Package lft reads and writes forwarding tables of InfiniBand: linear tables (opensm-lfts.dump, dump_lfts, ibroute, .fdbs) and the adaptive
// tables of ibdiagnet (ibdiagnet2.far). It compares them with the topology: tables of another fabric are an error, smaller differences are
// warnings, premises or doubts in format.Findings.
//
// A first call:
//
//	n, notes, err := format.ReadNetwork("topology.ibnetdiscover", format.Options{})
//	t, notes, err := lft.Read("opensm-lfts.dump", n, format.Options{})
//
// Read first: table.go, then fit.go, lids.go, lmc.go, owners.go; adaptive.go with adaptivegroups.go.
package lft
