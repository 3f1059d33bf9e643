//go:build z3 && cgo

// This file keeps Z3 at arm's length: contexts, solvers, limits, panics.
//
// Promise: no panic of go-z3 leaves the package, no question outlives its
// limit or its context by more than what Z3 needs to notice (it does not look
// while it propagates differences), and no setting is global, so questions may
// run side by side.
//
// go-z3 counts references by finalizers, which take the lock that a running
// check holds; terms are therefore made without it (variables.go), or the other
// finalizers of the program would wait while Z3 thinks. Memory of a dropped
// session returns only after the garbage collector has run twice.
// After an error the C++ side has been left by a long jump; the session is
// dropped with it, never used again.

package smt

/*
#cgo LDFLAGS: -lz3
#include <stdlib.h>
#include <z3.h>

// The address of a solver or context arrives as void*, because go-z3 keeps its
// C types to itself and every package has its own.
static void set_uint(void *ctx, void *solver, const char *key, unsigned value) {
	Z3_context c = (Z3_context)ctx;
	Z3_params p = Z3_mk_params(c);
	Z3_params_inc_ref(c, p);
	Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, key), value);
	Z3_solver_set_params(c, (Z3_solver)solver, p);
	Z3_params_dec_ref(c, p);
}
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/aclements/go-z3/z3"
)

// Available reports whether this build can ask Z3.
func Available() bool { return true }

// Version returns the version of the Z3 library, or "" without Z3.
func Version() string {
	var major, minor, build, revision C.uint
	C.Z3_get_version(&major, &minor, &build, &revision)
	return fmt.Sprintf("%d.%d.%d", major, minor, build)
}

// logic names one of Z3's arithmetic engines.
type logic uint

const (
	// difference is for constraints x - y <= k only (QF_IDL): Bellman-Ford on
	// the constraint graph instead of the simplex method. On a random acyclic
	// graph of 10,000 edges that is 0.1 s against more than 25 s (Z3 4.8.12).
	difference logic = 1
	// general leaves the choice to Z3.
	general logic = 0
)

// errTime is the cause of a context that ended because of Limit.Time.
var errTime = errors.New("time limit reached")

// interruptEvery is how often a running check is told again to stop: Z3
// forgets an interrupt that arrives just before the check begins.
const interruptEvery = 10 * time.Millisecond

// session is one Z3 context and solver, good for one question.
type session struct {
	ctx    context.Context // ends with the caller's context or with limit.Time
	stop   context.CancelFunc
	limit  Limit
	z3     *z3.Context
	solver *z3.Solver
	model  *z3.Model // once check has said sat

	answered bool // by sat, unsat or unknown, and not left by an error since
}

// open starts a session. The caller closes it, and calls open and everything
// after it inside guard.
func open(ctx context.Context, limit Limit, l logic) *session {
	s := &session{ctx: ctx, stop: func() {}, limit: limit}
	if limit.Time > 0 {
		s.ctx, s.stop = context.WithTimeoutCause(ctx, limit.Time, errTime)
	}
	s.z3 = z3.NewContext(nil)
	s.solver = z3.NewSolver(s.z3)
	if l != general {
		s.set("smt.arith.solver", uint(l))
	}
	if limit.Steps > 0 {
		s.set("rlimit", uint(limit.Steps))
	}
	s.solver.Push() // the incremental core: no rewriting of the whole formula first
	return s
}

// close releases the timer and what Z3 holds of the question. The rest of Z3's memory, some 20 MB,
// goes with the garbage collector, which does not see it: it is called for now and then.
func (s *session) close() {
	s.stop()
	if s.answered {
		s.solver.Reset()
	}
	makeRoom()
}

// makeRoom calls the garbage collector now and then.
func makeRoom() {
	if contexts.Add(1)%collectEvery == 0 {
		runtime.GC()
	}
}

// collectEvery is after how many contexts the garbage collector is called.
const collectEvery = 8

var contexts atomic.Int64

// set sets a parameter of this solver alone. go-z3 offers no way to, and a
// global parameter would reach every other session, so the addresses are read
// from go-z3's unexported fields (its version is pinned in go.mod; were the
// fields renamed, reflect would panic and every test of this package fail).
func (s *session) set(key string, value uint) {
	k := C.CString(key)
	defer C.free(unsafe.Pointer(k))
	C.set_uint(handle(s.z3), handle(s.solver), k, C.uint(value))
	runtime.KeepAlive(s)
}

// handle returns the C address that a go-z3 object wraps in its field c.
func handle(object any) unsafe.Pointer {
	return reflect.ValueOf(object).Elem().FieldByName("c").UnsafePointer()
}

// check runs the solver. Unknown comes with a reason; the error is that of the
// caller's context, if it has ended.
func (s *session) check() (Result, string, error) {
	if s.ctx.Err() != nil {
		return s.stopped()
	}
	if deadline, ok := s.ctx.Deadline(); ok {
		ms := time.Until(deadline).Milliseconds() + 1
		s.set("timeout", uint(min(max(ms, 1), math.MaxUint32-1))) // MaxUint32 is no limit
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() { s.interruptUntil(done) })
	sat, err := func() (bool, error) {
		defer watcher.Wait()
		defer close(done)
		return s.solver.Check()
	}()
	switch {
	case err != nil:
		s.answered = errors.As(err, new(*z3.ErrSatUnknown))
		return s.unknown(err)
	case !sat:
		s.answered = true
		return Unsat, "", nil
	}
	if err := guard(func() error { s.model = s.solver.Model(); return nil }); err == nil {
		s.answered = true
		return Sat, "", nil
	}
	return s.unknown(&z3.ErrSatUnknown{Reason: canceled}) // a limit came between the answer and its model
}

// canceled is Z3's reason where it was told to stop.
const canceled = "canceled"

// interruptUntil stops the running check once the context has ended.
func (s *session) interruptUntil(done <-chan struct{}) { interruptUntil(s.ctx, s.z3, done) }

// interruptUntil tells Z3 to stop, from the end of ctx on until done.
func interruptUntil(ctx context.Context, c *z3.Context, done <-chan struct{}) {
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	tick := time.NewTicker(interruptEvery)
	defer tick.Stop()
	for {
		c.Interrupt()
		select {
		case <-done:
			return
		case <-tick.C:
		}
	}
}

// unknown explains why Z3 gave up.
func (s *session) unknown(err error) (Result, string, error) {
	var gaveUp *z3.ErrSatUnknown
	if !errors.As(err, &gaveUp) {
		return Unknown, err.Error(), fmt.Errorf("smt: z3: %w", err)
	}
	if gaveUp.Reason == "timeout" || gaveUp.Reason == canceled {
		select { // Z3's clock is a moment ahead of ours; it words that in two ways
		case <-s.ctx.Done():
		case <-time.After(100 * time.Millisecond): // it was another limit
		}
	}
	switch {
	case s.ctx.Err() != nil:
		return s.stopped()
	case s.limit.Steps > 0: // the reason is then "unknown" or names resources
		return Unknown, fmt.Sprintf("z3: %s, with a limit of %d steps", gaveUp.Reason, s.limit.Steps), nil
	}
	return Unknown, "z3: " + gaveUp.Reason, nil
}

// stopped tells the limit, which is an answer, from the end of the caller's own
// context, which is an error.
func (s *session) stopped() (Result, string, error) {
	if context.Cause(s.ctx) == errTime {
		return Unknown, fmt.Sprintf("time limit of %v reached", s.limit.Time), nil
	}
	return Unknown, s.ctx.Err().Error(), fmt.Errorf("smt: %w", s.ctx.Err())
}

// guard runs f and turns what go-z3 panics with, always a string, into an
// error. Every other panic is a fault of ours and goes on.
func guard(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case string:
			err = fmt.Errorf("smt: z3: %s", p)
		default:
			panic(p)
		}
	}()
	return f()
}
