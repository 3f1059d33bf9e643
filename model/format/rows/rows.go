package rows

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads tables of named columns: CSV with a header, and JSON as a list of objects or as turnproof
// table writes it.

// Table are the rows of a table.
type Table struct {
	File    *textfile.File
	Columns []string
	read    func() ([]string, error) // the next row, valid until the next call; io.EOF at the end
	Line    int                      // of the row, or its number in a file without lines
}

// Errorf returns an error about the present row.
func (r *Table) Errorf(format string, a ...any) error {
	return r.File.ErrorAt(r.Line, format, a...)
}

// Each calls f for each row.
func (r *Table) Each(f func(fields []string) error) error {
	for {
		fields, err := r.read()
		if errors.Is(err, io.EOF) {
			return r.File.Finish()
		}
		if err == nil {
			err = f(fields)
		}
		if err != nil {
			return err
		}
	}
}

// Read returns the rows of a file.
func Read(src *textfile.File) (*Table, error) {
	if head, _ := src.Reader.Peek(4096); textfile.Begins(head, '[') || textfile.Begins(head, '{') {
		return readJSON(src)
	}
	return ReadCSV(src)
}

// Column returns the index of a column, or -1.
func (r *Table) Column(name string) int { return slices.Index(r.Columns, name) }

// Has reports whether all columns of a list are there.
func (r *Table) Has(names ...string) bool { return textfile.HasColumns(r.Columns, names...) }

// lastByte remembers the last byte that was read.
type lastByte struct {
	r    io.Reader
	last byte
}

// Read implements io.Reader.
func (l *lastByte) Read(b []byte) (int, error) {
	k, err := l.r.Read(b)
	if k > 0 {
		l.last = b[k-1]
	}
	return k, err
}

// ReadCSV reads a header and returns the rows behind it.
func ReadCSV(src *textfile.File) (*Table, error) {
	end := &lastByte{r: src.Reader}
	c := csv.NewReader(end)
	c.ReuseRecord = true
	r := &Table{File: src}
	r.read = func() ([]string, error) {
		fields, err := c.Read()
		var wrong *csv.ParseError
		switch {
		case errors.As(err, &wrong):
			return nil, &textfile.Error{File: src.Name, Line: wrong.Line, Msg: wrong.Err.Error(), Err: err}
		case errors.Is(err, io.EOF) && end.last != '\n' && r.Columns != nil:
			return nil, r.Errorf("the last line does not end: is the file truncated?")
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		case err != nil:
			return nil, &textfile.Error{File: src.Name, Line: r.Line, Msg: "cannot be read: " + err.Error(), Err: err}
		}
		r.Line, _ = c.FieldPos(0)
		return fields, nil
	}
	fields, err := r.read()
	if errors.Is(err, io.EOF) {
		return nil, src.FileError("there is nothing in it")
	}
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		r.Columns = append(r.Columns, textfile.ColumnName(f))
	}
	for i, name := range r.Columns {
		if slices.Index(r.Columns, name) < i {
			return nil, r.Errorf("column %q occurs twice", textfile.Clip(name))
		}
	}
	return r, nil
}

// This file reads rows from JSON: a list of objects, or the list "rows" of an object.

// jsonTable reads a list of objects. The first object names the columns.
type jsonTable struct {
	*Table
	text  *textfile.Objects
	inner bool // the list is in an object, which ends after it
	row   []string
	next  []string // the first row, until it is read
}

func readJSON(src *textfile.File) (*Table, error) {
	j := &jsonTable{Table: &Table{File: src}, text: textfile.NewObjects(src)}
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
	t, err := j.text.Decoder.ReadToken()
	if err != nil || t.Kind() == '[' {
		return err
	}
	j.inner = true
	for {
		key, err := j.text.Decoder.ReadToken()
		if err != nil {
			return err
		}
		if key.Kind() == '}' {
			return errors.New("the list \"rows\" is missing")
		}
		if key.String() == "rows" {
			if t, err = j.text.Decoder.ReadToken(); err == nil && t.Kind() != '[' {
				err = errors.New("\"rows\" is no list")
			}
			return err
		}
		if err := j.text.Decoder.SkipValue(); err != nil {
			return err
		}
	}
}

// fault adds file and line to an error of the decoder.
func (j *jsonTable) fault(err error) error {
	j.Line = j.text.Line()
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = errors.New("the list does not end: is the file truncated?")
	}
	return j.text.Fault(err)
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
	t, err := j.text.Decoder.ReadToken()
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
	j.Line = j.text.Line()
	first := j.Columns == nil
	j.row = slices.Grow(j.row[:0], len(j.Columns))[:len(j.Columns)]
	clear(j.row)
	count := 0
	for {
		key, err := j.text.Decoder.ReadToken()
		if err != nil {
			return nil, j.fault(err)
		}
		if key.Kind() == '}' {
			break
		}
		name := textfile.ColumnName(key.String())
		value, err := j.text.Decoder.ReadToken()
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
		t, err := j.text.Decoder.ReadToken()
		if err != nil {
			return j.fault(err)
		}
		if t.Kind() == '}' {
			break
		}
		if err := j.text.Decoder.SkipValue(); err != nil {
			return j.fault(err)
		}
	}
	if _, err := j.text.Decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return j.fault(errors.New("more text after the table"))
	}
	return io.EOF
}
