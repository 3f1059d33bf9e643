package sweep

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
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
// keys.go has all keys. A list of one needs no brackets. Unknown keys are errors.
// Anchors, aliases and tags are not read: no experiment needs them.

// maxFile bounds a file, maxOpen the brackets in it and the blanks and dashes at
// the beginning of a line, so that no file nests without end.
const (
	maxFile = 1 << 20
	maxOpen = 1000
)

// file is a file that is read.
type file struct {
	name  string
	lines map[string][]int // by key: its line, then those of its values
}

// Read reads an experiment and checks it, see Experiment.Check; "-" is standard input.
// What is wrong is an *Error that names the line.
func Read(path string, each func(Point) error) (*Experiment, error) {
	r := os.Stdin
	if path != "-" {
		var err error
		if r, err = os.Open(path); err != nil {
			return nil, &Error{File: path, Msg: reason(err), Err: err}
		}
	}
	defer func() { _ = r.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, &Error{File: path, Msg: reason(err), Err: err}
	}
	return Parse(path, text, each)
}

// reason words the usual failures of files as a user would.
func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// Parse reads an experiment from a text that has the given name in messages.
func Parse(name string, text []byte, each func(Point) error) (*Experiment, error) {
	f := &file{name: name, lines: map[string][]int{}}
	values, err := f.parse(text)
	if err != nil {
		return nil, err
	}
	e := &Experiment{Settings: Settings{Warmup: -1}}
	for _, kv := range values {
		if err := f.key(e, kv); err != nil {
			return nil, err
		}
	}
	if e.Settings.Warmup < 0 {
		e.Settings.Warmup = cmp.Or(e.Settings.Clocks, defaultClocks) / 5
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

// parse returns the keys with their values.
func (f *file) parse(text []byte) (values []*ast.MappingValueNode, err error) {
	switch {
	case len(text) > maxFile:
		return nil, f.fault("is longer than %d bytes", maxFile)
	case !utf8.Valid(text):
		return nil, f.fault("is no UTF-8 text")
	case nestsDeep(text):
		return nil, f.fault("nests too deep for an experiment")
	}
	defer func() {
		if r := recover(); r != nil { // of the library, on input it did not foresee
			values, err = nil, f.fault("is no YAML that can be read")
		}
	}()
	tree, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, f.syntax(err)
	}
	if len(tree.Docs) == 0 || tree.Docs[0].Body == nil {
		return nil, f.fault("is empty, an experiment was expected")
	}
	if len(tree.Docs) > 1 {
		return nil, f.fault("has %d documents, one was expected", len(tree.Docs))
	}
	values, ok := mapping(tree.Docs[0].Body)
	if !ok {
		return nil, f.at(tree.Docs[0].Body, "KEY: VALUE was expected")
	}
	return values, nil
}

// nestsDeep reports, estimated from above, whether a text nests without measure.
func nestsDeep(text []byte) bool {
	open := 0
	for _, c := range text {
		switch c {
		case '[', '{', '&', '!': // anchors and tags lie within one another, too
			open++
		}
	}
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if open+len(line)-len(bytes.TrimLeft(line, " \t-?:")) > maxOpen {
			return true
		}
	}
	return false
}

// syntax words an error of the library, "[LINE:COLUMN] MESSAGE" and a picture.
func (f *file) syntax(err error) error {
	msg, _, _ := strings.Cut(err.Error(), "\n")
	at, rest, ok := strings.Cut(strings.TrimPrefix(msg, "["), "] ")
	number, _, _ := strings.Cut(at, ":")
	line, nerr := strconv.Atoi(number)
	if !ok || nerr != nil {
		line, rest = 0, msg
	}
	return &Error{File: f.name, Line: line, Msg: "YAML: " + rest, Err: err}
}

// key reads a key with its value.
func (f *file) key(e *Experiment, kv *ast.MappingValueNode) error {
	name := kv.Key.GetToken().Value
	if _, ok := kv.Key.(*ast.StringNode); !ok {
		return f.at(kv, "%q is no key", clip(name))
	}
	var names []string
	for _, k := range keys {
		if k.Name != name {
			names = append(names, k.Name)
			continue
		}
		if f.lines[name] != nil {
			return f.at(kv, "%s is there twice", name)
		}
		f.lines[name] = []int{lineOf(kv.Key)}
		return k.read(f, e, name, kv.Value)
	}
	return f.at(kv.Key, "no key %q, known are %s", clip(name), strings.Join(names, ", "))
}
