package textfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// This file bounds and locates what decoders of JSON and XML read from a stream, and converts their errors.

// Meter limits the bytes that are read between two calls of LineOf, so that a single value of a
// stream cannot fill the memory.
type Meter struct {
	LineCounter
	budget int
	Limit  int
}

// MaxToken is the largest size of a value of a stream, including the reader's buffer.
const MaxToken = 1 << 22

// ErrToken is the error for a larger value.
var ErrToken = fmt.Errorf("a single value or tag of more than %d bytes", MaxToken)

// NewMeter returns a meter of what is read from src.
func NewMeter(src *File) *Meter {
	return &Meter{LineCounter: LineCounter{R: src.Reader}, budget: MaxToken, Limit: MaxToken}
}

// Read implements io.Reader.
func (m *Meter) Read(b []byte) (int, error) {
	if m.budget <= 0 {
		return 0, ErrToken
	}
	k, err := m.LineCounter.Read(b[:min(len(b), m.budget)])
	m.budget -= k
	return k, err
}

// LineOf returns the line of an offset and resets the limit of bytes.
func (m *Meter) LineOf(offset int64) int {
	m.budget = m.Limit
	return m.LineCounter.LineOf(offset)
}

// Wrap converts an error of a library to an *Error.
func (l *File) Wrap(line int, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	msg := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		msg = "the file ends too early: is it truncated?"
	}
	return &Error{File: l.Name, Line: line, Msg: msg, Err: err}
}

// Rest checks that the text after the end of a document is blank, and closes the file. buffered
// has the bytes that the decoder has read ahead.
func (l *File) Rest(buffered io.Reader, line int) error {
	r := bufio.NewReader(io.MultiReader(buffered, l.Reader))
	for {
		c, err := r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return l.Finish()
		case err != nil:
			return &Error{l.Name, line, "cannot be read: " + err.Error(), err}
		case c == '\n':
			line++
		case c != ' ' && c != '\t' && c != '\r':
			return &Error{File: l.Name, Line: line, Msg: fmt.Sprintf("%q follows the end", c)}
		}
	}
}
