package format

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// This file cuts DOT into tokens. Source: Graphviz, doc/info/lang.html and
// lib/cgraph/scan.l. Memory: a token, which is at most maxToken bytes.

type dotTokenKind uint8

const (
	dotEnd dotTokenKind = iota
	dotID
	dotPunct
)

type dotToken struct {
	kind   dotTokenKind
	text   string
	quoted bool
	line   int
}

// word reports whether the token is this keyword; DOT's have no case.
func (t *dotToken) word(w string) bool {
	return t.kind == dotID && !t.quoted && strings.EqualFold(t.text, w)
}

// dotScanner reads bytes from src.r.
type dotScanner struct {
	src   *lines
	line  int
	inRow bool // something but blanks has been read of this line
}

func (s *dotScanner) faultAt(format string, a ...any) error {
	return &Error{File: s.src.name, Line: s.line, Msg: fmt.Sprintf(format, a...)}
}

// peek returns the next byte, 0 and false at the end of the file.
func (s *dotScanner) peek() (byte, bool, error) {
	b, err := s.src.r.Peek(1)
	switch {
	case len(b) == 1:
		return b[0], true, nil
	case errors.Is(err, io.EOF):
		return 0, false, nil
	}
	return 0, false, &Error{s.src.name, s.line, "cannot be read: " + err.Error(), err}
}

func (s *dotScanner) drop() {
	c, _ := s.src.r.ReadByte()
	if s.inRow = true; c == '\n' {
		s.line++
		s.inRow = false
	}
}

// next returns the next token.
func (s *dotScanner) next() (dotToken, error) {
	if err := s.skip(); err != nil {
		return dotToken{}, err
	}
	t := dotToken{line: s.line}
	c, ok, err := s.peek()
	if err != nil || !ok {
		return t, err
	}
	switch {
	case c == '"':
		t.kind, t.quoted = dotID, true
		t.text, err = s.quotedText()
		return t, err
	case c == '<':
		t.kind, t.quoted = dotID, true
		t.text, err = s.htmlText()
		return t, err
	case c == '-' && s.operator():
		two, _ := s.src.r.Peek(2)
		t.kind, t.text = dotPunct, string(two)
		s.drop()
		s.drop()
		return t, nil
	case strings.IndexByte("{}[]=;,:", c) >= 0:
		s.drop()
		t.kind, t.text = dotPunct, string(c)
		return t, nil
	}
	t.kind = dotID
	t.text, err = s.bareText()
	return t, err
}

// operator reports whether -- or -> comes next.
func (s *dotScanner) operator() bool {
	two, _ := s.src.r.Peek(2)
	return len(two) == 2 && (two[1] == '-' || two[1] == '>')
}

// skip passes over blanks and comments; a line that begins with # is one.
func (s *dotScanner) skip() error {
	for {
		c, ok, err := s.peek()
		if err != nil || !ok {
			return err
		}
		two, _ := s.src.r.Peek(2)
		switch {
		case c == '\n' || c == ' ' || c == '\t' || c == '\r':
			row := s.inRow
			s.drop()
			s.inRow = row && c != '\n'
		case c == '#' && !s.inRow, string(two) == "//":
			for c != '\n' && ok {
				s.drop()
				if c, ok, err = s.peek(); err != nil {
					return err
				}
			}
		case string(two) == "/*":
			if err := s.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// comment passes over /* ... */.
func (s *dotScanner) comment() error {
	line := s.line
	s.drop()
	s.drop()
	for {
		_, ok, err := s.peek()
		if err != nil {
			return err
		}
		if !ok {
			return s.faultAt("the comment that begins in line %d does not end: is the file cut off?", line)
		}
		if two, _ := s.src.r.Peek(2); string(two) == "*/" {
			s.drop()
			s.drop()
			return nil
		}
		s.drop()
	}
}

// take reads bytes into text while f says so.
func (s *dotScanner) take(text *strings.Builder, what string, begun int, f func(c byte) bool) error {
	for {
		c, ok, err := s.peek()
		if err != nil {
			return err
		}
		if !ok {
			return s.faultAt("the %s that begins in line %d does not end: is the file cut off?", what, begun)
		}
		if !f(c) {
			return nil
		}
		if text.Len() >= maxToken {
			return s.faultAt("a %s of more than %d bytes", what, maxToken)
		}
		text.WriteByte(c)
		s.drop()
	}
}

// quotedText reads "..." and what is added to it by +.
func (s *dotScanner) quotedText() (string, error) {
	var b strings.Builder
	for {
		begun := s.line
		s.drop()
		for {
			if err := s.take(&b, "string", begun, func(c byte) bool { return c != '"' && c != '\\' }); err != nil {
				return "", err
			}
			if c, _, _ := s.peek(); c == '"' {
				s.drop()
				break
			}
			s.drop()
			c, ok, err := s.peek()
			if err != nil {
				return "", err
			}
			switch {
			case !ok: // take finds the end
			case c == '"':
				b.WriteByte(c)
				s.drop()
			case c == '\n': // the line goes on in the next
				s.drop()
			case c == '\\':
				b.WriteString(`\\`)
				s.drop()
			default:
				b.WriteByte('\\')
			}
		}
		if err := s.skip(); err != nil {
			return "", err
		}
		if c, ok, err := s.peek(); err != nil || !ok || c != '+' {
			return b.String(), err
		}
		s.drop()
		if err := s.skip(); err != nil {
			return "", err
		}
		if c, _, err := s.peek(); err != nil || c != '"' {
			return "", errors.Join(err, s.faultAt(`want a "string" behind +`))
		}
	}
}

// htmlText reads <...> with balanced brackets inside.
func (s *dotScanner) htmlText() (string, error) {
	var b strings.Builder
	depth, begun := 0, s.line
	err := s.take(&b, "HTML string", begun, func(c byte) bool {
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		}
		return depth > 0
	})
	if err != nil {
		return "", err
	}
	s.drop()
	return b.String() + ">", nil
}

// bareText reads a word or a number.
func (s *dotScanner) bareText() (string, error) {
	var b strings.Builder
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80 }
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	for {
		c, ok, err := s.peek()
		if err != nil {
			return "", err
		}
		if !ok || !letter(c) && !digit(c) && c != '.' && (c != '-' || b.Len() > 0) {
			break
		}
		if b.Len() >= maxToken {
			return "", s.faultAt("a word of more than %d bytes", maxToken)
		}
		b.WriteByte(c)
		s.drop()
	}
	text := b.String()
	if text == "" {
		c, _, _ := s.peek()
		return "", s.faultAt("%q is no part of DOT here", c)
	}
	word := letter(text[0]) && strings.IndexByte(text, '.') < 0
	if !word && !isNumber(text) || strings.HasPrefix(text, "-") && len(text) == 1 {
		return "", s.faultAt("%q needs quotes: without them a name has letters, digits and _ and begins with no digit, or is a number", clip([]byte(text)))
	}
	return text, nil
}
