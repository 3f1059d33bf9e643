package sweep

import (
	"cmp"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/yamldoc"
)

// This file reads an experiment from YAML:
//
//	networks:
//	  - torus:8x8,vcs=2
//	routings: [dor]
//	traffics: [uniform, transpose]
//	loads: {from: 0.05, to: 0.5, step: 0.05}
//	seeds: 3
//	packet: 8
//	clocks: 50000
//
// keys.go lists all keys. A list with a single value needs no brackets. Unknown keys are errors.
// YAML anchors, aliases and tags are errors too, because no experiment needs them.

// maxFile is the largest size of a file in bytes.
const maxFile = 1 << 20

// file is the state of the parser of one file.
type file struct {
	name  string
	lines map[string][]int // by key: the line of the key, then the lines of its values
}

// Read reads an experiment from a file and checks it, see Experiment.Check; path "-" is standard
// input. A mistake in the file is an *Error with its line.
func Read(path string, each func(Point) error) (*Experiment, error) {
	r := os.Stdin
	if path != "-" {
		var err error
		if r, err = os.Open(path); err != nil {
			return nil, &Error{File: path, Msg: reason(err), Err: err}
		}
	}
	defer func() { _ = r.Close() }() // the file was opened for reading, so closing cannot lose data
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, &Error{File: path, Msg: reason(err), Err: err}
	}
	return Parse(path, text, each)
}

// reason returns a short text for common errors of the file system.
func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// Parse reads an experiment from text and checks it. name is the name of the file in messages.
func Parse(name string, text []byte, each func(Point) error) (*Experiment, error) {
	f := &file{name: name, lines: map[string][]int{}}
	values, err := f.parse(text)
	if err != nil {
		return nil, err
	}
	e := &Experiment{Settings: Settings{Warmup: -1, Messages: trial.MessageWords{Entries: -1}}}
	for _, kv := range values {
		if err := f.key(e, kv); err != nil {
			return nil, err
		}
	}
	if e.Settings.Warmup < 0 {
		e.Settings.Warmup = cmp.Or(e.Settings.Clocks, defaultClocks) / 5
	}
	if m := &e.Settings.Messages; m.Entries < 0 {
		m.Entries = 0
		if m.Classes != "" && !isFile(m.Classes) {
			m.Entries = trial.DefaultEntries
		}
	}
	var wrong *Error
	if err := e.Check(each); errors.As(err, &wrong) {
		wrong.File = name
		if at := f.lines[wrong.Key]; len(at) > 0 {
			wrong.Line = at[min(wrong.index+1, len(at)-1)]
		}
		return nil, wrong
	}
	return e, nil
}

// parse returns the keys of the file with their values.
func (f *file) parse(text []byte) ([]yamldoc.Pair, error) {
	if len(text) > maxFile {
		return nil, f.fault("is longer than %d bytes", maxFile)
	}
	docs, err := yamldoc.Parse(text)
	var e *yamldoc.Error
	switch {
	case errors.As(err, &e):
		return nil, &Error{File: f.name, Line: e.Line, Msg: e.Msg, Err: err}
	case len(docs) == 0:
		return nil, f.fault("is empty, an experiment was expected")
	case len(docs) > 1:
		return nil, f.fault("has %d documents, one was expected", len(docs))
	}
	pairs, ok := docs[0].Pairs()
	if !ok {
		return nil, f.at(docs[0].Line(), "KEY: VALUE was expected")
	}
	return pairs, nil
}

// key parses one key and stores its value in e.
func (f *file) key(e *Experiment, kv yamldoc.Pair) error {
	if !kv.Word {
		return f.at(kv.Line, "%q is no key", clip(kv.Key))
	}
	var names []string
	for _, k := range keys {
		if k.Name == kv.Key {
			f.lines[k.Name] = []int{kv.Line}
			return k.read(f, e, k.Name, kv.Value)
		}
		names = append(names, k.Name)
	}
	return f.at(kv.Line, "no key %q, known are %s", clip(kv.Key), strings.Join(names, ", "))
}
