//go:build unix

package faults

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// This file strikes what writes files.

// writer is a command that writes files or folders; they are among its words, and begin with
// "out".
type writer struct {
	name   string
	line   []string
	status int
}

var writers = []writer{
	{"report", []string{"report", "mesh:3x3", "-r", "dor", "-r", "updown", "--clocks", "500", "-o", "out.html"}, 0},
	{"table -o", []string{"table", "mesh:6x6", "-r", "dor", "--kind", "paths", "--format", "csv", "-o", "out.csv"}, 0},
	{"check --certificate", []string{"check", "mesh:6x6", "-r", "dor", "--certificate", "out.cert"}, 0},
	{"draw -o", []string{"draw", "network", "mesh:4x4", "-o", "out.pdf"}, 0},
	{"convert -o", []string{"convert", "mesh:16x16", "--to", "json", "-o", "out.json"}, 0},
	{"turns -o", []string{"turns", "mesh:4x4", "--method", "updown", "-o", "out.turns.json", "--certificate", "out.cert", "--figure", "out.svg"}, 0},
	{"vlan --linux --sonic", []string{"vlan", "mesh:3x3", "-r", "vlan-dor", "--linux", "out-linux", "--sonic", "out-sonic"}, 0},
	{"enumerate --files", []string{"enumerate", "mesh:2", "--files", "out-files"}, 0},
}

// allWriters are their names.
func allWriters() string {
	var names []string
	for i := range writers {
		names = append(names, writers[i].name)
	}
	return strings.Join(names, ", ")
}

// outputs are the names that are written.
func (w *writer) outputs() (list []string) {
	for _, word := range w.line {
		if strings.HasPrefix(word, "out") {
			list = append(list, word)
		}
	}
	return list
}

// content is what is in a file, or in all files of a folder; nil if it is not there.
func content(path string) (text []byte, err error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !st.IsDir():
		text, err = os.ReadFile(path)
		return append([]byte{}, text...), err
	}
	text = []byte("folder")
	return text, filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		more, err := os.ReadFile(name)
		text = fmt.Appendf(text, "\n%s %d\n%s", d.Name(), len(more), more)
		return err
	})
}

// written is what a writer leaves that nothing happens to.
type written struct {
	files map[string][]byte
	took  time.Duration
}

func (t *trial) writerReference(w *writer) (*written, error) {
	dir, err := t.folder("reference")
	if err != nil {
		return nil, err
	}
	var ref written
	for range 2 { // the same each time, or nothing can be held against it
		r := t.run(dir, nil, w.line...)
		if r.code != w.status {
			return nil, fmt.Errorf("%s: %s", w.name, r)
		}
		now := map[string][]byte{}
		for _, f := range w.outputs() {
			if now[f], err = content(filepath.Join(dir, f)); err != nil || now[f] == nil {
				return nil, fmt.Errorf("%s: no %s, %w", w.name, f, err)
			}
			if ref.files != nil && !bytes.Equal(ref.files[f], now[f]) {
				return nil, fmt.Errorf("%s: %s is not the same twice", w.name, f)
			}
			if err := os.RemoveAll(filepath.Join(dir, f)); err != nil {
				return nil, err
			}
		}
		ref = written{now, r.took}
	}
	return &ref, nil
}

// old is what is in files before; folders are new each time.
var old = []byte("what was there before\n")

// prepare makes the old outputs, of half of the runs.
func (t *trial) prepare(w *writer, dir string) (before map[string][]byte, err error) {
	before = map[string][]byte{}
	for _, f := range w.outputs() {
		path := filepath.Join(dir, f)
		if err := os.RemoveAll(path); err != nil {
			return nil, err
		}
		if filepath.Ext(f) != "" && t.random.IntN(2) == 0 {
			before[f] = old
			if err := os.WriteFile(path, old, 0o644); err != nil {
				return nil, err
			}
		}
	}
	return before, nil
}

// eitherOr looks whether each output is what it was or what it is to be.
func (t *trial) eitherOr(row *row, dir string, before, after map[string][]byte) {
	for f, want := range after {
		now, err := content(filepath.Join(dir, f))
		switch {
		case err != nil:
			row.found(torn, "%v", err)
		case now == nil && before[f] != nil:
			row.found(lost, "%s is gone", f)
		case !bytes.Equal(now, before[f]) && !bytes.Equal(now, want):
			row.found(torn, "%s holds %d bytes, before %d, whole %d", f, len(now), len(before[f]), len(want))
		}
	}
}

// marked are the names in a folder that are turnproof's own.
func marked(dir string) (list []string) {
	names, _ := os.ReadDir(dir) // none is found where it cannot be read
	for _, n := range names {
		if strings.HasPrefix(n.Name(), ".turnproof-") {
			list = append(list, n.Name())
		}
	}
	return list
}

// killWriters strikes each writer at any time, and as soon as it begins to write.
func (t *trial) killWriters() error {
	left := 0
	for i := range writers {
		w := &writers[i]
		ref, err := t.writerReference(w)
		if err != nil {
			return err
		}
		dir, err := t.folder("writer")
		if err != nil {
			return err
		}
		row := t.row("kill -9, SIGTERM, SIGINT", "%s", w.name)
		for row.times < t.part(0.5) && t.ctx.Err() == nil {
			before, err := t.prepare(w, dir)
			if err != nil {
				return err
			}
			b := blows[t.random.IntN(len(blows))]
			if t.random.IntN(2) == 0 {
				b = blows[0]
			}
			there := len(marked(dir))
			strike := b.after(time.Duration(t.random.Float64() * float64(ref.took)))
			if t.random.IntN(3) > 0 { // what is left of another run may be gone, or one more there
				strike = b.when(func() bool { return len(marked(dir)) != there }, time.Duration(t.random.IntN(500))*time.Microsecond)
			}
			r := t.run(dir, strike, w.line...)
			row.times++
			if r.struck && r.code != w.status {
				row.midst++
			}
			if said := b.ended(r, w.status); said != "" {
				row.found(other, "%s", said)
			}
			t.eitherOr(row, dir, before, ref.files)
			now := len(marked(dir))
			if left = max(left, now); now > len(w.outputs()) {
				row.found(other, "%d files are left beside %d outputs", now, len(w.outputs()))
			}
		}
		t.writeThrough(row, w, dir, ref)
	}
	t.note("Most that was seen beside the outputs of one command: %d.", left)
	return nil
}

// writeThrough lets a writer end: all is there, and nothing else.
func (t *trial) writeThrough(row *row, w *writer, dir string, ref *written) {
	if _, err := t.prepare(w, dir); err != nil {
		row.found(other, "%v", err)
		return
	}
	if r := t.run(dir, nil, w.line...); r.code != w.status {
		row.found(other, "again: %s", r)
	}
	t.eitherOr(row, dir, ref.files, ref.files)
	t.nothingLeft(row, dir, w.outputs()...)
}
