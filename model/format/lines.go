package format

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/turnproof/turnproof/internal/unpack"
)

// Error is an error in an input file, with its line.
type Error struct {
	File string
	Line int // 0 if the error concerns the whole file
	Msg  string
	Err  error // the cause, or nil
}

// Error implements error.
func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return "format: " + at + ": " + e.Msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// lineSize is the largest length of a line in bytes. A longer line is an error.
const lineSize = 1 << 16

// lines reads a text file line by line.
type lines struct {
	name string
	n    int // number of the line that next returned
	r    *bufio.Reader
	err  error

	file *os.File  // the file to close, or nil
	raw  io.Reader // the bytes on disk; hashes them if done is set
	sum  hash.Hash
	done func(path, sum string)
}

// open opens a text file, compressed with gzip or not; "-" is standard input. sums, if not nil, is called with the SHA-256 of the file
// read to its end, in hex, of the bytes on disk.
func open(path string, sums func(path, sum string)) (*lines, error) {
	if path == "-" {
		return from(path, os.Stdin, sums)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Msg: reason(err), Err: err}
	}
	l, err := from(path, f, sums)
	l.file = f
	if st, serr := f.Stat(); serr == nil && st.IsDir() {
		err = &Error{File: path, Msg: "is a folder, a file was expected"}
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// from reads from r, under the given name.
func from(name string, r io.Reader, sums func(path, sum string)) (*lines, error) {
	l := &lines{name: name, raw: r, done: sums}
	if sums != nil {
		l.sum = sha256.New()
		l.raw = io.TeeReader(r, l.sum)
	}
	return l, l.start()
}

// byteOrderMark is the mark with which some editors begin UTF-8.
const byteOrderMark = "\ufeff"

// start prepares the reader. It decompresses gzip and converts UTF-16, which it recognises by the content, and skips a
// byte order mark.
func (l *lines) start() error {
	l.r = bufio.NewReaderSize(l.raw, lineSize)
	r, packed, err := unpack.Reader(l.r)
	if err != nil {
		return &Error{File: l.name, Msg: "gzip: " + err.Error(), Err: err}
	}
	if packed {
		l.r = bufio.NewReaderSize(r, lineSize)
	}
	if head, _ := l.r.Peek(4); utf16Order(head) != nil {
		l.r = bufio.NewReaderSize(&utf16Reader{r: l.r, order: utf16Order(head)}, lineSize)
	}
	if mark, _ := l.r.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = l.r.Discard(len(byteOrderMark)) // cannot fail, since Peek has returned these bytes
	}
	return nil
}

// reason returns a short text for common errors of opening a file.
func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// next returns the next line without its end. It returns false at the end of the file
// or on an error, which end returns. The line is valid until the next call.
func (l *lines) next() ([]byte, bool) {
	if l.err != nil {
		return nil, false
	}
	line, err := l.r.ReadSlice('\n')
	l.n++
	switch {
	case err == nil:
		line = line[:len(line)-1]
		if k := len(line); k > 0 && line[k-1] == '\r' {
			line = line[:k-1]
		}
		return line, true
	case errors.Is(err, bufio.ErrBufferFull):
		l.err = l.errorf("line is longer than %d bytes", lineSize)
	case errors.Is(err, io.EOF) && len(line) == 0:
		l.err = io.EOF
	case errors.Is(err, io.EOF):
		l.err = l.errorf("the last line does not end (%q): is the file truncated?", clip(line))
	default:
		l.err = &Error{l.name, l.n, "cannot be read: " + err.Error(), err}
	}
	return nil, false
}

// each calls f for each line, and returns the first error.
func (l *lines) each(f func(line []byte) error) error {
	for {
		line, ok := l.next()
		if !ok {
			return l.end()
		}
		if err := f(line); err != nil {
			return err
		}
	}
}

// close closes the file.
func (l *lines) close() {
	if l.file != nil {
		_ = l.file.Close() // the file was opened for reading, so closing cannot lose data
	}
}

// end returns the error because of which next returned false, or nil at the end of the
// file. In that case it reports the SHA-256 of the whole file.
func (l *lines) end() error {
	if l.err != io.EOF {
		return l.err
	}
	if l.done != nil {
		if _, err := io.Copy(io.Discard, l.raw); err != nil { // the bytes after the end of the gzip data
			return &Error{l.name, l.n, "cannot be read: " + err.Error(), err}
		}
		l.done(l.name, hex.EncodeToString(l.sum.Sum(nil)))
	}
	return nil
}

func (l *lines) errorf(format string, a ...any) error {
	return &Error{File: l.name, Line: l.n, Msg: fmt.Sprintf(format, a...)}
}

// wholef returns an error about the whole file.
func (l *lines) wholef(format string, a ...any) error {
	return &Error{File: l.name, Msg: fmt.Sprintf(format, a...)}
}

// readWhole returns the text of a file of at most limit bytes. what names the file in an error.
func readWhole(src *lines, limit int, what string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(src.r, int64(limit)+1))
	if err != nil {
		return nil, &Error{File: src.name, Msg: "cannot be read: " + err.Error(), Err: err}
	}
	if len(text) > limit {
		return nil, src.wholef("%s of more than %d bytes", what, limit)
	}
	return text, src.finish()
}

// at returns an error with a line.
func (l *lines) at(line int, format string, a ...any) error {
	return &Error{File: l.name, Line: line, Msg: fmt.Sprintf(format, a...)}
}

// finish returns what end returns for a file that another reader has read to its end.
func (l *lines) finish() error {
	l.err = io.EOF
	return l.end()
}
