package format

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// This file reads rows from JSON: a list of objects, or the list "rows" of an object.

// jsonRows reads a list of objects. The first object names the columns.
type jsonRows struct {
	*rows
	dec   *jsontext.Decoder
	lines *lineCounter
	inner bool // the list is in an object, which ends after it
	row   []string
	next  []string // the first row, until it is read
}

func readJSONRows(src *lines) (*rows, error) {
	j := &jsonRows{rows: &rows{src: src}, lines: &lineCounter{r: src.r}}
	j.dec = jsontext.NewDecoder(j.lines)
	j.rows.read = j.readRow
	if err := j.begin(); err != nil {
		return nil, j.fault(err)
	}
	row, err := j.object()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	j.next = slices.Clone(row)
	return j.rows, nil
}

// begin reads up to the first object.
func (j *jsonRows) begin() error {
	t, err := j.dec.ReadToken()
	if err != nil || t.Kind() == '[' {
		return err
	}
	j.inner = true
	for {
		key, err := j.dec.ReadToken()
		if err != nil {
			return err
		}
		if key.Kind() == '}' {
			return errors.New("the list \"rows\" is missing")
		}
		if key.String() == "rows" {
			if t, err = j.dec.ReadToken(); err == nil && t.Kind() != '[' {
				err = errors.New("\"rows\" is no list")
			}
			return err
		}
		if err := j.dec.SkipValue(); err != nil {
			return err
		}
	}
}

// fault adds file and line to an error of the decoder.
func (j *jsonRows) fault(err error) error {
	j.line = j.lines.lineOf(j.dec.InputOffset())
	var strict *strictError
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && errors.As(j.lines.strictError(err), &strict) {
		return &Error{File: j.src.name, Line: strict.line, Msg: strict.msg, Err: err}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return j.errorf("the list does not end: is the file truncated?")
	}
	return &Error{File: j.src.name, Line: j.line, Msg: err.Error(), Err: err}
}

func (j *jsonRows) readRow() ([]string, error) {
	if row := j.next; row != nil {
		j.next = nil
		return row, nil
	}
	return j.object()
}

// object reads an object. At the end of the list it reads the rest of the file.
func (j *jsonRows) object() ([]string, error) {
	t, err := j.dec.ReadToken()
	if err != nil {
		return nil, j.fault(err)
	}
	switch t.Kind() {
	case ']':
		return nil, j.finish()
	case '{':
	default:
		return nil, j.fault(fmt.Errorf("a row is an object, not %s", kindOfJSON(t.Kind(), nil)))
	}
	j.line = j.lines.lineOf(j.dec.InputOffset())
	first := j.columns == nil
	j.row = slices.Grow(j.row[:0], len(j.columns))[:len(j.columns)]
	clear(j.row)
	count := 0
	for {
		key, err := j.dec.ReadToken()
		if err != nil {
			return nil, j.fault(err)
		}
		if key.Kind() == '}' {
			break
		}
		name := columnName(key.String())
		value, err := j.dec.ReadToken()
		if err != nil {
			return nil, j.fault(err)
		}
		text := ""
		switch value.Kind() {
		case '"', '0', 't', 'f':
			text = value.String()
		case 'n':
		default:
			return nil, j.errorf("%s is %s, want a text or a number", clip([]byte(name)), kindOfJSON(value.Kind(), nil))
		}
		at := j.column(name)
		switch {
		case at < 0 && first:
			j.columns, j.row = append(j.columns, name), append(j.row, text)
		case at < 0:
			return nil, j.errorf("unknown field %q; the first row has %s", clip([]byte(name)), strings.Join(j.columns, ", "))
		default:
			j.row[at] = text
		}
		count++
	}
	if count != len(j.columns) {
		return nil, j.errorf("%d fields; the first row has %d", count, len(j.columns))
	}
	return j.row, nil
}

// finish reads what follows the list, and returns io.EOF if all is well.
func (j *jsonRows) finish() error {
	for j.inner {
		t, err := j.dec.ReadToken()
		if err != nil {
			return j.fault(err)
		}
		if t.Kind() == '}' {
			break
		}
		if err := j.dec.SkipValue(); err != nil {
			return j.fault(err)
		}
	}
	if _, err := j.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return j.fault(errors.New("more text after the table"))
	}
	return io.EOF
}
