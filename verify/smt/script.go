//go:build z3 && cgo

// This file talks with Z3 in SMT-LIB 2, the text that any other solver reads, too.
//
// Promise: an Ask leaves no assertion behind. An answer that is neither sat nor unsat
// is Unknown, with Z3's reason.
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

// Script is a conversation with Z3. It is not safe for concurrent use; conversations
// do not disturb each other.
type Script struct {
	z3     *z3.Context
	broken error // after an error nothing more is asked
}

// NewScript begins a conversation.
func NewScript() (*Script, error) {
	makeRoom()
	s := &Script{}
	err := guard(func() error {
		s.z3 = z3.NewContext(nil)
		return nil
	})
	return s, err
}

// Tell hands over declarations, definitions and assertions.
func (s *Script) Tell(text string) error {
	answer, err := s.eval(text)
	if err == nil && answer != "" {
		err = fmt.Errorf("smt: z3 answers %q", answer)
		s.broken = err
	}
	return err
}

// Ask asks whether there is a solution if text, assertions, is added, and with Sat
// gives the values of the terms named. Text and values are forgotten again.
func (s *Script) Ask(ctx context.Context, text string, terms []string, limit Limit) (Result, []int64, string, error) {
	if err := ctx.Err(); err != nil {
		return Unknown, nil, err.Error(), fmt.Errorf("smt: %w", err)
	}
	if _, err := s.eval("(push 1)" + text); err != nil {
		return Unknown, nil, "", err
	}
	if set := limit.options(); set != "" { // of the check alone: other commands fail where it is reached
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
			case s.lostModel(err): // a limit came between the answer and its model
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
		return Unknown, nil, err.Error(), fmt.Errorf("smt: %w", err)
	}
	return result, values, reason, nil
}

const noLimit = "(set-option :timeout 4294967295)(set-option :rlimit 0)"

// options sets a limit.
func (l Limit) options() (text string) {
	if l.Time > 0 {
		text = fmt.Sprintf("(set-option :timeout %d)", max(l.Time.Milliseconds(), 1))
	}
	if l.Steps > 0 {
		text += fmt.Sprintf("(set-option :rlimit %d)", l.Steps)
	}
	return text
}

// evalUntil is eval, interrupted when ctx ends.
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
		err = fmt.Errorf("smt: z3: %s", answer)
	}
	s.broken = err
	return answer, err
}

// lostModel reports whether err says that there is no model after all, and goes on as if Z3 had
// said unknown.
func (s *Script) lostModel(err error) bool {
	if err == nil || !strings.Contains(err.Error(), "model is not available") {
		return false
	}
	s.broken = nil
	return true
}

// values reads ((term value) ...).
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
			if depth--; depth == 1 { // the word before ends a pair's value
				j, sign := i-1, int64(1)
				if words[j] == ")" { // (- 5)
					j, sign = j-1, -1
				}
				k, err := strconv.ParseInt(words[j], 10, 64)
				if err != nil {
					return nil, fmt.Errorf("smt: z3 gives the value %q", words[j])
				}
				list = append(list, sign*k)
			}
		}
	}
	if len(list) != len(terms) {
		return nil, fmt.Errorf("smt: z3 gives %d values for %d terms", len(list), len(terms))
	}
	return list, nil
}
