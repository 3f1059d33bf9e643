// Package folder finds the files of an InfiniBand fabric in a folder, by their content: topology, forwarding tables, service levels, SL-to-VL
// tables and multicast tables.
package folder
