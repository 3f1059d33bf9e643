// Package input declares the flags that name a network and a routing and state premises. It turns
// them into a request for synth/resolve, which reads the input.
//
// Read first: flags.go, input.go.
package input
