package textfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// This file writes lists, counts and excerpts for messages.

// Capped lists at most ten names and the number of the others.
func Capped(names []string, total int) string {
	if len(names) > 10 {
		names = names[:10]
	}
	list := strings.Join(names, ", ")
	if more := total - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// Counted formats a number with its noun: "1 LID", "2 LIDs".
func Counted(k int, word string) string {
	if k != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", k, word)
}

// Clip shortens a text for an error message.
func Clip[T ~string | ~[]byte](text T) T {
	if len(text) > 60 {
		return T(string(text[:60]) + "...")
	}
	return text
}

// Base returns the name of a file without its folder.
func Base(path string) string { return filepath.Base(path) }

// NameList names the first ten things of a kind, and counts all.
type NameList struct {
	names []string
	Total int
}

// Add counts a thing. It keeps the name of the first ten.
func (l *NameList) Add(format string, a ...any) {
	if l.Total++; len(l.names) < 10 {
		l.names = append(l.names, fmt.Sprintf(format, a...))
	}
}

// String returns the names and the number of the others.
func (l NameList) String() string { return Capped(l.names, l.Total) }

// This file reads numbers from the front of a line.

// Decimal returns the value of s if s is a decimal number without leading zeros, else -1.
func Decimal(s string) int {
	v, rest, ok := Dec([]byte(s))
	if !ok || len(rest) > 0 || len(s) > 1 && s[0] == '0' {
		return -1
	}
	return v
}

// Hex reads hex digits, with or without 0x, from the front of b.
func Hex(b []byte) (v uint64, rest []byte, ok bool) {
	if len(b) > 1 && b[0] == '0' && b[1]|0x20 == 'x' {
		b = b[2:]
	}
	i := 0
	for ; i < len(b); i++ {
		d := b[i]
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			d = d | 0x20 - 'a' + 10
		default:
			return v, b[i:], i > 0
		}
		if v>>60 != 0 {
			return 0, b, false
		}
		v = v<<4 | uint64(d)
	}
	return v, b[i:], i > 0
}

// Dec reads decimal digits from the front of b.
func Dec(b []byte) (v int, rest []byte, ok bool) {
	i := 0
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		if v > 1<<24 {
			return 0, b, false
		}
		v = 10*v + int(b[i]-'0')
	}
	return v, b[i:], i > 0
}

// SkipBlanks drops blanks and tabs from the front of b.
func SkipBlanks(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

// Number parses a number from the front of b: hexadecimal after 0x, otherwise decimal.
func Number(b []byte) (v int, rest []byte, ok bool) {
	if bytes.HasPrefix(b, []byte("0x")) {
		x, rest, ok := Hex(b)
		return int(min(x, 1<<24)), rest, ok
	}
	return Dec(b)
}

// This file has the printer of the writers of files.

// Printer writes text and stores the first error.
type Printer struct {
	w   *bufio.Writer
	err error
}

func NewPrinter(w io.Writer) *Printer { return &Printer{w: bufio.NewWriterSize(w, 1<<16)} }

func (p *Printer) Printf(format string, a ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, a...)
	}
}

func (p *Printer) Flush() error {
	if p.err == nil {
		p.err = p.w.Flush()
	}
	return p.err
}

// JSON returns v as JSON on one line. It does not escape < and >.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
