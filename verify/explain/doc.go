// Package explain puts a verify.Report into words and pictures: why a claim has its verdict, which
// packets block each other, what the verdict rests on. It decides nothing.
//
// Read first: claims.go, packets.go, pictures.go.
package explain
