//go:build unix

package faults

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file strikes at system calls, one after the other, by strace.

// calls are those that change what is on the disk. The library's own files are warm, so all
// of them are ours.
var calls = []string{"fsync", "renameat", "unlinkat", "mkdirat"}

// callFaults are what strace does to them.
var callFaults = [][2]string{
	{"signal=KILL", "kill -9 at fsync, rename, unlink, mkdir"},
	{"error=ENOSPC", "fsync, rename, unlink, mkdir: no space left"},
	{"error=EIO", "fsync, rename, unlink, mkdir: input/output error"},
}

// killAtCalls kills writers at each such call, and lets each such call fail.
func (t *trial) killAtCalls() error {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.note("Not tried: faults at single system calls (there is no strace here).")
		return nil
	}
	rows := map[string]*row{}
	for _, f := range callFaults {
		rows[f[0]] = t.row(f[1], "%s", allWriters())
	}
	for i := range writers {
		w := &writers[i]
		ref, err := t.writerReference(w)
		if err != nil {
			return err
		}
		dir, err := t.folder("calls")
		if err != nil {
			return err
		}
		for _, f := range callFaults {
			fault, row := f[0], rows[f[0]]
			row.now = w.name
			for _, call := range calls {
				for n, when := range []int{1, 2, 3, 5, 8, 13, 21, 34, 55} {
					if n >= t.part(0.05) {
						break
					}
					if hit, err := t.atCall(row, w, dir, ref, strace, call, fault, when); err != nil || !hit {
						if err != nil {
							return err
						}
						break
					}
				}
			}
		}
		t.writeThrough(rows["signal=KILL"], w, dir, ref)
	}
	return nil
}

// atCall runs a writer, the call with that number fails or is its last; it reports whether
// there is such a call.
func (t *trial) atCall(row *row, w *writer, dir string, ref *written, strace, call, fault string, when int) (hit bool, err error) {
	before, err := t.prepare(w, dir)
	if err != nil {
		return false, err
	}
	log := filepath.Join(t.work, "strace.log")
	there := marked(dir) // of runs before, beside outputs that this one may not come to
	r := t.command(dir, nil, append([]string{strace, "-f", "-qq", "-o", log, "-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:%s:when=%d", call, fault, when), t.bin}, w.line...)...)
	row.times++
	t.eitherOr(row, dir, before, ref.files)
	if r.code == w.status {
		return false, nil // there are fewer, or it was a call that may fail
	}
	row.midst++
	if fault != "signal=KILL" {
		if said := r.refused("no space left", "input/output error"); said != "" {
			row.found(other, "%s %d: %s", call, when, said)
		}
		left := slices.DeleteFunc(marked(dir), func(name string) bool { return slices.Contains(there, name) })
		if call == "fsync" && len(left) > 0 {
			row.found(other, "%s %d: %q is left", call, when, left)
		}
	}
	return true, nil
}

var (
	opened   = regexp.MustCompile(`^openat\([^"]*"([^"]*\.turnproof-[0-9a-f-]+)", O_.* = (\d+)`)
	renamed  = regexp.MustCompile(`^renameat2?\([^"]*"([^"]*\.turnproof-[0-9a-f-]+)", .* = 0`)
	numbered = regexp.MustCompile(`^(write|fsync|close)\((\d+)`)
)

// order looks whether each file is forced to the disk before it gets its name.
func (t *trial) order() error {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.note("Not tried: the order of writing, forcing to the disk and renaming (there is no strace here).")
		return nil
	}
	row := t.row("loss of power: forced to the disk before it is renamed", "%s", allWriters())
	for i := range writers {
		w := &writers[i]
		before := row.times
		row.now = w.name
		dir, err := t.folder("order")
		if err != nil {
			return err
		}
		log := filepath.Join(t.work, "order.log")
		r := t.command(dir, nil, append([]string{strace, "-f", "-qq", "-s", "4096", "-o", log, "-e", "trace=openat,write,fsync,renameat,renameat2,close", t.bin}, w.line...)...)
		if r.code != w.status {
			return fmt.Errorf("%s: %s", w.name, r)
		}
		list, _, err := lines(log)
		if err != nil {
			return err
		}
		var on traced
		for _, line := range joined(list) {
			if name := on.follow(line); name != "" {
				if row.times++; !on.forced[name] {
					row.found(torn, "%s is renamed before it is forced to the disk", name)
				}
			}
		}
		if row.times == before {
			row.found(other, "nothing was renamed")
		}
	}
	return nil
}

// joined are the calls of a trace in the order in which they ended; one during which others
// were made stands there in two parts.
func joined(list [][]byte) (calls []string) {
	begun := map[string]string{} // by process
	for _, raw := range list {
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
		calls = append(calls, line)
	}
	return calls
}

// traced is what is known of files under names of ours.
type traced struct {
	number map[string]string // the name, by the number of an open file
	forced map[string]bool   // by name: nothing was written since it was forced to the disk
}

// follow follows a call, and returns the name of what it renames, if it does.
func (on *traced) follow(line string) string {
	if on.number == nil {
		on.number, on.forced = map[string]string{}, map[string]bool{}
	}
	if m := renamed.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if m := opened.FindStringSubmatch(line); m != nil {
		on.number[m[2]] = m[1]
	}
	m := numbered.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	name, ours := on.number[m[2]]
	switch {
	case !ours:
	case m[1] == "close":
		delete(on.number, m[2])
	default:
		on.forced[name] = m[1] == "fsync"
	}
	return ""
}
