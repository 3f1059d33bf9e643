package everysize

import (
	"fmt"
	"strconv"
	"strings"
)

// This file splits the text of a routing program into tokens.
//
// The syntax is a part of Starlark: names, whole decimal numbers, strings without escapes, operators,
// and blocks by indentation. Anything else is an error: a text that this program reads in
// another sense than Starlark would make the checker prove another program.

// maxNumber is the largest absolute value of a number.
const maxNumber = 1 << 40

type tokenKind int

const (
	endToken tokenKind = iota
	nameToken
	numberToken
	textToken
	signToken // operator, bracket or keyword
	lineToken // end of a line
	indentToken
	dedentToken
)

type token struct {
	kind   tokenKind
	text   string
	number int64
	line   int
}

// keywords are the words with a meaning of their own. Those of Starlark that are reserved without a use are
// included, so that no name equals one.
var keywords = map[string]bool{
	"and": true, "break": true, "continue": true, "def": true, "elif": true, "else": true, "for": true, "if": true, "in": true,
	"lambda": true, "load": true, "not": true, "or": true, "pass": true, "return": true, "while": true,
	"as": true, "assert": true, "class": true, "del": true, "except": true, "finally": true, "from": true, "global": true,
	"import": true, "is": true, "nonlocal": true, "raise": true, "try": true, "with": true, "yield": true,
}

// signs are the operators and brackets, long ones first.
var signs = []string{"//=", "==", "!=", "<=", ">=", "//", "+=", "-=", "*=", "%=", "+", "-", "*", "%", "<", ">", "=", "(", ")", "[", "]", ",", ":", ".", ";"}

type scanner struct {
	text   string
	line   int
	depth  int // of open brackets
	levels []int
	tokens []token
}

// scan returns the tokens of a program.
func scan(text string) (tokens []token, err error) {
	s := &scanner{text: text, line: 1, levels: []int{0}}
	for i := range len(text) {
		if c := text[i]; c >= 0x80 && !inComment(text[:i]) || c < ' ' && c != '\n' {
			return nil, fmt.Errorf("line %d: byte %#x is outside the supported language", 1+strings.Count(text[:i], "\n"), c)
		}
	}
	fresh := true // at the start of a line
	for s.text != "" {
		if fresh && s.depth == 0 {
			if err := s.indent(); err != nil {
				return nil, err
			}
			if s.text == "" { // only blanks or a comment were left
				break
			}
			fresh = false
		}
		switch c := s.text[0]; {
		case c == '\n':
			s.text = s.text[1:]
			if s.depth == 0 {
				s.add(lineToken, "")
				fresh = true
			}
			s.line++
		case c == ' ':
			s.text = s.text[1:]
		case c == '#':
			s.text = s.text[len(beforeLine(s.text)):]
		default:
			if err := s.token(); err != nil {
				return nil, err
			}
		}
	}
	if s.depth != 0 {
		return nil, fmt.Errorf("line %d: a bracket is not closed", s.line)
	}
	if !fresh {
		s.add(lineToken, "")
	}
	for range s.levels[1:] {
		s.add(dedentToken, "")
	}
	s.add(endToken, "")
	return s.tokens, nil
}

// inComment reports whether the last line of text has a comment.
func inComment(text string) bool {
	return strings.Contains(text[strings.LastIndexByte(text, '\n')+1:], "#")
}

func beforeLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func (s *scanner) add(kind tokenKind, text string) {
	s.tokens = append(s.tokens, token{kind: kind, text: text, line: s.line})
}

// indent reads the spaces at the start of a line, and blank lines before it.
func (s *scanner) indent() error {
	for {
		line := beforeLine(s.text)
		rest := strings.TrimLeft(line, " ")
		if rest != "" && rest[0] != '#' {
			break
		}
		if len(line) == len(s.text) {
			s.text = ""
			return nil
		}
		s.text = s.text[len(line)+1:]
		s.line++
	}
	rest := strings.TrimLeft(s.text, " ")
	width := len(s.text) - len(rest)
	s.text = rest
	if width > s.levels[len(s.levels)-1] {
		s.levels = append(s.levels, width)
		s.add(indentToken, "")
	}
	for width < s.levels[len(s.levels)-1] {
		s.levels = s.levels[:len(s.levels)-1]
		s.add(dedentToken, "")
	}
	if width != s.levels[len(s.levels)-1] {
		return fmt.Errorf("line %d: the indentation fits no line above", s.line)
	}
	return nil
}

func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// token reads a name, number, string or sign.
func (s *scanner) token() error {
	n := 1
	switch c := s.text[0]; {
	case isLetter(c):
		for n < len(s.text) && (isLetter(s.text[n]) || isDigit(s.text[n])) {
			n++
		}
		kind := nameToken
		if keywords[s.text[:n]] {
			kind = signToken
		}
		if n < len(s.text) && (s.text[n] == '"' || s.text[n] == '\'') {
			return fmt.Errorf("line %d: strings with a prefix are outside the supported language", s.line)
		}
		s.add(kind, s.text[:n])
	case isDigit(c):
		for n < len(s.text) && (isLetter(s.text[n]) || isDigit(s.text[n]) || s.text[n] == '.') {
			n++
		}
		k, err := strconv.ParseInt(s.text[:n], 10, 64)
		if err != nil || k > maxNumber || n > 1 && c == '0' {
			return fmt.Errorf("line %d: number %.40q is outside the supported language", s.line, s.text[:n])
		}
		s.add(numberToken, s.text[:n])
		s.tokens[len(s.tokens)-1].number = k
	case c == '"' || c == '\'':
		end := strings.IndexAny(s.text[1:], string(c)+"\\\n")
		if end < 0 || s.text[1+end] != c || strings.HasPrefix(s.text, strings.Repeat(string(c), 3)) {
			return fmt.Errorf("line %d: a string with escapes or over several lines is outside the supported language", s.line)
		}
		s.add(textToken, s.text[1:1+end])
		n = end + 2
	default:
		n = 0
		for _, sign := range signs {
			if strings.HasPrefix(s.text, sign) {
				n = len(sign)
				break
			}
		}
		if n == 0 {
			return fmt.Errorf("line %d: character %q is outside the supported language", s.line, c)
		}
		s.add(signToken, s.text[:n])
		if err := s.bracket(s.text[:n]); err != nil {
			return err
		}
	}
	s.text = s.text[n:]
	return nil
}

// bracket counts open brackets.
func (s *scanner) bracket(sign string) error {
	switch sign {
	case "(", "[":
		s.depth++
	case ")", "]":
		if s.depth--; s.depth < 0 {
			return fmt.Errorf("line %d: a bracket closes nothing", s.line)
		}
	}
	return nil
}
