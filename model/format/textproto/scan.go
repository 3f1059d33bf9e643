package textproto

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file splits text into tokens.

// tokenKind is a kind of token. Signs have the sign itself as text.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenSign
	tokenWord // an identifier or a number
	tokenString
)

type token struct {
	kind tokenKind
	text string
	line int
}

// scanner reads tokens, one ahead.
type scanner struct {
	name, text string
	pos, line  int
	token      token // the one that is read next
}

func (s *scanner) fault(line int, format string, a ...any) error {
	return &textfile.Error{File: s.name, Line: line, Msg: fmt.Sprintf(format, a...)}
}

const signs = "{}<>[]:,;-"

// next reads the next token into s.token.
func (s *scanner) next() error {
	s.skip()
	if s.token = (token{kind: tokenEnd, text: "the end of the file", line: s.line}); s.pos == len(s.text) {
		return nil
	}
	switch c := s.text[s.pos]; {
	case strings.IndexByte(signs, c) >= 0:
		s.token = token{tokenSign, string(c), s.line}
		s.pos++
	case c == '"' || c == '\'':
		return s.quoted(c)
	case isWordByte(c):
		from := s.pos
		for s.pos < len(s.text) && (isWordByte(s.text[s.pos]) || isExponentSign(s.text, from, s.pos)) {
			s.pos++
		}
		s.token = token{tokenWord, s.text[from:s.pos], s.line}
	default:
		return s.fault(s.line, "unexpected character %q; want a field, as in name: value", rune(c))
	}
	return nil
}

// skip skips white space and comments.
func (s *scanner) skip() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case '\n':
			s.line++
		case ' ', '\t', '\r', '\v', '\f':
		case '#':
			end := strings.IndexByte(s.text[s.pos:], '\n')
			if end < 0 {
				s.pos = len(s.text)
				return
			}
			s.pos += end
			continue
		default:
			return
		}
		s.pos++
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c == '/' || c == '+' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isExponentSign reports whether the byte at pos is the minus of an exponent, as in 1e-3, of the word that begins at from.
func isExponentSign(text string, from, pos int) bool {
	return text[pos] == '-' && pos > from && (text[pos-1] == 'e' || text[pos-1] == 'E') && '0' <= text[from] && text[from] <= '9'
}

// quoted reads a string.
func (s *scanner) quoted(mark byte) error {
	var b strings.Builder
	for i := s.pos + 1; i < len(s.text) && s.text[i] != '\n'; {
		switch c := s.text[i]; c {
		case mark:
			s.pos = i + 1
			s.token = token{tokenString, b.String(), s.line}
			return nil
		case '\\':
			n, ok := unescape(s.text[i:], &b)
			if !ok {
				return s.fault(s.line, "unknown escape in a string")
			}
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return s.fault(s.line, "a string that does not end on its line")
}

// unescape writes the character of the escape that text begins with, and returns the length of the escape.
func unescape(text string, b *strings.Builder) (n int, ok bool) {
	if len(text) < 2 {
		return 0, false
	}
	if i := strings.IndexByte(`abfnrtv\'"?`, text[1]); i >= 0 {
		b.WriteByte("\a\b\f\n\r\t\v\\'\"?"[i])
		return 2, true
	}
	from, most, base := 1, 3, 8
	switch text[1] {
	case 'x', 'X':
		from, most, base = 2, 2, 16
	case 'u':
		from, most, base = 2, 4, 16
	case 'U':
		from, most, base = 2, 8, 16
	}
	end := from
	for end < len(text) && end-from < most && isDigit(text[end], base) {
		end++
	}
	value, err := strconv.ParseUint(text[from:end], base, 32)
	switch {
	case err != nil:
		return 0, false
	case text[1] == 'u' || text[1] == 'U':
		b.WriteRune(rune(value)) // an invalid one becomes U+FFFD
	default:
		b.WriteByte(byte(value))
	}
	return end, true
}

func isDigit(c byte, base int) bool {
	_, err := strconv.ParseUint(string(c), base, 8)
	return err == nil
}
