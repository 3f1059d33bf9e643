package textfile

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// This file reads JSON of objects in objects, key by key.

// Objects reads JSON of objects in objects.
type Objects struct {
	File    *File
	Decoder *jsontext.Decoder
	lines   *LineCounter
}

// Errorf returns an error at the present place.
func (x *Objects) Errorf(format string, a ...any) error {
	return &Error{File: x.File.Name, Line: x.Line(), Msg: fmt.Sprintf(format, a...)}
}

// Fault adds file and line to an error.
func (x *Objects) Fault(err error) error {
	var own *Error
	var syntax *jsontext.SyntacticError
	var strict *StrictError
	switch {
	case errors.As(err, &own):
		return err
	case errors.As(err, &syntax) && errors.As(x.lines.Explain(err), &strict):
		return &Error{File: x.File.Name, Line: strict.Line, Msg: strict.Msg, Err: err}
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return x.Errorf("the object does not end: is the file truncated?")
	}
	return x.Errorf("%s", err)
}

// Object calls f for each key of an object; f reads the value.
func (x *Objects) Object(what string, f func(key string) error) error {
	t, err := x.Decoder.ReadToken()
	if err != nil {
		return x.Fault(err)
	}
	if t.Kind() != '{' {
		return x.Errorf("%s is %s, want an object", what, KindOfJSON(t.Kind(), nil))
	}
	for {
		key, err := x.Decoder.ReadToken()
		if err != nil {
			return x.Fault(err)
		}
		if key.Kind() == '}' {
			return nil
		}
		if err := f(key.String()); err != nil {
			return x.Fault(err)
		}
	}
}

// NewObjects returns a reader of the JSON in a file.
func NewObjects(src *File) *Objects {
	count := &LineCounter{R: src.Reader}
	return &Objects{File: src, Decoder: jsontext.NewDecoder(count), lines: count}
}

// Line returns the line of the present place.
func (x *Objects) Line() int { return x.lines.LineOf(x.Decoder.InputOffset()) }
