// Package format is the door to files of networks and routings. Packages that read a format register it: infiniband, native, graph, booksim,
// floonoc, garnet, routes, vlans. Package all links all of them. A program that reads one kind of file imports only its package.
//
// Files may be compressed with gzip, bzip2, xz or zstd. The format of a file is recognised by its content, not by its name.
//
// A first call:
//
//	import _ "github.com/turnproof/turnproof/model/format/all"
//
//	n, notes, err := format.ReadNetwork("topology.ibnetdiscover", format.Options{})
//	r, notes, err := format.ReadRouting("opensm-lfts.dump", n, format.Options{})
//
// Input is not trusted: a file that is truncated, contradicts itself or has unexpected content gives a *textfile.Error with file and line.
// Memory grows with the size of the file, and tables take at most two gigabytes. The packages do not judge routing: they read a table with
// loops or missing entries without an error.
//
// Read first: network.go, routing.go, routed.go (files and folders that state their routing); options.go
// (options, and what the files of one fabric state); foreign.go (files that are known and not read).
package format
