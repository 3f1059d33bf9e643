package textfile

import (
	"bufio"
	"errors"
	"io"
)

// This file adds a missing line end to the last line of a text.

// lineEnd adds a line end to a file whose last line has none. It is used for formats that people
// write by hand: there, a missing line end rarely means that the file is truncated.
type lineEnd struct {
	r    io.Reader
	last byte
	done bool
}

// Read implements io.Reader.
func (l *lineEnd) Read(b []byte) (int, error) {
	if l.done || len(b) == 0 {
		return 0, io.EOF
	}
	k, err := l.r.Read(b[:max(len(b)-1, 1)])
	if k > 0 {
		l.last = b[k-1]
	}
	if errors.Is(err, io.EOF) {
		l.done = true
		if l.last != '\n' && l.last != 0 && k < len(b) {
			b[k] = '\n'
			k++
		}
	}
	return k, err
}

// EndLastLine lets l read its input through lineEnd.
func (l *File) EndLastLine() { l.Reader = bufio.NewReaderSize(&lineEnd{r: l.Reader}, MaxLine) }
