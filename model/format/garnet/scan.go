package garnet

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file finds the Garnet objects in gem5's config.json: a tree of all objects of a simulation, each with its type, its path and its
// parameters. Other objects are often links by their paths, "system.ruby.network.routers0".

// maxGarnetDepth is how deep objects may nest, and maxGarnetObjects how many Garnet objects a file may have.
const (
	maxDepth   = 64
	maxObjects = 1 << 17
)

// object is an object with its parameters that are scalars or lists of scalars.
type object struct {
	src   *textfile.File
	line  int
	kind  string
	param map[string]any // string, json.Number, bool or []any of them
	keys  []string       // all keys
}

// objectTypes are the types of the objects that are kept: those that are read, and the first one of releases before October 2016.
var objectTypes = []string{"GarnetNetwork", "GarnetRouter", "GarnetIntLink", "GarnetExtLink", oldNetwork}

const oldNetwork = "GarnetNetwork_d"

// isConfig reports whether a file is a config.json: its first object has the key cxx_class, which gem5 writes into each object.
func isConfig(head []byte) bool {
	head = bytes.TrimSpace(head)
	return len(head) > 0 && head[0] == '{' && bytes.Contains(head, []byte(`"cxx_class"`)) && bytes.Contains(head, []byte(`"type"`))
}

// scanner walks through a file.
type scanner struct {
	*textfile.Objects
	found map[string][]*object // by type, in the order of the file
	count int
}

// scan returns the Garnet objects of a file by type.
func scan(src *textfile.File) (map[string][]*object, error) {
	s := &scanner{Objects: textfile.NewObjects(src), found: map[string][]*object{}}
	if err := s.walk(0); err != nil {
		return nil, s.Fault(err)
	}
	if _, err := s.Decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, s.Errorf("more text after the object")
	}
	return s.found, src.Finish()
}

// walk reads an object, and keeps it if it is one of Garnet.
func (s *scanner) walk(depth int) error {
	if depth > maxDepth {
		return errors.New("objects nest more than " + strconv.Itoa(maxDepth) + " deep")
	}
	o := &object{src: s.File, line: s.Objects.Line(), param: map[string]any{}}
	err := s.Object("an object", func(key string) error {
		o.keys = append(o.keys, strings.Clone(key))
		v, err := s.member(depth)
		if v != nil && err == nil {
			o.param[strings.Clone(key)] = v
		}
		return err
	})
	if err != nil {
		return err
	}
	o.kind, _ = o.param["type"].(string)
	for _, kind := range objectTypes {
		if o.kind == kind {
			if s.count++; s.count > maxObjects {
				return s.Errorf("more than %d routers and links", maxObjects)
			}
			s.found[kind] = append(s.found[kind], o)
		}
	}
	return nil
}

// member reads a value and returns a scalar or a list of scalars. It returns nil for other values, in which it looks for objects.
func (s *scanner) member(depth int) (any, error) {
	switch s.Decoder.PeekKind() {
	case '{':
		return nil, s.walk(depth + 1)
	case '[':
		return s.elements(depth + 1)
	}
	t, err := s.Decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case '"':
		return t.String(), nil
	case '0':
		return json.Number(t.String()), nil
	case 't', 'f':
		return t.Bool(), nil
	}
	return nil, nil
}

// elements reads a list.
func (s *scanner) elements(depth int) (any, error) {
	if depth > maxDepth {
		return nil, errors.New("lists nest too deep")
	}
	if _, err := s.Decoder.ReadToken(); err != nil {
		return nil, err
	}
	list := []any{}
	for s.Decoder.PeekKind() != ']' {
		v, err := s.member(depth)
		if err != nil {
			return nil, err
		}
		if v != nil {
			list = append(list, v)
		}
	}
	_, err := s.Decoder.ReadToken()
	return list, err
}

func (o *object) fault(format string, a ...any) error { return o.src.ErrorAt(o.line, format, a...) }

// text returns a parameter that is a string.
func (o *object) text(key string) (string, error) {
	text, ok := o.param[key].(string)
	if !ok || text == "" {
		return "", o.fault("a %s without %s", o.kind, key)
	}
	return text, nil
}

// number returns a parameter that is a whole number.
func (o *object) number(key string, low, high int) (int, error) {
	v, ok := o.param[key]
	if !ok {
		return 0, o.fault("a %s without %s", o.kind, key)
	}
	return o.whole(key, v, low, high)
}

func (o *object) whole(key string, v any, low, high int) (int, error) {
	text := ""
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = v // older versions write numbers as strings
	}
	k, err := strconv.Atoi(text)
	if err != nil || k < low || k > high {
		return 0, o.fault("%s of a %s is %q, want a whole number from %d to %d", key, o.kind, textfile.Clip(text), low, high)
	}
	return k, nil
}

// numbers returns a list of numbers, or nil if the parameter is missing or empty.
func (o *object) numbers(key string, low, high int) (out []int, err error) {
	list, _ := o.param[key].([]any)
	for _, v := range list {
		k, err := o.whole(key, v, low, high)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}
