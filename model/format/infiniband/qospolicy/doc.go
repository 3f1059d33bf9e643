// Package qospolicy writes the service levels of paths as a QoS policy that OpenSM loads.
//
// A first call:
//
//	err := qospolicy.Write(w, table) // for opensm -Q -Y FILE
//
// It does not read policies.
package qospolicy
