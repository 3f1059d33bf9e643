//go:build unix

package faults

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// This file runs a program and sends it signals.

// result is how a run ended.
type result struct {
	out, err []byte
	code     int            // -1 if a signal ended it
	signal   syscall.Signal // that signal
	struck   bool           // the fault met it at work
	took     time.Duration
}

// String returns the end of a run for people.
func (r *result) String() string {
	if r.code < 0 {
		return fmt.Sprintf("ended by %s, %.300q", r.signal, r.err)
	}
	return fmt.Sprintf("status %d, %.300q", r.code, r.err)
}

// striker does something to a process, and reports whether the process was at work. It must
// return when done is closed.
type striker func(pid int, done <-chan struct{}) bool

// longest is the time after which a run is killed. No run takes a minute on a quiet machine.
const longest = 5 * time.Minute

// run runs turnproof in a place.
func (x *trial) run(p *place, strike striker, args ...string) *result {
	return x.command(p, strike, append([]string{x.bin}, args...)...)
}

// command runs a command line in a place.
func (x *trial) command(p *place, strike striker, line ...string) *result {
	line = append(slices.Clone(p.prefix), line...)
	cmd := exec.CommandContext(x.Context(), line[0], line[1:]...)
	if len(p.prefix) == 0 || p.prefix[0] != nsenter {
		cmd.Dir = p.dir
	}
	return x.start(cmd, strike)
}

// start runs a command in a process group of its own and waits for its end.
func (x *trial) start(cmd *exec.Cmd, strike striker) *result {
	var out, errs bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	cmd.Env, cmd.Stderr, cmd.SysProcAttr = x.env, &errs, &syscall.SysProcAttr{Setpgid: true}
	begun := time.Now()
	x.must(cmd.Start())
	late := time.AfterFunc(longest, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
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
		return r
	}
	x.must(err)
	return r
}

// until waits until is returns true, and returns false if the process ends first.
func until(done <-chan struct{}, is func() bool) bool {
	for !is() {
		select {
		case <-done:
			return false
		case <-time.After(20 * time.Microsecond):
		}
	}
	return true
}

// blow is a way to end a process.
type blow struct {
	name   string
	signal syscall.Signal
	group  bool // sent to all processes of the group
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
func (b blow) after(d time.Duration) striker {
	return func(pid int, done <-chan struct{}) bool {
		select {
		case <-done:
			return false
		case <-time.After(d):
		}
		return b.strike(pid)
	}
}

// when strikes some time after is has become true.
func (b blow) when(is func() bool, d time.Duration) striker {
	return func(pid int, done <-chan struct{}) bool {
		if !until(done, is) {
			return false
		}
		time.Sleep(d)
		return b.strike(pid)
	}
}

// strike reports whether the process was there. The process has not been waited for, so that no
// other process has its number.
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

// ended returns what is wrong with the end of a struck run, or "". It may end by the signal, by the
// message about an interrupt, or with one of the statuses.
func (b blow) ended(r *result, statuses ...int) string {
	switch {
	case bytes.Contains(r.err, []byte("goroutine ")) || bytes.Contains(r.err, []byte("panic:")):
	case r.code < 0 && r.signal == b.signal, slices.Contains(statuses, r.code):
		return ""
	case r.code == 130 && b.signal == syscall.SIGINT && string(r.err) == "turnproof: interrupted\n":
		return ""
	}
	return r.String()
}

// refused returns what is wrong with a run, or "". The run must end with status 2 and one line that
// has one of the words.
func (r *result) refused(words ...string) string {
	line, rest, _ := strings.Cut(string(r.err), "\n")
	has := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(line, w) })
	if r.code == 2 && rest == "" && strings.HasPrefix(line, "turnproof: ") && has {
		return ""
	}
	return fmt.Sprintf("%s; want status 2 and a line with %q", r, words)
}
