//go:build unix

package faults

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// This file gives commands outputs that cannot be written, and removes journals during a run.

// printers are commands that print.
var printers = []string{
	"version", "help", "man", "completion bash", "networks", "routings",
	"check mesh:3x3 -r dor", "check mesh:3x3 -r dor --json", "check mesh:3x3 -r dor --certificate - --quiet",
	"table mesh:4x4 -r dor --kind paths --format csv", "draw network mesh:3x3 -o - --format svg", "turns mesh:3x3 --method updown",
	"sweep mesh:3x3 -r dor --loads 0.1 --clocks 500", "sim mesh:3x3 -r dor --load 0.1 --clocks 500", "report mesh:3x3 -r dor --clocks 500 -o -",
}

// standardOutput lets commands print to a full device, and to a pipe without a reader.
func (x *trial) standardOutput() {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		x.skip("standard output", "there is no /dev/full here")
	}
	defer func() { _ = full.Close() }() // nothing was written
	for _, line := range printers {
		x.try("standard output is /dev/full", line, 0, func(x *trial) bool {
			p := x.place()
			x.ask(line, x.printTo(p, full, line).refused("no space left on device"))
			x.only(p)
			return true
		})
		x.try("standard output without a reader", line, 0, func(x *trial) bool {
			p := x.place()
			reader, out, err := os.Pipe()
			x.must(errors.Join(err, reader.Close()))
			if r := x.printTo(p, out, line); r.code >= 0 || r.signal != syscall.SIGPIPE || len(r.err) > 0 {
				x.wrong("%s", r)
			}
			x.must(out.Close())
			x.only(p)
			return true
		})
	}
}

// printTo runs turnproof with a file as standard output.
func (x *trial) printTo(p *place, out *os.File, line string) *result {
	cmd := exec.CommandContext(x.Context(), x.bin, strings.Fields(line)...)
	cmd.Dir, cmd.Stdout = p.dir, out
	return x.start(cmd, nil)
}

// unwritable gives commands a device, a folder or an immutable file as output.
func (x *trial) unwritable() {
	for _, v := range x.writers() {
		w := v.(*writer)
		for _, f := range w.outputs() {
			if isFile(f) {
				x.try("the file is /dev/full", w.name(), 0, func(x *trial) bool {
					p := x.place()
					x.must(os.Symlink("/dev/full", p.path(f)))
					x.ask(f, x.run(p, nil, w.line(x)...).refused("no space left on device"))
					return true
				})
				x.immutable(w, f)
			}
			x.try("a folder in place of a file, or a file in place of a folder", w.name(), 0, func(x *trial) bool {
				p := x.place()
				if isFile(f) {
					x.must(os.Mkdir(p.path(f), 0o755))
				} else {
					x.must(os.WriteFile(p.path(f), old, 0o644))
				}
				x.ask(f, x.run(p, nil, w.line(x)...).refused("is a folder", "not a directory"))
				if text := x.content(p.path(f)); !isFile(f) && string(text) != string(old) {
					x.wrong("%s holds %q", f, text)
				}
				if left := temporary(p.dir); len(left) > 0 {
					x.wrong("%q are left", left)
				}
				return true
			})
		}
	}
	x.try("a folder in place of the journal", "sweep", 0, func(x *trial) bool {
		p := x.place()
		(&sweep{}).ready(x, p)
		x.must(os.Mkdir(p.path(sweepJournal), 0o755))
		x.ask("sweep", x.run(p, nil, sweepLine...).refused("is no regular file", "is not a regular file"))
		return true
	})
}

// immutable gives a writer a file that not even root may change.
func (x *trial) immutable(w *writer, f string) {
	x.try("a file that may not be changed (chattr +i)", w.name(), 0, func(x *trial) bool {
		p := x.place()
		x.must(os.WriteFile(p.path(f), old, 0o644))
		set := func(flag string) error { return exec.CommandContext(x.Context(), "chattr", flag, p.path(f)).Run() }
		if set("+i") != nil {
			x.skip("a file that may not be changed", "chattr +i does not work here")
		}
		r := x.run(p, nil, w.line(x)...)
		x.must(set("-i"))
		x.ask(f, r.refused("permission denied", "not permitted"))
		if text := x.content(p.path(f)); string(text) != string(old) || len(temporary(p.dir)) > 0 {
			x.wrong("%s holds %q; left are %q", f, text, temporary(p.dir))
		}
		return true
	})
}

// removed removes or replaces the journal, or the folder, while a sweep runs.
func (x *trial) removed() {
	s := newSweep(x)
	for fault, remove := range map[string]func(p *place) error{
		"the journal is removed during the run": func(p *place) error { return os.Remove(p.path(sweepJournal)) },
		"the journal is replaced during the run": func(p *place) error {
			return errors.Join(os.Rename(p.path(sweepJournal), p.path("moved")), os.WriteFile(p.path(sweepJournal), old, 0o644))
		},
		"the folder is removed during the run": func(p *place) error { return os.RemoveAll(p.dir) },
	} {
		x.try(fault, "sweep", 0.05, func(x *trial) bool {
			p := x.place()
			s.ready(x, p)
			enough := x.random.Int64N(s.size / 2)
			r := x.run(p, func(_ int, done <-chan struct{}) bool {
				return until(done, func() bool { return size(p.path(sweepJournal)) > enough }) && remove(p) == nil
			}, sweepLine...)
			if r.struck && r.code != 0 { // else it had written everything
				x.ask("sweep", r.refused("was removed or replaced"))
			}
			if text, err := os.ReadFile(p.path(sweepJournal)); r.struck && err == nil && string(text) != string(old) {
				x.wrong("the file that replaces the journal holds %.80q", text)
			}
			return r.struck
		})
	}
}
