package textfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// This file reads text in UTF-16 as UTF-8. PowerShell writes such files by default.

// utf16Order returns the byte order of a text in UTF-16, or nil. The text begins with a byte order mark, or its first two characters
// are ASCII.
func utf16Order(head []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return binary.BigEndian
	case len(head) < 4:
		return nil
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return binary.LittleEndian
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return binary.BigEndian
	}
	return nil
}

// utf16Reader converts UTF-16 to UTF-8. Half a character becomes the replacement character.
type utf16Reader struct {
	r     *bufio.Reader
	order binary.ByteOrder
	left  []byte // UTF-8 that is not read yet
}

// Read implements io.Reader.
func (u *utf16Reader) Read(b []byte) (n int, err error) {
	for len(u.left) < len(b) && err == nil {
		var c rune
		if c, err = u.character(); err == nil {
			u.left = utf8.AppendRune(u.left, c)
		}
	}
	n = copy(b, u.left)
	u.left = append(u.left[:0], u.left[n:]...)
	if n > 0 {
		err = nil // io.EOF comes again
	}
	return n, err
}

// character returns the next character. An odd byte at the end is an error, because the file is truncated.
func (u *utf16Reader) character() (rune, error) {
	var b [2]byte
	if _, err := io.ReadFull(u.r, b[:]); err != nil {
		return 0, err
	}
	c := rune(u.order.Uint16(b[:]))
	if !utf16.IsSurrogate(c) {
		return c, nil
	}
	second, _ := u.r.Peek(2)
	if len(second) < 2 {
		return utf8.RuneError, nil
	}
	if c = utf16.DecodeRune(c, rune(u.order.Uint16(second))); c != utf8.RuneError {
		_, _ = u.r.Discard(2) // cannot fail, since Peek has returned these bytes
	}
	return c, nil
}
