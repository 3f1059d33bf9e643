// Package format reads and writes networks and routing tables.
//
//   - networks of InfiniBand's own tools: ibnetdiscover output, OpenSM's
//     opensm-subnet.lst;
//   - networks in other forms: our JSON and YAML, which keep everything of a model.Network; edge
//     lists, BookSim's anynet, DOT and GraphML, which keep a part;
//   - BookSim's configuration files, for the network and the routing they name;
//   - forwarding tables: OpenSM's opensm-lfts.dump, dump_lfts, ibroute,
//     opensm.fdbs (and ibdiagnet's .fdbs);
//   - service levels of paths, and SL-to-VL tables, two forms of each.
//
// Files may be packed by gzip. The format of a file is recognised by its content,
// not by its name.
//
// A first call:
//
//	n, notes, err := format.ReadNetwork("topology.ibnetdiscover", format.Options{})
//	t, notes, err := format.ReadTable("opensm-lfts.dump", n, format.Options{})
//
// Input is not trusted: a file that is cut off, contradicts itself or has another
// content than it should gives an *Error with file and line. Memory grows with the
// size of the file, and tables take at most two gigabytes. The package does not
// judge routing: it reads a table with loops or holes without an error.
package format
