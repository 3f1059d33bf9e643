// Package control models the control planes that compute the routes of Ethernet fabrics: BGP with AS numbers, OSPF, and shortest paths that
// go up and then down. It knows switches and neighbours only, no files.
//
// The models are those of FRR 8.4 with one session for each cable, and are compared with it on random fabrics (package frr).
//
// Read first: control.go, bgp.go.
package control
