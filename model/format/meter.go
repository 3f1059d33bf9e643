package format

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// This file bounds and locates what decoders of JSON and XML read from a stream, and converts their errors.

// meter limits the bytes that are read between two calls of lineOf, so that a single value of a
// stream cannot fill the memory. It also finds the line of an offset.
type meter struct {
	r       io.Reader
	budget  int
	limit   int
	offset  int64
	line    int     // line of the first byte that is not counted yet
	newline []int64 // offsets of line ends read ahead
}

// maxToken is the largest size of a value of a stream, including the reader's buffer.
const maxToken = 1 << 22

var errToken = fmt.Errorf("a single value or tag of more than %d bytes", maxToken)

func newMeter(src *lines) *meter {
	return &meter{r: src.r, budget: maxToken, limit: maxToken, line: 1}
}

func (m *meter) Read(b []byte) (int, error) {
	if m.budget <= 0 {
		return 0, errToken
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

// lineOf returns the line of an offset and resets the limit of bytes. Offsets must not decrease.
func (m *meter) lineOf(offset int64) int {
	m.budget = m.limit
	i := 0
	for i < len(m.newline) && m.newline[i] < offset {
		i++
	}
	m.newline = m.newline[:copy(m.newline, m.newline[i:])]
	m.line += i
	return m.line
}

// wrap converts an error of a library to an *Error.
func (l *lines) wrap(line int, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	msg := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		msg = "the file ends too early: is it truncated?"
	}
	return &Error{File: l.name, Line: line, Msg: msg, Err: err}
}

// rest checks that the text after the end of a document is blank, and closes the file. buffered
// has the bytes that the decoder has read ahead.
func (l *lines) rest(buffered io.Reader, line int) error {
	r := bufio.NewReader(io.MultiReader(buffered, l.r))
	for {
		c, err := r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return l.finish()
		case err != nil:
			return &Error{l.name, line, "cannot be read: " + err.Error(), err}
		case c == '\n':
			line++
		case c != ' ' && c != '\t' && c != '\r':
			return &Error{File: l.name, Line: line, Msg: fmt.Sprintf("%q follows the end", c)}
		}
	}
}
