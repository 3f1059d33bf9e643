package graph

import (
	"errors"
	"io"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file splits DOT into tokens. Source: Graphviz, doc/info/lang.html and
// lib/cgraph/scan.l. Memory: one token, of at most maxToken bytes.

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

// word reports whether the token is this keyword. Keywords of DOT ignore case.
func (t *dotToken) word(w string) bool {
	return t.kind == dotID && !t.quoted && strings.EqualFold(t.text, w)
}

// punct reports whether the token is this operator or bracket.
func (t *dotToken) punct(p string) bool { return t.kind == dotPunct && t.text == p }

// dotScanner reads bytes from src.r. After an error, it returns dotEnd.
type dotScanner struct {
	src  *textfile.File
	line int
	err  error // the first error
}

// fail records an error in the current line, unless there is one already.
func (s *dotScanner) fail(format string, a ...any) {
	if s.err == nil {
		s.err = s.src.ErrorAt(s.line, format, a...)
	}
}

// endOfDOT is what peek returns at the end of the file and after an error.
const endOfDOT = -1

// peek returns the next byte.
func (s *dotScanner) peek() int {
	if s.err != nil {
		return endOfDOT
	}
	b, err := s.src.Reader.Peek(1)
	if len(b) == 1 {
		return int(b[0])
	}
	if !errors.Is(err, io.EOF) {
		s.err = &textfile.Error{File: s.src.Name, Line: s.line, Msg: "cannot be read: " + err.Error(), Err: err}
	}
	return endOfDOT
}

// has reports whether the next two bytes are text.
func (s *dotScanner) has(text string) bool {
	b, _ := s.src.Reader.Peek(len(text))
	return string(b) == text
}

// drop skips the next n bytes.
func (s *dotScanner) drop(n int) {
	for range n {
		if c, _ := s.src.Reader.ReadByte(); c == '\n' {
			s.line++
		}
	}
}

// next returns the next token.
func (s *dotScanner) next() dotToken {
	s.skip()
	t := dotToken{line: s.line}
	switch c := s.peek(); {
	case c == endOfDOT:
	case c == '"':
		t.kind, t.quoted, t.text = dotID, true, s.quotedText()
	case c == '<':
		t.kind, t.quoted, t.text = dotID, true, s.htmlText()
	case c == '-' && (s.has("--") || s.has("->")):
		two, _ := s.src.Reader.Peek(2)
		t.kind, t.text = dotPunct, string(two)
		s.drop(2)
	case strings.IndexByte("{}[]=;,:", byte(c)) >= 0:
		t.kind, t.text = dotPunct, string(rune(c))
		s.drop(1)
	default:
		t.kind, t.text = dotID, s.bareText()
	}
	if s.err != nil {
		return dotToken{line: t.line}
	}
	return t
}

// skip skips blanks and comments. As in Graphviz, # starts a comment anywhere.
func (s *dotScanner) skip() {
	for {
		switch c := s.peek(); {
		case c == '\n' || c == ' ' || c == '\t' || c == '\r':
			s.drop(1)
		case c == '#', c == '/' && s.has("//"):
			for c := s.peek(); c != '\n' && c != endOfDOT; c = s.peek() {
				s.drop(1)
			}
		case c == '/' && s.has("/*"):
			s.comment()
		default:
			return
		}
	}
}

// comment skips a comment /* ... */.
func (s *dotScanner) comment() {
	begun := s.line
	for s.drop(2); !s.has("*/"); s.drop(1) {
		if s.peek() == endOfDOT {
			s.fail("the comment that begins in line %d does not end: is the file truncated?", begun)
			return
		}
	}
	s.drop(2)
}

// take appends bytes to text as long as f accepts them.
func (s *dotScanner) take(text *strings.Builder, what string, begun int, f func(c byte) bool) {
	for {
		c := s.peek()
		switch {
		case c == endOfDOT:
			s.fail("the %s that begins in line %d does not end: is the file truncated?", what, begun)
			return
		case !f(byte(c)):
			return
		case text.Len() >= textfile.MaxToken:
			s.fail("a %s of more than %d bytes", what, textfile.MaxToken)
			return
		}
		text.WriteByte(byte(c))
		s.drop(1)
	}
}

// quotedText reads "..." and each "..." that follows a +.
func (s *dotScanner) quotedText() string {
	var b strings.Builder
	for {
		s.quoted(&b)
		if s.skip(); s.peek() != '+' {
			return b.String()
		}
		s.drop(1)
		if s.skip(); s.peek() != '"' {
			s.fail(`want a "string" behind +`)
			return ""
		}
	}
}

// quoted reads "...". \" is a quote, and a backslash at the end of a line joins the next line.
// Other backslashes are kept.
func (s *dotScanner) quoted(b *strings.Builder) {
	begun := s.line
	for s.drop(1); s.err == nil; {
		s.take(b, "string", begun, func(c byte) bool { return c != '"' && c != '\\' })
		quote := s.peek() == '"'
		if s.drop(1); quote {
			return
		}
		switch s.peek() {
		case '"':
			b.WriteByte('"')
			s.drop(1)
		case '\n':
			s.drop(1)
		case '\\':
			b.WriteString(`\\`)
			s.drop(1)
		default:
			b.WriteByte('\\')
		}
	}
}

// htmlText reads <...> with balanced brackets inside.
func (s *dotScanner) htmlText() string {
	var b strings.Builder
	depth := 0
	s.take(&b, "HTML string", s.line, func(c byte) bool {
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		}
		return depth > 0
	})
	s.drop(1)
	return b.String() + ">"
}

func isDOTLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

// bareText reads a word or a number.
func (s *dotScanner) bareText() string {
	var b strings.Builder
	for c := s.peek(); c != endOfDOT; c = s.peek() {
		if !isDOTLetter(byte(c)) && (c < '0' || c > '9') && c != '.' && (c != '-' || b.Len() > 0) {
			break
		}
		if b.Len() >= textfile.MaxToken {
			s.fail("a word of more than %d bytes", textfile.MaxToken)
			return ""
		}
		b.WriteByte(byte(c))
		s.drop(1)
	}
	text := b.String()
	switch {
	case text == "":
		s.fail("%q is no part of DOT here", rune(s.peek()))
	case isDOTLetter(text[0]) && !strings.Contains(text, "."):
	case !isNumber(text) || text == "-":
		s.fail("%q needs quotes: without them a name has letters, digits and _ and begins with no digit, or is a number", textfile.Clip(text))
	}
	return text
}
