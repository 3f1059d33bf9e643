package rows

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads rows from JSON: a list of objects, or the list "rows" of an object.

// jsonTable reads a list of objects. The first object names the columns.
type jsonTable struct {
	*Table
	dec   *jsontext.Decoder
	lines *textfile.LineCounter
	inner bool // the list is in an object, which ends after it
	row   []string
	next  []string // the first row, until it is read
}

func readJSON(src *textfile.File) (*Table, error) {
	j := &jsonTable{Table: &Table{File: src}, lines: &textfile.LineCounter{R: src.Reader}}
	j.dec = jsontext.NewDecoder(j.lines)
	j.Table.read = j.readRow
	if err := j.begin(); err != nil {
		return nil, j.fault(err)
	}
	row, err := j.object()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	j.next = slices.Clone(row)
	return j.Table, nil
}

// begin reads up to the first object.
func (j *jsonTable) begin() error {
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
func (j *jsonTable) fault(err error) error {
	j.Line = j.lines.LineOf(j.dec.InputOffset())
	var strict *textfile.StrictError
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && errors.As(j.lines.Explain(err), &strict) {
		return &textfile.Error{File: j.File.Name, Line: strict.Line, Msg: strict.Msg, Err: err}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return j.Errorf("the list does not end: is the file truncated?")
	}
	return &textfile.Error{File: j.File.Name, Line: j.Line, Msg: err.Error(), Err: err}
}

func (j *jsonTable) readRow() ([]string, error) {
	if row := j.next; row != nil {
		j.next = nil
		return row, nil
	}
	return j.object()
}

// object reads an object. At the end of the list it reads the rest of the file.
func (j *jsonTable) object() ([]string, error) {
	t, err := j.dec.ReadToken()
	if err != nil {
		return nil, j.fault(err)
	}
	switch t.Kind() {
	case ']':
		return nil, j.finish()
	case '{':
	default:
		return nil, j.fault(fmt.Errorf("a row is an object, not %s", textfile.KindOfJSON(t.Kind(), nil)))
	}
	j.Line = j.lines.LineOf(j.dec.InputOffset())
	first := j.Columns == nil
	j.row = slices.Grow(j.row[:0], len(j.Columns))[:len(j.Columns)]
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
		name := textfile.ColumnName(key.String())
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
			return nil, j.Errorf("%s is %s, want a text or a number", textfile.Clip(name), textfile.KindOfJSON(value.Kind(), nil))
		}
		at := j.Column(name)
		switch {
		case at < 0 && first:
			j.Columns, j.row = append(j.Columns, name), append(j.row, text)
		case at < 0:
			return nil, j.Errorf("unknown field %q; the first row has %s", textfile.Clip(name), strings.Join(j.Columns, ", "))
		default:
			j.row[at] = text
		}
		count++
	}
	if count != len(j.Columns) {
		return nil, j.Errorf("%d fields; the first row has %d", count, len(j.Columns))
	}
	return j.row, nil
}

// finish reads what follows the list, and returns io.EOF if all is well.
func (j *jsonTable) finish() error {
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
