package textfile

import (
	"bufio"
	"bytes"
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

// MaxLine is the largest length of a line in bytes. A longer line is an error.
const MaxLine = 1 << 16

// File reads a text file line by line.
type File struct {
	Name   string
	Line   int // number of the line that Next returned
	Reader *bufio.Reader
	err    error
	open   bool // the last line may lack its end

	Marked bool // the text begins with a byte order mark, which was skipped, or is UTF-16, which was converted

	file *os.File  // the file to close, or nil
	raw  io.Reader // the bytes on disk; hashes them if done is set
	sum  hash.Hash
	done func(path, sum string)
}

// Open opens a text file, compressed or not; "-" is standard input. sums, if not nil, is called with the SHA-256 of the file
// read to its end, in hex, of the bytes on disk.
func Open(path string, sums func(path, sum string)) (*File, error) {
	if path == "-" {
		return New(path, os.Stdin, sums)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Msg: Reason(err), Err: err}
	}
	l, err := New(path, f, sums)
	l.file = f
	if st, serr := f.Stat(); serr == nil && st.IsDir() {
		err = &Error{File: path, Msg: "is a folder, a file was expected"}
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Read opens a file, as Open does, and returns what f returns for it.
func Read[T any](path string, sums func(path, sum string), f func(*File) (T, error)) (t T, err error) {
	src, err := Open(path, sums)
	if err != nil {
		return t, err
	}
	defer src.Close()
	return f(src)
}

// Is reports whether a file can be read and is recognised by its first kilobytes. It returns false for standard input, which it does not read.
func Is(path string, recognise func(head []byte) bool) bool {
	if path == "-" {
		return false
	}
	src, err := Open(path, nil)
	if err != nil {
		return false
	}
	defer src.Close()
	head, _ := src.Reader.Peek(MaxLine)
	return recognise(head)
}

// New reads from r, under the given name.
func New(name string, r io.Reader, sums func(path, sum string)) (*File, error) {
	l := &File{Name: name, raw: r, done: sums}
	if sums != nil {
		l.sum = sha256.New()
		l.raw = io.TeeReader(r, l.sum)
	}
	return l, l.start()
}

// ByteOrderMark is the mark with which some editors begin UTF-8.
const ByteOrderMark = "\ufeff"

// start prepares the reader. It decompresses and converts UTF-16, which it recognises by the content, and skips a
// byte order mark.
func (l *File) start() error {
	l.Reader = bufio.NewReaderSize(l.raw, MaxLine)
	r, packed, err := unpack.Reader(l.Reader)
	if err != nil {
		return &Error{File: l.Name, Msg: err.Error(), Err: err}
	}
	if packed {
		l.Reader = bufio.NewReaderSize(r, MaxLine)
	}
	if head, _ := l.Reader.Peek(4); utf16Order(head) != nil {
		l.Marked = true
		l.Reader = bufio.NewReaderSize(&utf16Reader{r: l.Reader, order: utf16Order(head)}, MaxLine)
	}
	if mark, _ := l.Reader.Peek(len(ByteOrderMark)); string(mark) == ByteOrderMark {
		l.Marked = true
		_, _ = l.Reader.Discard(len(ByteOrderMark)) // cannot fail, since Peek has returned these bytes
	}
	return nil
}

// Reason returns a short text for common errors of opening a file.
func Reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// Next returns the next line without its end. It returns false at the end of the file
// or on an error, which end returns. The line is valid until the next call.
func (l *File) Next() ([]byte, bool) {
	if l.err != nil {
		return nil, false
	}
	line, err := l.Reader.ReadSlice('\n')
	l.Line++
	switch {
	case err == nil:
		return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), true
	case errors.Is(err, bufio.ErrBufferFull):
		l.err = l.Errorf("line is longer than %d bytes", MaxLine)
	case errors.Is(err, io.EOF) && len(line) == 0:
		l.err = io.EOF
	case errors.Is(err, io.EOF) && l.open:
		l.err = io.EOF
		return bytes.TrimSuffix(line, []byte("\r")), true
	case errors.Is(err, io.EOF):
		l.err = l.Errorf("the last line does not end (%q): is the file truncated?", Clip(line))
	default:
		l.err = &Error{l.Name, l.Line, "cannot be read: " + err.Error(), err}
	}
	return nil, false
}

// Each calls f for each line, and returns the first error.
func (l *File) Each(f func(line []byte) error) error {
	for {
		line, ok := l.Next()
		if !ok {
			return l.end()
		}
		if err := f(line); err != nil {
			return err
		}
	}
}

// Close closes the file.
func (l *File) Close() {
	if l.file != nil {
		_ = l.file.Close() // the file was opened for reading, so closing cannot lose data
	}
}

// end returns the error because of which next returned false, or nil at the end of the
// file. In that case it reports the SHA-256 of the whole file.
func (l *File) end() error {
	if l.err != io.EOF {
		return l.err
	}
	if l.done != nil {
		if _, err := io.Copy(io.Discard, l.raw); err != nil { // the bytes after the end of the compressed data
			return &Error{l.Name, l.Line, "cannot be read: " + err.Error(), err}
		}
		l.done(l.Name, hex.EncodeToString(l.sum.Sum(nil)))
	}
	return nil
}

func (l *File) Errorf(format string, a ...any) error {
	return &Error{File: l.Name, Line: l.Line, Msg: fmt.Sprintf(format, a...)}
}

// FileError returns an error about the whole file.
func (l *File) FileError(format string, a ...any) error {
	return &Error{File: l.Name, Msg: fmt.Sprintf(format, a...)}
}

// ReadWhole returns the text of a file of at most limit bytes. what names the file in an error.
func ReadWhole(src *File, limit int, what string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(src.Reader, int64(limit)+1))
	if err != nil {
		return nil, &Error{File: src.Name, Msg: "cannot be read: " + err.Error(), Err: err}
	}
	if len(text) > limit {
		return nil, src.FileError("%s of more than %d bytes", what, limit)
	}
	return text, src.Finish()
}

// ErrorAt returns an error with a line.
func (l *File) ErrorAt(line int, format string, a ...any) error {
	return &Error{File: l.Name, Line: line, Msg: fmt.Sprintf(format, a...)}
}

// Finish returns what end returns for a file that another reader has read to its end.
func (l *File) Finish() error {
	l.err = io.EOF
	return l.end()
}

// EndLastLine accepts a last line without an end. It is used for formats that people write by hand: there, a missing line end rarely means
// that the file is truncated.
func (l *File) EndLastLine() { l.open = true }
