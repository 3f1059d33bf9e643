package textfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// This file bounds and locates what decoders of JSON and XML read from a stream, and converts their errors.

// Meter limits the bytes that are read between two calls of lineOf, so that a single value of a
// stream cannot fill the memory. It also finds the line of an offset.
type Meter struct {
	r       io.Reader
	budget  int
	Limit   int
	offset  int64
	line    int     // line of the first byte that is not counted yet
	newline []int64 // offsets of line ends read ahead
}

// MaxToken is the largest size of a value of a stream, including the reader's buffer.
const MaxToken = 1 << 22

var ErrToken = fmt.Errorf("a single value or tag of more than %d bytes", MaxToken)

func NewMeter(src *File) *Meter {
	return &Meter{r: src.Reader, budget: MaxToken, Limit: MaxToken, line: 1}
}

func (m *Meter) Read(b []byte) (int, error) {
	if m.budget <= 0 {
		return 0, ErrToken
	}
	k, err := m.r.Read(b[:min(len(b), m.budget)])
	m.budget -= k
	for i, c := range b[:k] {
		if c == '\n' {
			m.newline = append(m.newline, m.offset+int64(i))
		}
	}
	m.offset += int64(k)
	return k, err
}

// LineOf returns the line of an offset and resets the limit of bytes. Offsets must not decrease.
func (m *Meter) LineOf(offset int64) int {
	m.budget = m.Limit
	i := 0
	for i < len(m.newline) && m.newline[i] < offset {
		i++
	}
	m.newline = m.newline[:copy(m.newline, m.newline[i:])]
	m.line += i
	return m.line
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
