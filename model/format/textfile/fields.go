package textfile

import "bytes"

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
