// Package nfplus1 has the record of the North-First+1 paper: its drawings, its proof, and NF+1 beside dimension
// order (y first) on a 16x16 torus with 2 VCs and send buffers of 2.
//
// The paper gives no values for its curves, only words. It does not give the packet length, the kind of
// switching and the clocks per hop. The package varies these.
package nfplus1
