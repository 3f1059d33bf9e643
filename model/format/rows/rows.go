package rows

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

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
	return &textfile.Error{File: r.File.Name, Line: r.Line, Msg: fmt.Sprintf(format, a...)}
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
