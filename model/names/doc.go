// Package names finds the switches and hosts of a network by words, and spells them so that the words are found again.
//
// Every option, table and file that names a switch or a host uses this package. A word is read by the first rule that applies:
//
//  1. A name as the tool prints it: the description, or the description with the GUID, such as s0(0x0002c90000000001).
//  2. A name as the file of the network has it. On a grid, 1.0 means (1,0).
//  3. A GUID such as 0x2c90000000001, or, in a network with LIDs, a LID.
//  4. A position: #3, or host#3 for a host where switches can be meant, too. A number alone is a position if the network has no
//     LIDs, and no switch or host has a numeral as its name. Positions begin at 0.
//
// A word that several switches or hosts share is an error. The writing side therefore prints a name that is not unique as
// NAME(0xGUID), or as a position if there is no GUID.
//
// A first call:
//
//	x := names.New(network)
//	hosts, err := x.HostsOf("(1,0)") // the hosts of this switch
//	text := x.HostName(hosts[0])     // x.HostsOf(text) returns this host
//
// Read first: doc.go has the rules; index.go, find.go, spell.go; split.go (lists of names that contain the
// separators), hostlist.go.
package names
