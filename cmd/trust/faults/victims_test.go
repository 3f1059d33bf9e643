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

// This file defines the commands that faults hit, and those of them that write files.

// victim is a command that writes files.
type victim interface {
	name() string
	line(x *trial) []string
	took() time.Duration // of a run without a fault
	// ready makes the files that a run finds and notes them.
	ready(x *trial, p *place)
	// growing returns a function that reports whether a run has begun to write.
	growing(x *trial, p *place) func() bool
	// judge checks what a run with a fault has left; killed: the run could not clean up.
	judge(x *trial, p *place, killed bool)
	// finish runs the command without a fault and checks that the result is complete.
	finish(x *trial, p *place)
}

// victims returns all commands, with the results of runs without a fault.
func (x *trial) victims() []victim { return append(x.writers(), newSweep(x), &search{}) }

// writer is a command that writes files or folders, whose names begin with "out".
type writer struct {
	command string
	want    map[string][]byte // by name
	time    time.Duration
	before  map[string][]byte
}

var writerCommands = []string{
	"report mesh:3x3 -r dor -r updown --clocks 500 -o out.html",
	"table mesh:6x6 -r dor --kind paths --format csv -o out.csv",
	"check mesh:6x6 -r dor --certificate out.cert",
	"draw network mesh:4x4 -o out.pdf",
	"convert mesh:16x16 --to json -o out.json",
	"turns mesh:4x4 --method updown -o out.turns.json --certificate out.cert --figure out.svg",
	"vlan mesh:3x3 -r vlan-dor --linux out-linux --sonic out-sonic",
	"enumerate mesh:2 --files out-files",
}

// writers runs each writer twice, which must write the same bytes.
func (x *trial) writers() (list []victim) {
	for _, command := range writerCommands {
		w := &writer{command: command}
		for range 2 {
			p := x.place()
			r := x.run(p, nil, w.line(x)...)
			if r.code != 0 {
				x.Fatalf("%s: %s", command, r)
			}
			now := map[string][]byte{}
			for _, f := range w.outputs() {
				now[f] = x.content(p.path(f))
				if now[f] == nil || w.want != nil && !bytes.Equal(w.want[f], now[f]) {
					x.Fatalf("%s: no %s, or two runs write different bytes", command, f)
				}
			}
			w.want, w.time = now, r.took
		}
		list = append(list, w)
	}
	return list
}

func (w *writer) name() string         { return strings.Fields(w.command)[0] + " (files)" }
func (w *writer) line(*trial) []string { return strings.Fields(w.command) }
func (w *writer) took() time.Duration  { return w.time }

// outputs returns the names of the outputs.
func (w *writer) outputs() (list []string) {
	for _, word := range strings.Fields(w.command) {
		if strings.HasPrefix(word, "out") {
			list = append(list, word)
		}
	}
	return list
}

// isFile reports whether an output is a file, not a folder.
func isFile(output string) bool { return filepath.Ext(output) != "" }

// old is the content of outputs before a run.
var old = []byte("what was there before\n")

// ready removes all outputs and then writes old content into some.
func (w *writer) ready(x *trial, p *place) {
	w.before = map[string][]byte{}
	for _, f := range w.outputs() {
		x.must(os.RemoveAll(p.path(f)))
		if isFile(f) && x.random.IntN(2) == 0 {
			w.before[f] = old
			x.must(os.WriteFile(p.path(f), old, 0o644))
		}
	}
}

func (w *writer) growing(_ *trial, p *place) func() bool {
	there := len(temporary(p.dir)) // the run may remove one that an earlier run left
	return func() bool { return len(temporary(p.dir)) != there }
}

// judge checks that each output is old or complete.
func (w *writer) judge(x *trial, p *place, killed bool) {
	w.compare(x, p, w.before)
	if !killed {
		x.only(p, w.outputs()...)
	} else if left := temporary(p.dir); len(left) > len(w.outputs()) {
		x.wrong("%q are left beside %d outputs", left, len(w.outputs()))
	}
}

func (w *writer) compare(x *trial, p *place, before map[string][]byte) {
	for f, want := range w.want {
		switch now := x.content(p.path(f)); {
		case now == nil && before[f] != nil:
			x.wrong("%s is gone", f)
		case !bytes.Equal(now, before[f]) && !bytes.Equal(now, want):
			x.wrong("%s is torn: %d bytes; before %d, complete %d", f, len(now), len(before[f]), len(want))
		}
	}
}

func (w *writer) finish(x *trial, p *place) {
	w.ready(x, p)
	if r := x.run(p, nil, w.line(x)...); r.code != 0 || len(r.err) > 0 && !bytes.HasPrefix(r.err, []byte("note: ")) {
		x.wrong("again: %s", r)
	}
	w.compare(x, p, w.want)
	x.only(p, w.outputs()...)
}

// content returns what is in a file, or in all files of a folder; nil if there is nothing.
func (x *trial) content(path string) []byte {
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	x.must(err)
	if !st.IsDir() {
		text, err := os.ReadFile(path)
		x.must(err)
		return append([]byte{}, text...)
	}
	text := []byte("folder")
	x.must(filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		more, err := os.ReadFile(name)
		text = fmt.Appendf(text, "\n%s %d\n%s", d.Name(), len(more), more)
		return err
	}))
	return text
}

// temporary returns the names of turnproof's temporary files in a folder.
func temporary(dir string) (names []string) {
	list, _ := os.ReadDir(dir) // an unreadable folder has none
	for _, f := range list {
		if strings.HasPrefix(f.Name(), ".turnproof-") {
			names = append(names, f.Name())
		}
	}
	return names
}
