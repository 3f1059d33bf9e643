package textfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// This file decodes JSON strictly. Unknown keys, keys that differ in case, keys that occur twice
// and text that is not UTF-8 are errors. encoding/json instead takes the last of two values, and
// accepts NAME for name.

// DecodeStrict stores one value from r in v. behind has the bytes after the value that the decoder
// has already read.
func DecodeStrict(r io.Reader, v any) (behind io.Reader, err error) {
	lines := &LineCounter{R: r}
	dec := jsontext.NewDecoder(lines)
	if err := json.UnmarshalDecode(dec, v, json.RejectUnknownMembers(true)); err != nil {
		return nil, lines.Explain(err)
	}
	return bytes.NewReader(dec.UnreadBuffer()), nil
}

// StrictError is an error in a value, with its line.
type StrictError struct {
	Line int // 1 is the first line of the value; 0 if unknown
	Msg  string
	err  error
}

// Error implements error.
func (e *StrictError) Error() string { return e.Msg }

// Unwrap returns the cause.
func (e *StrictError) Unwrap() error { return e.err }

// Explain converts an error of the JSON library to a message for users.
func (l *LineCounter) Explain(err error) error {
	var syntax *jsontext.SyntacticError
	var value *json.SemanticError
	switch {
	case errors.As(err, &syntax): // this error may be inside a SemanticError
		e := &StrictError{Line: l.LineOf(syntax.ByteOffset), err: err, Msg: syntax.Err.Error()}
		switch {
		case errors.Is(err, jsontext.ErrDuplicateName):
			e.Msg = fmt.Sprintf("%q occurs twice", Clip(syntax.JSONPointer.LastToken()))
		case errors.Is(err, io.ErrUnexpectedEOF):
			e.Msg = "the object does not end: is the file truncated?"
		case errors.Is(err, io.EOF):
			e.Msg = "there is nothing in it"
		case e.Msg == "invalid UTF-8":
			e.Msg = "the text is no UTF-8"
		}
		return e
	case errors.As(err, &value):
		for inner := value; errors.As(inner.Err, &inner); {
			value = inner // from an inner value
		}
		e := &StrictError{Line: l.LineOf(value.ByteOffset), err: err}
		name := Clip(value.JSONPointer.LastToken())
		switch {
		case errors.Is(err, json.ErrUnknownName):
			e.Msg = fmt.Sprintf("unknown field %q", name)
		case value.Err != nil && !errors.Is(value.Err, strconv.ErrRange) && !errors.Is(value.Err, strconv.ErrSyntax):
			e.Msg = value.Err.Error() // from a type with UnmarshalJSON
		default:
			e.Msg = fmt.Sprintf("%s is %s, want %s", cmp.Or(name, "the value"), KindOfJSON(value.JSONKind, value.JSONValue), plainType(value.GoType))
		}
		return e
	}
	return err
}

// KindOfJSON describes a JSON value.
func KindOfJSON(k jsontext.Kind, text jsontext.Value) string {
	switch {
	case k == '0' && len(text) > 0:
		return "the number " + string(Clip(text))
	case k == '0':
		return "a number"
	case k == '"':
		return "a string"
	case k == '[':
		return "a list"
	case k == '{':
		return "an object"
	}
	return k.String()
}

// plainType describes a Go type for users.
func plainType(t reflect.Type) string {
	if t == nil {
		return "something else"
	}
	switch kind := t.Kind(); {
	case strings.Contains(kind.String(), "int"):
		return "a whole number"
	case kind == reflect.Bool:
		return "true or false"
	case kind == reflect.Slice:
		return "a list"
	case kind == reflect.Struct:
		return "an object"
	case kind == reflect.Pointer:
		return plainType(t.Elem())
	default:
		return "a " + kind.String()
	}
}

// LineCounter counts the lines of the bytes that are read through it.
type LineCounter struct {
	R       io.Reader
	offset  int64
	line    int     // number of line ends before those in newline
	newline []int64 // offsets of the most recent line ends
}

// maxNewlines is the number of line ends that are kept. It suffices because decoders read only a
// few bytes ahead.
const maxNewlines = 1 << 17

// Read implements io.Reader.
func (l *LineCounter) Read(b []byte) (int, error) {
	k, err := l.R.Read(b)
	for i, c := range b[:k] {
		if c == '\n' {
			l.newline = append(l.newline, l.offset+int64(i))
		}
	}
	l.offset += int64(k)
	if old := len(l.newline) - maxNewlines; old > maxNewlines {
		l.line += old
		l.newline = l.newline[:copy(l.newline, l.newline[old:])]
	}
	return k, err
}

// LineOf returns the line of an offset, or 0 if the line is no longer known.
func (l *LineCounter) LineOf(offset int64) int {
	if l.line > 0 && (len(l.newline) == 0 || l.newline[0] >= offset) {
		return 0
	}
	before, _ := slices.BinarySearch(l.newline, offset)
	return l.line + 1 + before
}

// maxObjectFile is the largest size of a file that is one JSON object and is read as a whole.
const maxObjectFile = 1 << 30

// Decode decodes a file that is one JSON object into f. what names the kind of file, for
// messages.
func Decode(src *File, f any, what string) error {
	limited := &io.LimitedReader{R: src.Reader, N: maxObjectFile}
	behind, err := DecodeStrict(limited, f)
	if err == nil {
		return src.Rest(behind, 0)
	}
	if limited.N == 0 {
		err = fmt.Errorf("longer than %d bytes", maxObjectFile)
	}
	wrong := &Error{File: src.Name, Msg: fmt.Sprintf("no %s: %s", what, err), Err: err}
	var at *StrictError
	if errors.As(err, &at) {
		wrong.Line = at.Line
	}
	return wrong
}

// This file reads JSON of objects in objects, key by key.

// Objects reads JSON of objects in objects.
type Objects struct {
	File    *File
	Decoder *jsontext.Decoder
	lines   *LineCounter
}

// Errorf returns an error at the present place.
func (x *Objects) Errorf(format string, a ...any) error {
	return x.File.ErrorAt(x.Line(), format, a...)
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
