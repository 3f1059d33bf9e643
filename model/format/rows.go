package format

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
)

// This file reads tables of named columns: CSV with a header, and JSON as a list of objects or as turnproof
// table writes it.

// rows are the rows of a table.
type rows struct {
	src     *lines
	columns []string
	read    func() ([]string, error) // the next row, valid until the next call; io.EOF at the end
	line    int                      // of the row, or its number in a file without lines
}

// errorf returns an error about the present row.
func (r *rows) errorf(format string, a ...any) error {
	return &Error{File: r.src.name, Line: r.line, Msg: fmt.Sprintf(format, a...)}
}

// each calls f for each row.
func (r *rows) each(f func(fields []string) error) error {
	for {
		fields, err := r.read()
		if errors.Is(err, io.EOF) {
			return r.src.finish()
		}
		if err == nil {
			err = f(fields)
		}
		if err != nil {
			return err
		}
	}
}

// readRows returns the rows of a file.
func readRows(src *lines) (*rows, error) {
	if head, _ := src.r.Peek(4096); isText(head, '[') || isText(head, '{') {
		return readJSONRows(src)
	}
	return readCSV(src)
}

// column returns the index of a column, or -1.
func (r *rows) column(name string) int { return slices.Index(r.columns, name) }

// has reports whether all columns of a list are there.
func (r *rows) has(names ...string) bool { return hasColumns(r.columns, names...) }

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

// readCSV reads a header and returns the rows behind it.
func readCSV(src *lines) (*rows, error) {
	end := &lastByte{r: src.r}
	c := csv.NewReader(end)
	c.ReuseRecord = true
	r := &rows{src: src}
	r.read = func() ([]string, error) {
		fields, err := c.Read()
		var wrong *csv.ParseError
		switch {
		case errors.As(err, &wrong):
			return nil, &Error{File: src.name, Line: wrong.Line, Msg: wrong.Err.Error(), Err: err}
		case errors.Is(err, io.EOF) && end.last != '\n' && r.columns != nil:
			return nil, r.errorf("the last line does not end: is the file truncated?")
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		case err != nil:
			return nil, &Error{File: src.name, Line: r.line, Msg: "cannot be read: " + err.Error(), Err: err}
		}
		r.line, _ = c.FieldPos(0)
		return fields, nil
	}
	fields, err := r.read()
	if errors.Is(err, io.EOF) {
		return nil, src.wholef("there is nothing in it")
	}
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		r.columns = append(r.columns, columnName(f))
	}
	for i, name := range r.columns {
		if slices.Index(r.columns, name) < i {
			return nil, r.errorf("column %q occurs twice", clip([]byte(name)))
		}
	}
	return r, nil
}
