// Package longtest says how much a test tries. The short run (make test) tries a part of the cases. The long run
// (make test-long) tries all kinds of cases, and of random cases ten times as many as the short run. The full run
// (TURNPROOF_LONG=full) tries all of them and takes many hours.
package longtest

import (
	"os"
	"testing"
)

// Variable is the environment variable that selects the long run if it is not empty, and the full run if it is Full.
const (
	Variable = "TURNPROOF_LONG"
	Full     = "full"
)

// On reports whether this is the long or the full run.
func On() bool { return os.Getenv(Variable) != "" }

// IsFull reports whether this is the full run.
func IsFull() bool { return os.Getenv(Variable) == Full }

// Only skips a test in the short run. covered says what the short run still checks.
func Only(t testing.TB, covered string) {
	t.Helper()
	if !On() {
		t.Skip(Variable + " is not set; " + covered)
	}
}

// OnlyFull skips a test in the short and in the long run. covered says what the long run still checks.
func OnlyFull(t testing.TB, covered string) {
	t.Helper()
	if !IsFull() {
		t.Skip(Variable + " is not " + Full + "; " + covered)
	}
}

// Cases returns the number of random cases of this run: few in the short run, all in the full run. The long run has
// ten times few, but at most all.
func Cases[T ~int | ~int64 | ~uint64](few, all T) T {
	switch {
	case IsFull():
		return all
	case On():
		return min(10*few, all)
	}
	return few
}

// Share returns Cases(n/parts, n). Tests use it for numbers of random cases, and for the least numbers of cases of
// each kind that these must contain.
func Share[T ~int | ~int64 | ~uint64](n, parts T) T { return Cases(n/parts, n) }
