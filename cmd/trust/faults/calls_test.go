//go:build unix

package faults

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This file lets single system calls kill a command or fail, with strace.

const straceFile = "strace.log"

// calls are the system calls that change names on the disk. The library files are in memory, so
// that all of these calls are those of turnproof.
var calls = []string{"fsync", "renameat", "unlinkat", "mkdirat"}

// systemCalls kills each writer at each of these calls, and lets each call fail.
func (x *trial) systemCalls() {
	strace := x.needs("system calls", "strace")
	for _, v := range x.writers() {
		for _, fault := range []string{"signal=KILL", "error=ENOSPC", "error=EIO"} {
			for _, call := range calls {
				when, left := 0, false // left: there are fewer calls
				x.try(call+" "+fault, v.name(), 0.05, func(x *trial) bool {
					if left {
						return false
					}
					when++
					left = !x.atCall(v, strace, call, fault, when)
					return !left
				})
			}
		}
	}
}

// atCall runs a writer whose call number when fails or is its last. It reports whether the run
// failed; a run succeeds if there is no such call, or if the call may fail.
func (x *trial) atCall(v victim, strace, call, fault string, when int) bool {
	p := x.place()
	v.ready(x, p)
	traced := p.within(strace, "-f", "-qq", "-o", straceFile, "-e", "trace="+call, "-e", fmt.Sprintf("inject=%s:%s:when=%d", call, fault, when))
	r := x.run(traced, nil, v.line(x)...)
	killed := fault == "signal=KILL"
	v.judge(x, p, killed || call != "fsync")
	if r.code == 0 {
		return false
	}
	if !killed {
		x.ask(fmt.Sprintf("%s number %d", call, when), r.refused("no space left", "input/output error"))
	}
	v.finish(x, p)
	return true
}

// order checks that each file is forced to the disk before it gets its name, so that a loss of
// power leaves the old or the complete file.
func (x *trial) order() {
	strace := x.needs("order of writing", "strace")
	for _, v := range x.writers() {
		x.try("forced to the disk before it is renamed", v.name(), 0, func(x *trial) bool {
			p := x.place()
			r := x.run(p.within(strace, "-f", "-qq", "-s", "4096", "-o", straceFile, "-e", "trace=openat,write,fsync,renameat,renameat2,close"), nil, v.line(x)...)
			if r.code != 0 {
				x.wrong("%s", r)
			}
			renamed, unforced := follow(x.whole(p.path(straceFile)))
			if len(renamed) == 0 || len(unforced) > 0 {
				x.wrong("%d files are renamed, before they are forced to the disk: %q", len(renamed), unforced)
			}
			return true
		})
	}
}

var (
	openCall   = regexp.MustCompile(`^openat\([^"]*"([^"]*\.turnproof-[0-9a-f-]+)", O_.* = (\d+)`)
	renameCall = regexp.MustCompile(`^renameat2?\([^"]*"([^"]*\.turnproof-[0-9a-f-]+)", .* = 0`)
	fileCall   = regexp.MustCompile(`^(write|fsync|close)\((\d+)`)
)

// follow reads a trace. It returns the temporary files that are renamed, and those of them that are
// not forced to the disk after the last write.
func follow(trace []byte) (renamed, unforced []string) {
	names, forced := map[string]string{}, map[string]bool{} // names by number of the open file
	for _, line := range completed(trace) {
		if m := renameCall.FindStringSubmatch(line); m != nil {
			renamed = append(renamed, m[1])
			if !forced[m[1]] {
				unforced = append(unforced, m[1])
			}
		}
		if m := openCall.FindStringSubmatch(line); m != nil {
			names[m[2]] = m[1]
		}
		m := fileCall.FindStringSubmatch(line)
		if m == nil || names[m[2]] == "" {
			continue
		}
		if m[1] == "close" {
			delete(names, m[2])
		} else {
			forced[names[m[2]]] = m[1] == "fsync"
		}
	}
	return renamed, unforced
}

// completed returns the calls of a trace in the order of their ends. strace splits a call into two
// lines if another thread makes a call meanwhile.
func completed(trace []byte) (list []string) {
	begun := map[string]string{} // by process
	for raw := range bytes.Lines(trace) {
		process, line, _ := strings.Cut(string(bytes.TrimSpace(raw)), " ")
		line = strings.TrimSpace(line)
		if head, ok := strings.CutSuffix(line, "<unfinished ...>"); ok {
			begun[process] = strings.TrimSpace(head)
			continue
		}
		if strings.HasPrefix(line, "<... ") {
			_, tail, _ := strings.Cut(line, "resumed>")
			line = begun[process] + tail
		}
		list = append(list, line)
	}
	return list
}

// TestFollow checks that a missing fsync is found, also if calls of threads overlap.
func TestFollow(t *testing.T) {
	const (
		open   = "1 openat(AT_FDCWD, \"d/.turnproof-ab-cd\", O_RDWR|O_CREAT) = 5\n"
		split  = "1 openat(AT_FDCWD, \"d/.turnproof-ab-cd\", O_RDWR|O_CREAT <unfinished ...>\n2 close(5) = 0\n1 <... openat resumed>) = 5\n"
		write  = "1 write(5, \"x\") = 1\n"
		force  = "1 fsync(5) = 0\n"
		forced = "1 fsync(5 <unfinished ...>\n2 futex() = 0\n1 <... fsync resumed>) = 0\n"
		rename = "1 renameat(AT_FDCWD, \"d/.turnproof-ab-cd\", AT_FDCWD, \"d/a\") = 0\n"
	)
	for trace, want := range map[string]bool{
		open + write + force + rename:  true,
		open + write + rename:          false,
		split + force + write + rename: false,
		split + forced + rename:        true,
	} {
		renamed, unforced := follow([]byte(trace))
		if !slices.Equal(renamed, []string{"d/.turnproof-ab-cd"}) || (len(unforced) == 0) != want {
			t.Errorf("renamed %q, not forced %q in\n%s", renamed, unforced, trace)
		}
	}
}
