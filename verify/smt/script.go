//go:build z3 && cgo

// This file sends Z3 text in SMT-LIB 2, which other solvers read as well.
//
// Promise: Ask leaves no assertions. An answer that is neither sat nor unsat is Unknown, with
// Z3's reason.
// Cost: about 0.1 ms for a small question (Z3 4.8.12).

package smt

/*
#include <stdlib.h>
#include <z3.h>

static const char *eval(void *ctx, const char *text) {
	return Z3_eval_smtlib2_string((Z3_context)ctx, text);
}
*/
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/aclements/go-z3/z3"
)

// Script is a Z3 solver that reads SMT-LIB 2. It is not safe for concurrent use. Different
// Scripts are independent.
type Script struct {
	z3     *z3.Context
	broken error // after an error every call returns it
}

// NewScript returns a Script without assertions.
func NewScript() (*Script, error) {
	makeRoom()
	s := &Script{}
	err := guard(func() error {
		s.z3 = z3.NewContext(nil)
		return nil
	})
	return s, err
}

// Tell adds declarations, definitions and assertions. It fails if Z3 does.
func (s *Script) Tell(text string) error {
	answer, err := s.eval(text)
	if err == nil && answer != "" {
		err = fmt.Errorf("Z3 failed: %q", answer)
		s.broken = err
	}
	return err
}

// Ask asks whether the assertions have a solution together with those in text. If Sat, it
// returns the values of terms. If a limit is reached, the result is Unknown with a reason. If ctx ends,
// it fails. It removes the assertions in text again.
func (s *Script) Ask(ctx context.Context, text string, terms []string, limit Limit) (Result, []int64, string, error) {
	if err := ctx.Err(); err != nil {
		return Unknown, nil, err.Error(), fmt.Errorf("Z3 was stopped: %w", err)
	}
	if _, err := s.eval("(push 1)" + text); err != nil {
		return Unknown, nil, "", err
	}
	if set := limit.options(); set != "" { // for the check only: other commands fail when the limit is reached
		if _, err := s.eval(set); err != nil {
			return Unknown, nil, "", err
		}
	}
	answer, err := s.evalUntil(ctx, "(check-sat)")
	if err != nil {
		return Unknown, nil, "", err
	}
	if limit != (Limit{}) {
		if _, err := s.eval(noLimit); err != nil {
			return Unknown, nil, "", err
		}
	}
	result, reason, values := Unknown, "z3: "+answer, []int64(nil)
	switch answer {
	case "unsat":
		result, reason = Unsat, ""
	case "sat":
		result, reason = Sat, ""
		if len(terms) > 0 {
			values, err = s.values(terms)
			switch {
			case s.lostModel(err): // the limit was reached between the answer and its model
				result, reason = Unknown, "z3: "+canceled
			case err != nil:
				return Unknown, nil, "", err
			}
		}
	default:
		if why, err := s.eval("(get-info :reason-unknown)"); err == nil {
			reason = "z3: " + strings.TrimSuffix(strings.TrimPrefix(why, "(:reason-unknown \""), "\")")
		}
	}
	if _, err := s.eval("(pop 1)"); err != nil {
		return Unknown, nil, "", err
	}
	if err := ctx.Err(); err != nil && result == Unknown {
		return Unknown, nil, err.Error(), fmt.Errorf("Z3 was stopped: %w", err)
	}
	return result, values, reason, nil
}

const noLimit = "(set-option :timeout 4294967295)(set-option :rlimit 0)"

// options returns the commands that set the limit.
func (l Limit) options() (text string) {
	if l.Time > 0 {
		text = fmt.Sprintf("(set-option :timeout %d)", max(l.Time.Milliseconds(), 1))
	}
	if l.Steps > 0 {
		text += fmt.Sprintf("(set-option :rlimit %d)", l.Steps)
	}
	return text
}

// evalUntil calls eval, and interrupts it when ctx ends.
func (s *Script) evalUntil(ctx context.Context, text string) (string, error) {
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() { interruptUntil(ctx, s.z3, done) })
	defer watcher.Wait()
	defer close(done)
	return s.eval(text)
}

func (s *Script) eval(text string) (answer string, err error) {
	if s.broken != nil {
		return "", s.broken
	}
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	err = guard(func() error {
		answer = strings.TrimSpace(C.GoString(C.eval(handle(s.z3), c)))
		return nil
	})
	runtime.KeepAlive(s)
	if err == nil && strings.Contains(answer, "(error") {
		err = fmt.Errorf("Z3 failed: %s", answer)
	}
	s.broken = err
	return answer, err
}

// lostModel reports whether err says that Z3 has no model. The Script can be used again then.
func (s *Script) lostModel(err error) bool {
	if err == nil || !strings.Contains(err.Error(), "model is not available") {
		return false
	}
	s.broken = nil
	return true
}

// values returns the values of terms. Z3 prints ((term value) ...).
func (s *Script) values(terms []string) ([]int64, error) {
	answer, err := s.eval("(get-value (" + strings.Join(terms, " ") + "))")
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(answer))
	var list []int64
	for i, depth := 0, 0; i < len(words); i++ {
		switch words[i] {
		case "(":
			depth++
		case ")":
			if depth--; depth == 1 { // the previous word ends the value of a pair
				j, sign := i-1, int64(1)
				if words[j] == ")" { // (- 5)
					j, sign = j-1, -1
				}
				k, err := strconv.ParseInt(words[j], 10, 64)
				if err != nil {
					return nil, fmt.Errorf("cannot read the value %q of Z3: want an integer", words[j])
				}
				list = append(list, sign*k)
			}
		}
	}
	if len(list) != len(terms) {
		return nil, fmt.Errorf("cannot read the values of Z3: want %[2]d, got %[1]d", len(list), len(terms))
	}
	return list, nil
}
