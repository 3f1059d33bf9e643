// Package longtest says how much a test tries. The short run (make test) tries a part of the cases, the long run
// (make test-long) tries all of them.
package longtest

import (
	"os"
	"testing"
)

// Variable is the environment variable that selects the long run if it is not empty.
const Variable = "TURNPROOF_LONG"

// On reports whether this is the long run.
func On() bool { return os.Getenv(Variable) != "" }

// Only skips a test in the short run. covered says what the short run still checks.
func Only(t testing.TB, covered string) {
	t.Helper()
	if !On() {
		t.Skip(Variable + " is not set; " + covered)
	}
}

// Share returns n in the long run, and n/parts in the short run. Tests use it for numbers of random cases, and
// for the least numbers of cases of each kind that these must contain.
func Share[T ~int | ~int64 | ~uint64](n, parts T) T {
	if On() {
		return n
	}
	return n / parts
}
