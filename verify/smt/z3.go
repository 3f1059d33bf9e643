//go:build z3 && cgo

// This file handles Z3's contexts, solvers, limits and panics.
//
// Promise: no panic of go-z3 leaves the package. A question ends soon after its limit or
// its context; Z3 does not check while it propagates differences. No setting is global, so
// questions may run concurrently.
//
// go-z3 counts references by finalizers, which take the lock that a running check holds.
// Terms are therefore created without go-z3 (variables.go). Otherwise the other finalizers of
// the program would wait for Z3. The memory of a closed session is released after the
// garbage collector has run twice.
// After an error the C++ code was left by a long jump, so its session is never used again.

package smt

/*
#cgo LDFLAGS: -lz3
#include <stdlib.h>
#include <z3.h>

// A solver or context arrives as void*, because the C types of go-z3 are unexported and
// every package has its own.
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

// logic selects one of Z3's arithmetic engines.
type logic uint

const (
	// difference is for constraints x - y <= k only (QF_IDL): Bellman-Ford on the constraint
	// graph instead of the simplex method. A random acyclic graph of 10,000 edges takes 0.1 s
	// instead of more than 25 s (Z3 4.8.12).
	difference logic = 1
	// general lets Z3 choose.
	general logic = 0
)

// errTime is the cause of a context that ended because of Limit.Time.
var errTime = errors.New("time limit reached")

// interruptEvery is the interval between interrupts. Z3 ignores an interrupt that
// arrives just before the check starts.
const interruptEvery = 10 * time.Millisecond

// session is one Z3 context and solver for one question.
type session struct {
	ctx    context.Context // ends with the caller's context or with limit.Time
	stop   context.CancelFunc
	limit  Limit
	z3     *z3.Context
	solver *z3.Solver
	model  *z3.Model // set after sat

	answered bool // check returned sat, unsat or unknown without an error
}

// open starts a session. The caller must close it, and must call open and everything after it within
// guard.
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
	s.solver.Push() // selects the incremental core, which does not rewrite the whole formula first
	return s
}

// close stops the timer and releases Z3's memory of the question. The garbage collector must release the
// other 20 MB of Z3, which it does not see, so close calls it regularly.
func (s *session) close() {
	s.stop()
	if s.answered {
		s.solver.Reset()
	}
	makeRoom()
}

// makeRoom calls the garbage collector after every collectEvery contexts.
func makeRoom() {
	if contexts.Add(1)%collectEvery == 0 {
		runtime.GC()
	}
}

// collectEvery is the number of contexts between two calls of the garbage collector.
const collectEvery = 8

var contexts atomic.Int64

// set sets a parameter of this solver only. go-z3 cannot do this, and a global parameter would
// affect other sessions. So the addresses come from go-z3's unexported fields. Its version is
// pinned in go.mod; if the fields were renamed, every test of this package would fail.
func (s *session) set(key string, value uint) {
	k := C.CString(key)
	defer C.free(unsafe.Pointer(k))
	C.set_uint(handle(s.z3), handle(s.solver), k, C.uint(value))
	runtime.KeepAlive(s)
}

// handle returns the C address in the field c of a go-z3 object.
func handle(object any) unsafe.Pointer {
	return reflect.ValueOf(object).Elem().FieldByName("c").UnsafePointer()
}

// check runs the solver. With Unknown it returns a reason. It fails if the caller's context
// has ended.
func (s *session) check() (Result, string, error) {
	if s.ctx.Err() != nil {
		return s.stopped()
	}
	if deadline, ok := s.ctx.Deadline(); ok {
		ms := time.Until(deadline).Milliseconds() + 1
		s.set("timeout", uint(min(max(ms, 1), math.MaxUint32-1))) // MaxUint32 means no limit
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
	return s.unknown(&z3.ErrSatUnknown{Reason: canceled}) // the limit was reached between the answer and its model
}

// canceled is Z3's reason after an interrupt.
const canceled = "canceled"

// interruptUntil interrupts the running check once the context has ended.
func (s *session) interruptUntil(done <-chan struct{}) { interruptUntil(s.ctx, s.z3, done) }

// interruptUntil interrupts Z3 repeatedly after ctx has ended, until done is closed.
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

// unknown returns the reason why Z3 gave up.
func (s *session) unknown(err error) (Result, string, error) {
	var gaveUp *z3.ErrSatUnknown
	if !errors.As(err, &gaveUp) {
		return Unknown, err.Error(), fmt.Errorf("Z3 failed: %w", err)
	}
	if gaveUp.Reason == "timeout" || gaveUp.Reason == canceled {
		select { // Z3's timer may end shortly before the context, with either reason
		case <-s.ctx.Done():
		case <-time.After(100 * time.Millisecond): // the context has not ended: another limit ended the call
		}
	}
	switch {
	case s.ctx.Err() != nil:
		return s.stopped()
	case s.limit.Steps > 0: // the reason is "unknown" or names resources
		return Unknown, fmt.Sprintf("z3: %s, with a limit of %d steps", gaveUp.Reason, s.limit.Steps), nil
	}
	return Unknown, "z3: " + gaveUp.Reason, nil
}

// stopped returns an answer if Limit.Time ended the context, and otherwise the error of the
// caller's context.
func (s *session) stopped() (Result, string, error) {
	if context.Cause(s.ctx) == errTime {
		return Unknown, fmt.Sprintf("time limit of %v reached", s.limit.Time), nil
	}
	return Unknown, s.ctx.Err().Error(), fmt.Errorf("Z3 was stopped: %w", s.ctx.Err())
}

// guard runs f and converts a panic of go-z3, always a string, into an error. It does not
// recover from other panics.
func guard(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case string:
			err = fmt.Errorf("Z3 failed: %s", p)
		default:
			panic(p)
		}
	}()
	return f()
}
