// Package sample is read by lint, which must report each line marked BAD.
package sample

// Grow lets the tree grow anew. BAD
//
// The phrase "so
// many" ends on the next line: BAD in the line before.
func Grow() string {
	_ = "limit (nil: none) BAD"
	_ = `the shortest way BAD`
	anew := "identifiers are not checked; a way to sort is good; untold is another word"
	return anew // whoever calls: BAD
}

// "NF1" stands for negative first; a queue stands still: BAD.
var Long = "01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
