// Package sim implements the command sim. It runs one simulation of flits, or of Ethernet frames.
package sim
