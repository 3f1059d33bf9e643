package format

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// This file reads JSON of objects in objects, key by key.

// nested reads JSON of objects in objects.
type nested struct {
	src   *lines
	dec   *jsontext.Decoder
	lines *lineCounter
}

// errorf returns an error at the present place.
func (x *nested) errorf(format string, a ...any) error {
	return &Error{File: x.src.name, Line: x.line(), Msg: fmt.Sprintf(format, a...)}
}

// fault adds file and line to an error.
func (x *nested) fault(err error) error {
	var own *Error
	var syntax *jsontext.SyntacticError
	var strict *strictError
	switch {
	case errors.As(err, &own):
		return err
	case errors.As(err, &syntax) && errors.As(x.lines.strictError(err), &strict):
		return &Error{File: x.src.name, Line: strict.line, Msg: strict.msg, Err: err}
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return x.errorf("the object does not end: is the file truncated?")
	}
	return x.errorf("%s", err)
}

// object calls f for each key of an object; f reads the value.
func (x *nested) object(what string, f func(key string) error) error {
	t, err := x.dec.ReadToken()
	if err != nil {
		return x.fault(err)
	}
	if t.Kind() != '{' {
		return x.errorf("%s is %s, want an object", what, kindOfJSON(t.Kind(), nil))
	}
	for {
		key, err := x.dec.ReadToken()
		if err != nil {
			return x.fault(err)
		}
		if key.Kind() == '}' {
			return nil
		}
		if err := f(key.String()); err != nil {
			return x.fault(err)
		}
	}
}

// newNested returns a reader of the JSON in a file.
func newNested(src *lines) *nested {
	count := &lineCounter{r: src.r}
	return &nested{src: src, dec: jsontext.NewDecoder(count), lines: count}
}

// line returns the line of the present place.
func (x *nested) line() int { return x.lines.lineOf(x.dec.InputOffset()) }
