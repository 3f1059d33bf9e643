// Package dumps reads what switches of an Ethernet fabric print: routes, addresses and neighbours, each file in the form of its vendor.
//
// Terms: a dump is one file of one switch. A table is the routes of one dump. A set is the next hops of a route; routes with equal
// next hops share one.
//
// Find returns the kind of a file by its first kilobytes. Its Read adds the content of the file to a Switch.
//
// The package knows nothing about other switches: package ethernet joins the switches of a folder.
//
// Read first: switch.go has the types, kinds.go the table of kinds, then one file per program that prints them.
package dumps
