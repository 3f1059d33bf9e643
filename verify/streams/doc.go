// Package streams decides whether a finite list of packets that hold resources can hang: by a search
// over all orders in which resources are given to packets.
//
// Check returns the verdict on a problem of package model/streams, with a schedule that hangs or the number of states.
//
// Words: a choice is the decision who gets a resource or counter that several ask for. A state is
// settled when nothing can happen in it but choices. A schedule is the list of choices of a run.
//
// The package does not time anything: a run that only good timing avoids is a run.
//
// Read first: check.go, then machine.go, settle.go, choices.go, outlook.go; waits.go.
package streams
