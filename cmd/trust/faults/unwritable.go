//go:build unix

package faults

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// This file gives outputs that cannot be written, and takes journals and folders away while
// they are in use.

// unwritable tries all of it.
func (t *trial) unwritable() error {
	for _, try := range []func() error{t.fullDevice, t.closedOutput, t.folders, t.immutable, t.takenAway} {
		if err := try(); err != nil {
			return err
		}
	}
	return nil
}

// talkers write to standard output.
var talkers = [][]string{
	{"version"}, {"help"}, {"man"}, {"completion", "bash"}, {"networks"}, {"routings"},
	{"check", "mesh:3x3", "-r", "dor"}, {"check", "mesh:3x3", "-r", "dor", "--json"},
	{"check", "mesh:3x3", "-r", "dor", "--certificate", "-", "--quiet"},
	{"table", "mesh:4x4", "-r", "dor", "--kind", "paths", "--format", "csv"},
	{"draw", "network", "mesh:3x3", "-o", "-", "--format", "svg"}, {"turns", "mesh:3x3", "--method", "updown"},
	{"sweep", "mesh:3x3", "-r", "dor", "--loads", "0.1", "--clocks", "500"}, {"sim", "mesh:3x3", "-r", "dor", "--load", "0.1", "--clocks", "500"},
	{"report", "mesh:3x3", "-r", "dor", "--clocks", "500", "-o", "-"},
}

// fullDevice: /dev/full as standard output, and as a file.
func (t *trial) fullDevice() error {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.note("Not tried: /dev/full (there is none here).")
		return nil
	}
	defer func() { _ = full.Close() }() // nothing can be written
	dir, err := t.folder("device")
	if err != nil {
		return err
	}
	row := t.row("standard output is /dev/full", "%d commands that print", len(talkers))
	for _, line := range talkers {
		row.now = strings.Join(line, " ")
		row.times++
		row.midst++
		if said := t.onto(dir, full, line).refused("no space left on device"); said != "" {
			row.found(other, "%s", said)
		}
	}
	row = t.row("the file is /dev/full", "%s", allWriters())
	for i := range writers {
		w := &writers[i]
		row.now = w.name
		for k, word := range w.line {
			if filepath.Ext(word) == "" || !strings.HasPrefix(word, "out") {
				continue
			}
			link := filepath.Join(dir, word)
			if err := os.Symlink("/dev/full", link); err != nil {
				return err
			}
			line := append([]string{}, w.line...)
			line[k] = word
			row.times++
			row.midst++
			if said := t.run(dir, nil, line...).refused("no space left on device"); said != "" {
				row.found(other, "%s", said)
			}
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			if err := os.Mkdir(dir, 0o755); err != nil {
				return err
			}
		}
	}
	return nil
}

// onto runs turnproof with a file as standard output.
func (t *trial) onto(dir string, to *os.File, line []string) *result {
	cmd := exec.CommandContext(t.ctx, t.bin, line...)
	var errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, t.env, to, &errs
	return t.finish(cmd, nil, &bytes.Buffer{}, &errs)
}

// closedOutput: the reader has gone.
func (t *trial) closedOutput() error {
	dir, err := t.folder("closed")
	if err != nil {
		return err
	}
	row := t.row("the reader of standard output has gone (SIGPIPE)", "%d commands that print", len(talkers))
	for _, line := range talkers {
		row.now = strings.Join(line, " ")
		reader, writer, err := os.Pipe()
		if err != nil {
			return err
		}
		if err := reader.Close(); err != nil {
			return err
		}
		r := t.onto(dir, writer, line)
		row.times++
		row.midst++
		if r.code >= 0 || r.signal.String() != "broken pipe" || len(r.err) > 0 {
			row.found(other, "%s", r)
		}
		if err := writer.Close(); err != nil {
			return err
		}
		t.nothingLeft(row, dir)
	}
	return nil
}

// folders: there is a folder where a file is to be, or a file where a folder is to be.
func (t *trial) folders() error {
	row := t.row("a folder in place of a file, or a file in place of a folder", "%s", allWriters())
	for i := range writers {
		w := &writers[i]
		row.now = w.name
		dir, err := t.folder("folders")
		if err != nil {
			return err
		}
		for _, f := range w.outputs() {
			if filepath.Ext(f) != "" {
				err = os.Mkdir(filepath.Join(dir, f), 0o755)
			} else {
				err = os.WriteFile(filepath.Join(dir, f), old, 0o644)
			}
			if err != nil {
				return err
			}
		}
		row.times++
		row.midst++
		if said := t.run(dir, nil, w.line...).refused("is a folder", "not a directory"); said != "" {
			row.found(other, "%s", said)
		}
		t.nothingLeft(row, dir, w.outputs()...)
		for _, f := range w.outputs() {
			if text, err := content(filepath.Join(dir, f)); err != nil || filepath.Ext(f) == "" && string(text) != string(old) {
				row.found(lost, "%s holds %q, %v", f, text, err)
			}
		}
	}
	dir, err := t.sweepFolder("folders")
	if err != nil {
		return err
	}
	row = t.row("a folder in place of the journal", "sweep")
	if err := os.Mkdir(filepath.Join(dir, "e.yaml.journal"), 0o755); err != nil {
		return err
	}
	row.times++
	row.midst++
	if said := t.run(dir, nil, sweepLine...).refused("is no regular file"); said != "" {
		row.found(other, "%s", said)
	}
	return nil
}

// immutable: what not even root may change.
func (t *trial) immutable() error {
	dir, err := t.folder("immutable")
	if err != nil {
		return err
	}
	set := func(flag, name string) error {
		return exec.CommandContext(t.ctx, "chattr", flag, filepath.Join(dir, name)).Run()
	}
	var row *row
	for i := range writers {
		w := &writers[i]
		for _, f := range w.outputs() {
			if filepath.Ext(f) == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, f), old, 0o644); err != nil {
				return err
			}
			if err := set("+i", f); err != nil {
				t.note("Not tried: files that may not be changed (chattr does not work here).")
				return nil
			}
			if row == nil {
				row = t.row("a file that may not be changed (chattr +i)", "%s", allWriters())
			}
			row.now = w.name
			row.times++
			row.midst++
			r := t.run(dir, nil, w.line...)
			if err := set("-i", f); err != nil {
				return err
			}
			if said := r.refused("permission denied", "not permitted"); said != "" {
				row.found(other, "%s", said)
			}
			if text, err := os.ReadFile(filepath.Join(dir, f)); err != nil || string(text) != string(old) {
				row.found(lost, "%s holds %q, %v", f, text, err)
			}
			if left := marked(dir); len(left) > 0 {
				row.found(other, "%q are left", left)
			}
			break
		}
	}
	return nil
}

// takenAway: journal and folder vanish, or are replaced, while a sweep runs.
func (t *trial) takenAway() error {
	ref, err := t.sweepReference()
	if err != nil {
		return err
	}
	for fault, away := range map[string]func(dir, journal string) error{
		"the journal is removed during the run": func(_, journal string) error { return os.Remove(journal) },
		"the journal is replaced during the run": func(_, journal string) error {
			return errors.Join(os.Rename(journal, journal+".old"), os.WriteFile(journal, old, 0o644))
		},
		"the folder is removed during the run": func(dir, _ string) error { return os.RemoveAll(dir) },
	} {
		row := t.row(fault, "sweep")
		for row.times < t.part(0.05) && t.ctx.Err() == nil {
			dir, err := t.sweepFolder("away")
			if err != nil {
				return err
			}
			journal := filepath.Join(dir, "e.yaml.journal")
			enough := t.random.Int64N(ref.journal / 2)
			r := t.run(dir, func(_ int, done <-chan struct{}) bool {
				for size(journal) <= enough {
					select {
					case <-done:
						return false
					case <-time.After(100 * time.Microsecond):
					}
				}
				return away(dir, journal) == nil
			}, sweepLine...)
			row.times++
			if !r.struck {
				continue
			}
			row.midst++
			if said := r.refused("was removed or replaced"); said != "" && r.code != 0 { // else it had all by then
				row.found(other, "%s", said)
			}
			if text, err := os.ReadFile(journal); err == nil && string(text) != string(old) {
				row.found(lost, "what came in its place holds %.80q", text)
			}
		}
	}
	return nil
}
