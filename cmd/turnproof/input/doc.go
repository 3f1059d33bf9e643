// Package input reads what the commands work on: a network, its routing, and the files that belong
// to them. An Input holds both with the premises, doubts, notes and warnings of the verdict. The
// package also declares the flags that say where an input comes from, and the words that they take.
// What a word names is decided in synth/resolve.
package input
