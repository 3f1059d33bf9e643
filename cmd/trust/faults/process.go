//go:build unix

package faults

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// This file runs the program and strikes it.

// result is how a run ended.
type result struct {
	out, err []byte
	code     int            // -1: by a signal
	signal   syscall.Signal // that one
	struck   bool           // it was at work when it was struck
	took     time.Duration
}

// String words a result for people.
func (r *result) String() string {
	if r.code < 0 {
		return fmt.Sprintf("ended by %s, %.300q", r.signal, r.err)
	}
	return fmt.Sprintf("status %d, %.300q", r.code, r.err)
}

// patience bounds a run; none here takes a minute on a quiet machine.
const patience = 5 * time.Minute

// run runs turnproof in a folder; strike is given the process while it works, and reports
// whether it did something to it. The process leads a group of its own.
func (t *trial) run(dir string, strike func(pid int, done <-chan struct{}) bool, args ...string) *result {
	return t.command(dir, strike, append([]string{t.bin}, args...)...)
}

// command is run for any command.
func (t *trial) command(dir string, strike func(pid int, done <-chan struct{}) bool, line ...string) *result {
	cmd := exec.CommandContext(t.ctx, line[0], line[1:]...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, t.env, &out, &errs
	return t.finish(cmd, strike, &out, &errs)
}

// finish starts a command and waits for its end.
func (t *trial) finish(cmd *exec.Cmd, strike func(pid int, done <-chan struct{}) bool, out, errs *bytes.Buffer) *result {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return &result{code: -2, err: []byte(err.Error())}
	}
	late := time.AfterFunc(patience, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	done, struck := make(chan struct{}), make(chan bool, 1)
	if strike == nil {
		struck <- false
	} else {
		go func() { struck <- strike(cmd.Process.Pid, done) }()
	}
	err := cmd.Wait()
	close(done)
	late.Stop()
	r := &result{out: out.Bytes(), err: errs.Bytes(), took: time.Since(begun), struck: <-struck}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if r.code = exit.ExitCode(); r.code < 0 {
			r.signal = exit.Sys().(syscall.WaitStatus).Signal()
		}
	} else if err != nil {
		r.code, r.err = -2, []byte(err.Error())
	}
	return r
}

// blow is a way to end a process.
type blow struct {
	name   string
	signal syscall.Signal
	group  bool // all processes of the group
	times  int
}

var blows = []blow{
	{"kill -9", syscall.SIGKILL, false, 1},
	{"kill -9 of the process group", syscall.SIGKILL, true, 1},
	{"SIGTERM", syscall.SIGTERM, false, 1},
	{"SIGINT", syscall.SIGINT, false, 1},
	{"SIGINT twice", syscall.SIGINT, false, 2},
	{"SIGHUP", syscall.SIGHUP, false, 1},
}

// after strikes after a time.
func (b blow) after(d time.Duration) func(int, <-chan struct{}) bool {
	return func(pid int, done <-chan struct{}) bool {
		select {
		case <-done:
			return false
		case <-time.After(d):
		}
		return b.strike(pid)
	}
}

// when strikes a while after something is so, which is looked at all the time.
func (b blow) when(so func() bool, d time.Duration) func(int, <-chan struct{}) bool {
	return func(pid int, done <-chan struct{}) bool {
		for !so() {
			select {
			case <-done:
				return false
			default:
				time.Sleep(20 * time.Microsecond)
			}
		}
		time.Sleep(d)
		return b.strike(pid)
	}
}

// strike reports whether the process was there. It is not waited for yet, so the number is
// nobody else's.
func (b blow) strike(pid int) (there bool) {
	if b.group {
		pid = -pid
	}
	for range b.times {
		there = syscall.Kill(pid, b.signal) == nil || there
		time.Sleep(time.Millisecond * time.Duration(b.times-1))
	}
	return there
}

// ended reports what is wrong with how a struck run ended: by the signal itself, interrupted
// with a word, or as if nothing had been, with one of the statuses of the command.
func (b blow) ended(r *result, fine ...int) string {
	switch {
	case r.code < 0 && (r.signal == b.signal || r.signal == syscall.SIGKILL && r.struck && b.signal == syscall.SIGKILL):
		return clean(r)
	case r.code == 130 && b.signal == syscall.SIGINT && string(r.err) == "turnproof: interrupted\n":
		return ""
	}
	for _, code := range fine {
		if r.code == code {
			return clean(r)
		}
	}
	return r.String()
}

// clean reports a panic.
func clean(r *result) string {
	if bytes.Contains(r.err, []byte("goroutine ")) || bytes.Contains(r.err, []byte("panic:")) {
		return r.String()
	}
	return ""
}

// refused reports what is wrong with a run that had to end with status 2 and one line that
// has one of these words.
func (r *result) refused(words ...string) string {
	line, rest, _ := strings.Cut(string(r.err), "\n")
	if r.code == 2 && rest == "" && strings.HasPrefix(line, "turnproof: ") {
		for _, w := range words {
			if strings.Contains(line, w) {
				return ""
			}
		}
	}
	return fmt.Sprintf("%s; status 2 and a line with %q were expected", r, words)
}
