package booksim

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file splits BookSim configurations into tokens and assignments.
//
// Source: booksim/booksim2, src/config.l and config.y.

func looksLikeConfig(head []byte) bool {
	s := scanner{src: &textfile.File{}, text: string(head), line: 1}
	var kinds [4]token
	for i := range kinds {
		var err error
		if kinds[i], err = s.next(); err != nil {
			return false
		}
	}
	return kinds[0].kind == tokenWord && kinds[1].text == "=" && kinds[2].kind != tokenPunct && kinds[3].text == ";"
}

// assignment reads "= VALUE ;" after a key.
func (s *scanner) assignment(key token) (value token, err error) {
	if key.kind != tokenWord {
		return value, s.want("a key", key)
	}
	is, err := s.next()
	if err == nil && is.text != "=" {
		err = s.want("= behind "+textfile.Clip(key.text), is)
	}
	if err != nil {
		return value, err
	}
	if value, err = s.next(); err == nil && (value.kind == tokenPunct || value.kind == tokenEnd) {
		err = s.want("a value of "+textfile.Clip(key.text), value)
	}
	if err != nil {
		return value, err
	}
	end, err := s.next()
	if err == nil && end.text != ";" {
		err = s.want("; behind the value of "+textfile.Clip(key.text), end)
	}
	return value, err
}

// token is a token of the syntax.
type token struct {
	kind tokenKind
	text string
	line int
}

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenInt
	tokenFloat
	tokenPunct
)

// scanner splits a configuration into tokens as config.l does.
type scanner struct {
	src  *textfile.File
	text string
	line int
}

func (s *scanner) want(what string, got token) error {
	text := fmt.Sprintf("got %q", textfile.Clip(got.text))
	if got.kind == tokenEnd {
		text = "but the file ends: is it truncated?"
	}
	return s.src.ErrorAt(got.line, "want %s, %s", what, text)
}

const (
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-/."
	digits  = "0123456789"
)

func (s *scanner) next() (token, error) {
	for {
		blank := len(s.text) - len(strings.TrimLeft(s.text, " \t\r\n"))
		s.line += strings.Count(s.text[:blank], "\n")
		s.text = s.text[blank:]
		if !strings.HasPrefix(s.text, "//") {
			break
		}
		_, rest, more := strings.Cut(s.text, "\n")
		if s.text = rest; more {
			s.line++
		}
	}
	if s.text == "" {
		return token{line: s.line}, nil
	}
	kind, length := s.longest()
	t := token{kind, s.text[:length], s.line}
	s.text = s.text[length:]
	if t.kind == tokenPunct && t.text != "=" && t.text != ";" {
		return t, s.src.ErrorAt(s.line, "%q is no part of a BookSim configuration here", textfile.Clip(t.text))
	}
	return t, nil
}

// longest returns the longest token at the front of the text.
func (s *scanner) longest() (tokenKind, int) {
	span := func(i int, set string) int {
		for i < len(s.text) && strings.IndexByte(set, s.text[i]) >= 0 {
			i++
		}
		return i
	}
	kind, length := tokenPunct, 1
	if s.text[0] == '{' {
		if i := strings.IndexAny(s.text, ";\n"); i > 0 && strings.LastIndexByte(s.text[:i], '}') > 1 {
			return tokenWord, strings.LastIndexByte(s.text[:i], '}') + 1
		}
	}
	if strings.IndexByte(letters, s.text[0]) >= 0 {
		kind, length = tokenWord, span(1, letters+digits+"+({,)}")
	}
	sign := 0
	if s.text[0] == '-' {
		sign = 1
	}
	whole := span(sign, digits)
	end := whole
	if end < len(s.text) && s.text[end] == '.' && span(end+1, digits) > end+1 {
		end = span(end+1, digits)
	}
	if end > sign && end+1 < len(s.text) && strings.IndexByte("eE", s.text[end]) >= 0 {
		i := end + 1
		if strings.IndexByte("+-", s.text[i]) >= 0 {
			i++
		}
		if j := span(i, digits); j > i {
			end = j
		}
	}
	switch {
	case end > whole && end >= length:
		return tokenFloat, end
	case whole > sign && whole >= length:
		return tokenInt, whole
	}
	return kind, length
}
