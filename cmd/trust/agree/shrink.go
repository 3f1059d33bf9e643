package agree

import (
	"flag"
	"runtime"
	"strconv"
	"sync"

	"pgregory.net/rapid"
)

// This file has rapid make a case smaller that judges disagree about.

// shrinking is held while the flags of rapid are changed.
var shrinking sync.Mutex

// shrink returns the smallest case found for which wrong holds, from the case of a seed of rapid;
// nil if wrong does not hold for that one.
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

// quiet is a test that says nothing.
type quiet struct{ failed bool }

func (q *quiet) Helper()               {}
func (q *quiet) Name() string          { return "agree-shrink" }
func (q *quiet) Logf(string, ...any)   {}
func (q *quiet) Log(...any)            {}
func (q *quiet) Skipf(string, ...any)  {}
func (q *quiet) Skip(...any)           {}
func (q *quiet) SkipNow()              {}
func (q *quiet) Errorf(string, ...any) { q.failed = true }
func (q *quiet) Error(...any)          { q.failed = true }
func (q *quiet) Fatalf(string, ...any) { q.FailNow() }
func (q *quiet) Fatal(...any)          { q.FailNow() }
func (q *quiet) Fail()                 { q.failed = true }
func (q *quiet) Failed() bool          { return q.failed }

func (q *quiet) FailNow() {
	q.failed = true
	runtime.Goexit()
}
