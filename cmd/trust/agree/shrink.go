package agree

import (
	"flag"
	"runtime"
	"strconv"
	"sync"

	"pgregory.net/rapid"
)

// This file makes a case with a disagreement smaller, with rapid.

// shrinking is locked while the flags of rapid are changed.
var shrinking sync.Mutex

// shrink returns the smallest case found for which wrong returns true. It starts from the case of a
// seed of rapid, and returns nil if wrong returns false for that case.
func shrink(seed int, wrong func(*Case) bool) (least *Case) {
	shrinking.Lock()
	defer shrinking.Unlock()
	for name, value := range map[string]string{"rapid.seed": strconv.Itoa(seed), "rapid.checks": "1", "rapid.nofailfile": "true"} {
		f := flag.Lookup(name)
		old := f.Value.String()
		defer func() { _ = f.Value.Set(old) }()
		if err := f.Value.Set(value); err != nil {
			panic(err)
		}
	}
	done := make(chan struct{})
	go func() { // rapid ends the goroutine of a test that fails
		defer close(done)
		rapid.Check(&quiet{}, func(t *rapid.T) {
			if c := cases.Draw(t, "case"); wrong(c) {
				least = c // rapid judges the smallest case last
				t.Fatal("wrong")
			}
		})
	}()
	<-done
	return least
}

// quiet is a test without output. rapid calls no other methods of the interface.
type quiet struct {
	rapid.TB
	failed bool
}

func (q *quiet) Helper()               {}
func (q *quiet) Name() string          { return "agree-shrink" }
func (q *quiet) Logf(string, ...any)   {}
func (q *quiet) Errorf(string, ...any) { q.failed = true }
func (q *quiet) Fatalf(string, ...any) { q.FailNow() }
func (q *quiet) Failed() bool          { return q.failed }

func (q *quiet) FailNow() {
	q.failed = true
	runtime.Goexit()
}
