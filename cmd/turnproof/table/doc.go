// Package table is the command table: allowed turns, next hops or paths, in many formats.
package table
