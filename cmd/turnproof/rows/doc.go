// Package rows makes the tables of turns, next hops and paths, and lists the formats in which they
// are written. The command table prints them; report and draw show them.
package rows
