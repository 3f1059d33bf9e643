// Package priorities implements the command priorities. It finds the fewest lossless priorities that free an Ethernet fabric of deadlock, and
// configures the switches.
package priorities
