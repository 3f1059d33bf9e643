// Package exhaustive compares verdicts of package verify with all states of small networks (package states). It draws networks of
// 2 to 4 switches, routings, and any subset of the features: sizes, buffers by channel, flows, classes of messages, copies, flow
// control of rings, gates, switching and waiting.
//
// PROVED is wrong if a reachable state has stuck packets. REFUTED with a schedule is wrong if no reachable state has. What verify
// refuses is counted by its reason.
//
// Read first: draw.go, compare.go, tally.go.
package exhaustive
