// Package flowlimiting reproduces the flow limiting paper: throttling and gating on the 32x32
// torus.
//
// The text of the paper has no values of its figures. The claims quote its statements about them.
package flowlimiting
