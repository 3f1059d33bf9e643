// Package format reads and writes networks and routing tables.
//
//   - networks of InfiniBand's own tools: ibnetdiscover output, OpenSM's
//     opensm-subnet.lst;
//   - networks in other forms: our JSON and YAML, which keep everything; edge
//     lists, BookSim's anynet, DOT and GraphML, which keep what they can;
//   - BookSim's configuration files, for the network and the routing they name;
//   - forwarding tables: OpenSM's opensm-lfts.dump, dump_lfts, ibroute,
//     opensm.fdbs (ibdiagnet's .fdbs too);
//   - service levels of paths, and SL-to-VL tables, two forms of each.
//
// Files may be gzip. What a file holds is recognised by its content, never by
// its name.
//
// A first call:
//
//	n, notes, err := format.ReadNetwork("topology.ibnetdiscover", format.Options{})
//	t, notes, err := format.ReadTable("opensm-lfts.dump", n, format.Options{})
//
// Input is not trusted: a file that is cut off, contradicts itself or is not
// what it should be gives an *Error with file and line. Memory is bounded by
// what the file spells out, and for tables by two gigabytes. The package does not
// judge routing: a table with loops or holes reads without complaint.
package format
