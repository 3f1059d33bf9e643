// Package table implements the command table. It writes allowed turns, next hops or paths in many
// formats.
package table
