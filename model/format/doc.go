// Package format reads and writes networks and routing tables.
//
//   - networks in the formats of InfiniBand tools: ibnetdiscover output, OpenSM's
//     opensm-subnet.lst;
//   - networks in other formats: our JSON and YAML, which keep everything of a model.Network; edge
//     lists, BookSim's anynet, DOT and GraphML, which keep a part;
//   - BookSim's configuration files: the network and the routing that they select;
//   - forwarding tables: OpenSM's opensm-lfts.dump, dump_lfts, ibroute,
//     opensm.fdbs (and ibdiagnet's .fdbs);
//   - service levels of paths, and SL-to-VL tables, in two formats each.
//
// Files may be compressed with gzip. The format of a file is recognised by its content, not by its
// name.
//
// A first call:
//
//	n, notes, err := format.ReadNetwork("topology.ibnetdiscover", format.Options{})
//	t, notes, err := format.ReadTable("opensm-lfts.dump", n, format.Options{})
//
// Input is not trusted: a file that is truncated, contradicts itself or has unexpected content
// gives an *Error with file and line. Memory grows with the size of the file, and tables take at
// most two gigabytes. The package does not judge routing: it reads a table with loops or missing
// entries without an error.
package format
