// Package levels reads and writes service levels of paths and SL-to-VL tables of InfiniBand, and gives them to a table. It states what it
// assumes if a file is missing.
//
// Read first: levels.go, then servicelevel.go, sl2vl.go.
package levels
