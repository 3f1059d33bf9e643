// Package vlan reproduces the measurements of the VLAN Ethernet paper: bandwidth and loss with and
// without PAUSE, on a line of switches and on a ring of four.
//
// A host sends at most 820 Mbit/s, which the paper measures (1-SW-1). Frames have 1,470 bytes, as
// in Iperf, and a link carries 957 Mbit/s of them. The paper does not say where a switch drops
// frames if buffers are full. The package computes both readings.
package vlan
