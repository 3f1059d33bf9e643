package traffic

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/turnproof/turnproof/internal/unpack"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
)

// This file reads text files of columns, compressed or not. Blanks or tabs outside double quotes separate the
// columns; "#" at the beginning or the end of a word begins a comment.

// FileError is an error in a file with its position.
type FileError struct {
	File string
	Line int // line number, or 0 for the whole file
	Msg  string
	Err  error // cause, or nil
}

// Error implements error.
func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("traffic: %s:%d: %s", e.File, e.Line, e.Msg)
	}
	return "traffic: " + e.File + ": " + e.Msg
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// lineBytes bounds a line; longer ones are an error.
const lineBytes = 1 << 16

// lines reads a file line by line.
type lines struct {
	name    string
	n       int      // number of the current line
	columns [][]byte // columns of the current line; valid until the next line
	hosts   int      // number of hosts of the network
	names   *names.Index
}

// readFile calls f for each line that has columns.
func readFile(path string, n *model.Network, f func(l *lines) error) error {
	file, err := os.Open(path)
	if err != nil {
		return &FileError{File: path, Msg: reason(err), Err: err}
	}
	defer func() { _ = file.Close() }() // nothing was written
	return readLines(path, file, n, f)
}

// reason returns a readable text for usual file errors.
func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func readLines(name string, r io.Reader, n *model.Network, f func(l *lines) error) error {
	in := bufio.NewReaderSize(r, lineBytes)
	unpacked, packed, err := unpack.Reader(in)
	if err != nil {
		return &FileError{File: name, Msg: err.Error(), Err: err}
	}
	if packed {
		in = bufio.NewReaderSize(unpacked, lineBytes)
	}
	l := &lines{name: name, hosts: n.NumHosts(), names: names.New(n)}
	for {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 || err == nil {
			l.n++
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return l.errorf("the line is longer than %d bytes", lineBytes)
		case err != nil && err != io.EOF:
			return &FileError{name, l.n, "cannot be read: " + reason(err), err}
		}
		if l.cut(line); len(l.columns) > 0 {
			if err := f(l); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// cut splits a line into columns.
func (l *lines) cut(line []byte) {
	l.columns = l.columns[:0]
	if bytes.IndexByte(line, '"') >= 0 {
		for _, word := range names.Fields(string(line)) {
			l.columns = append(l.columns, []byte(word))
		}
		return
	}
	for {
		line = bytes.TrimLeft(line, " \t\r\n")
		if len(line) == 0 || line[0] == '#' {
			return
		}
		end := bytes.IndexAny(line, " \t\r\n")
		if end < 0 {
			end = len(line)
		}
		word := bytes.TrimRight(line[:end], "#")
		l.columns, line = append(l.columns, word), line[len(word):]
	}
}

// number reads column i as a whole number from least to most. what names the column in errors.
func (l *lines) number(i int, what string, least, most int64) (int64, error) {
	word := l.columns[i]
	v, err := strconv.ParseInt(string(word), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, l.errorf("%s %q is no whole number", what, clip(word))
	case err != nil || v < least || v > most:
		return 0, l.errorf("%s %s, allowed are %d to %d", what, clip(word), least, most)
	}
	return v, nil
}

// host reads column i as a host (see package names).
func (l *lines) host(i int, what string) (model.HostID, error) {
	word := string(l.columns[i])
	if v, err := strconv.ParseUint(word, 10, 31); err == nil && l.names.HasPositions() && v < uint64(l.hosts) {
		return model.HostID(v), nil // fast
	}
	h, err := l.names.Host(word)
	if err != nil {
		return 0, l.errorf("%s: %s", what, err)
	}
	return h, nil
}

func (l *lines) errorf(format string, a ...any) error {
	return &FileError{File: l.name, Line: l.n, Msg: fmt.Sprintf(format, a...)}
}

// clip shortens a text that an error quotes.
func clip[T ~string | ~[]byte](s T) string {
	if len(s) > 40 {
		return string(s[:40]) + "..."
	}
	return string(s)
}
