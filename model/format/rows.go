package format

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/parquet-go/parquet-go"
)

// This file reads tables of named columns: CSV with a header, JSON as a list of objects or as turnproof table writes it, and
// Parquet.

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
			return r.src.end()
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
	switch head, _ := src.r.Peek(4096); {
	case bytes.HasPrefix(head, parquetMark):
		return readParquet(src)
	case isText(head, '[') || isText(head, '{'):
		return readJSONRows(src)
	}
	return readCSV(src)
}

// column returns the index of a column, or -1.
func (r *rows) column(name string) int { return slices.Index(r.columns, name) }

// has reports whether all columns of a list are there.
func (r *rows) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return r.column(name) < 0 })
}

// columnName brings the name of a column into one form.
func columnName(text string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), "-", "_")
}

// csvColumns returns the columns of a CSV header, or nil if the first line is none.
func csvColumns(head []byte) []string {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.IndexByte(line, ',') < 0 {
		return nil
	}
	fields, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil {
		return nil
	}
	for i := range fields {
		fields[i] = columnName(fields[i])
	}
	return fields
}

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
		case errors.Is(err, io.EOF) && end.last != '\n':
			src.err = r.errorf("the last line does not end: is the file truncated?")
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			src.err = io.EOF
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
	j.src.err = io.EOF
	return io.EOF
}

// parquetMark is the beginning of a Parquet file.
var parquetMark = []byte("PAR1")

// readParquet reads a file that is on disk.
func readParquet(src *lines) (*rows, error) {
	if src.file == nil {
		return nil, src.wholef("Parquet cannot be read from standard input")
	}
	size, err := src.file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, src.wholef("cannot be read: %v", err)
	}
	if src.sum != nil {
		src.sum.Reset() // of the bytes that were read ahead
		if _, err := io.Copy(src.sum, io.NewSectionReader(src.file, 0, size)); err != nil {
			return nil, src.wholef("cannot be read: %v", err)
		}
	}
	file, err := parquet.OpenFile(src.file, size)
	if err != nil {
		return nil, src.wholef("no Parquet file: %v", err)
	}
	r := &rows{src: src}
	for _, column := range file.Schema().Columns() {
		if len(column) != 1 {
			return nil, src.wholef("column %s is no plain column", strings.Join(column, "."))
		}
		r.columns = append(r.columns, columnName(column[0]))
	}
	reader := parquet.NewGenericReader[any](file, file.Schema())
	batch, have, fields := make([]parquet.Row, 256), []parquet.Row{}, make([]string, len(r.columns))
	r.read = func() ([]string, error) {
		if len(have) == 0 {
			k, err := reader.ReadRows(batch)
			if have = batch[:k]; k == 0 {
				if errors.Is(err, io.EOF) {
					src.err, src.raw = io.EOF, bytes.NewReader(nil) // the sum has all of it
					return nil, io.EOF
				}
				return nil, src.wholef("cannot be read: %v", err)
			}
		}
		clear(fields)
		for _, v := range have[0] {
			if !v.IsNull() {
				fields[v.Column()] = v.String()
			}
		}
		have = have[1:]
		r.line++
		return fields, nil
	}
	return r, nil
}
