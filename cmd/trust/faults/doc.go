// Package faults kills turnproof at random moments and at single system calls, fills its disk,
// starts it twice and sets its clock wrong.
//
// After each fault the tests run the same command again, without the fault, and compare what it
// wrote with a run that met no fault, byte for byte. Nothing may be lost, doubled or torn.
//
// All of it is TestFaults. The stage runs all cases, TURNPROOF_LONG=1 a few of each fault:
//
//	TURNPROOF_LONG=1 go test ./cmd/trust/faults -run TestFaults/full -v
//
// Read first: trial_test.go, then a file per kind of fault.
package faults

import "github.com/turnproof/turnproof/cmd/trust/stage"

// Stage runs TestFaults with all cases.
var Stage = stage.Stage{Name: "faults", Title: "Faults of the machine", Run: stage.Tests("cmd/trust/faults", "^TestFaults$")}
