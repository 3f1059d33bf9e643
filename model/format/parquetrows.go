package format

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// This file reads rows from Parquet, the plain columns of any schema.

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
